import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commitMessage, toAuthor } from '../../../../server/modules/publishing/commit-message.ts';

const executionId = '019a2f10-0000-7000-8000-000000000008';
const ann = { name: 'Ann Lee', email: 'ann@example.com' };

test('C7.03 Artel is the co-author of a person, a sign-off stands where it is wanted, and the last line names the run', () => {
  expect(commitMessage({ title: 'Bake', executionId, author: ann, signsOff: true })).toBe(
    `Bake\n\nSigned-off-by: Ann Lee <ann@example.com>\nCo-authored-by: Artel <artel@artel.invalid>\nArtel-Run: ${executionId}\n`,
  );
  expect(commitMessage({ title: 'Bake', executionId, author: ann, signsOff: false })).not.toContain('Signed-off-by');
  expect(commitMessage({ title: 'Bake', executionId, author: null, signsOff: true })).toBe(`Bake\n\nArtel-Run: ${executionId}\n`);
});

test('C7.03 no title and no name adds a line to a message', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (title, name) => {
      const author = toAuthor({ name, email: 'ann@example.com' });
      const message = commitMessage({ title, executionId, author, signsOff: true });
      const lines = message.split('\n');
      expect(lines).toHaveLength(6);
      expect(lines[2]).toMatch(/^Signed-off-by: [^<>\p{C}]+ <ann@example\.com>$/u);
    }),
  );
});

test('C7.03 a name loses what Git or a reader takes for something else, and an address with such characters is none', () => {
  expect(toAuthor({ name: ' "Ann\u202e <x@y>\nSigned-off-by: Eve', email: 'ann@example.com' })?.name).toBe('Ann x@y Signed-off-by: Eve');
  expect(toAuthor({ name: '\u200b', email: 'ann@example.com' })?.name).toBe('ann');
  for (const email of ['', 'ann', 'a b@example.com', 'ann@example.com>\nEve <eve@example.com'])
    expect(toAuthor({ name: 'Ann', email })).toBeNull();
});
