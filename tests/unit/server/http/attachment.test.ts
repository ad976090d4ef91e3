import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attachment } from '../../../../server/http/attachment.ts';

test.each([
  ['a.zip', `attachment; filename="a.zip"; filename*=UTF-8''a.zip`],
  ['src/app/a b.ts', `attachment; filename="a_b.ts"; filename*=UTF-8''a%20b.ts`],
  ['план.md', `attachment; filename="____.md"; filename*=UTF-8''%D0%BF%D0%BB%D0%B0%D0%BD.md`],
  ['a"\r\nSet-Cookie: b', `attachment; filename="aSet-Cookie__b"; filename*=UTF-8''aSet-Cookie%3A%20b`],
  ["it's (1)*.ts", `attachment; filename="it_s__1__.ts"; filename*=UTF-8''it%27s%20%281%29%2a.ts`],
  ['folder/', `attachment; filename="file"; filename*=UTF-8''file`],
])('R42.01 %j is saved by its name alone', (name, header) => {
  expect(attachment(name)).toBe(header);
});

test('R42.01 any file name gives a valid Content-Disposition header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(attachment(name)).toMatch(/^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w.%!~-]+$/);
    }),
  );
});
