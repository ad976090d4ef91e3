import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { zipArchive } from '../../../../server/modules/files/zip-archive.ts';

const at = new Date('2026-11-20T10:00:00Z');

test('R42.01 an archive holds each file under its path, with its text', () => {
  const path = fc.uniqueArray(
    fc.oneof(fc.constantFrom('src/a.ts', 'документ.md', 'constructor', 'a b/c'), fc.stringMatching(/^[a-z]{1,8}\/[a-z]{1,8}$/)),
  );
  fc.assert(
    fc.property(path, fc.string({ unit: 'grapheme', maxLength: 2_000 }), (paths, content) => {
      const unpacked = unzipSync(zipArchive(paths.map((name) => ({ path: name, content, createdAt: at }))));
      expect(Object.entries(unpacked).map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual(paths.map((name) => [name, content]));
    }),
    { numRuns: 30 },
  );
});

test('R42.01 an archive can hold a file with the name of every object’s prototype, and one of any age', () => {
  const entry = { content: 'x', createdAt: new Date('1970-01-01T00:00:00Z') };
  const bytes = zipArchive([{ ...entry, path: '__proto__' }]);
  expect(Buffer.from(bytes).toString('latin1').split('__proto__')).toHaveLength(3);
});
