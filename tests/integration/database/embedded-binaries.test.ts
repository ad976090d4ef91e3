import { cp, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isCompleteCopy } from '../../../server/platform/database/embedded/binaries.ts';

let place: string;
const owner = process.getuid?.() ?? 0;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'artel binaries '));
  await mkdir(join(place, 'native', 'lib'), { recursive: true });
  await writeFile(join(place, 'native', 'postgres'), 'program');
  await writeFile(join(place, 'native', 'lib', 'libpq.so'), 'library');
  await symlink('libpq.so', join(place, 'native', 'lib', 'libpq.so.5'));
  await cp(join(place, 'native'), join(place, 'copy'), { recursive: true, verbatimSymlinks: true });
});
afterEach(() => rm(place, { recursive: true }));

test('a copy of the programs counts as whole only with every file at its size', async () => {
  const [native, copy] = [join(place, 'native'), join(place, 'copy')];
  expect(await isCompleteCopy(native, copy, owner)).toBe(true);
  expect(await isCompleteCopy(native, copy, owner + 1)).toBe(false);
  await truncate(join(copy, 'lib', 'libpq.so'), 3);
  expect(await isCompleteCopy(native, copy, owner)).toBe(false);
  await rm(join(copy, 'lib', 'libpq.so'));
  expect(await isCompleteCopy(native, copy, owner)).toBe(false);
  expect(await isCompleteCopy(native, join(place, 'none'), owner)).toBe(false);
});
