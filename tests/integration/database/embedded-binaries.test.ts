import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isCompleteCopy, withInitdb } from '../../../server/platform/database/embedded/binaries.ts';

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

test('initdb runs from a copy only where a shell would read its path as more than text, and the copy goes', async () => {
  const used = async (name: string) => {
    const bin = join(place, name, 'bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, 'initdb'), 'program');
    const binaries = { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb') };
    const path = await withInitdb(binaries, null, async (initdb) => {
      expect(await readFile(initdb, 'utf8')).toBe('program');
      return initdb;
    });
    const isOwn = path === binaries.initdb;
    if (!isOwn) await expect(stat(path)).rejects.toThrow('ENOENT');
    return { isOwn, isPlain: !/["$`\\]/.test(path) };
  };
  expect(await used("Мой проект 100% #1 'x'")).toEqual({ isOwn: true, isPlain: true });
  for (const name of ['a $b', 'a `b`', 'a "b"', 'a \\b']) expect(await used(name)).toEqual({ isOwn: false, isPlain: true });
});
