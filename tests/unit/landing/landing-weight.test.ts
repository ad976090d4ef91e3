import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { landingWeight } from '../../../scripts/page-weight/landing-weight.ts';

const files: Record<string, Buffer> = Object.fromEntries(['a', 'b', 'shared', 'ru', 'later'].map((name) => [name, randomBytes(500)]));
const manifest = {
  'index.html': { file: 'a', imports: ['_shared.js'] },
  'src/app/landing-app.tsx': { file: 'b', imports: ['_shared.js'], dynamicImports: ['later'] },
  '_shared.js': { file: 'shared' },
  later: { file: 'later' },
  'locales/ru/common.json': { file: 'ru' },
  'locales/ru/landing.json': { file: 'ru' },
};
const read = (file: string) => files[file] as Buffer;

test('P2.01 the weight of the landing page counts each piece of its first screen once, and none that comes later', () => {
  const counted = ['a', 'b', 'shared', 'ru'].reduce((sum, file) => sum + gzipSync(read(file)).length, 0);
  expect(landingWeight(manifest, 'ru', read)).toBe(counted);
  expect(() => landingWeight(manifest, 'en', read)).toThrow('locales/en/common.json');
});
