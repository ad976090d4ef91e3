import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBuildRecord, readCurrentBuild, storeBuildRecord } from '../../scripts/build-record.ts';

let root: string;
const recordFile = () => join(root, 'dist', 'built-with.json');
const inputs = (settings = 'ru') => ({ root, paths: ['src', 'package-lock.json', 'no-such-folder'], settings });
const isCurrent = async (settings?: string) => (await readCurrentBuild(recordFile(), inputs(settings))) !== null;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'artel-record-'));
  await mkdir(join(root, 'src', 'model'), { recursive: true });
  await writeFile(join(root, 'src', 'model', 'a.ts'), 'one');
  await writeFile(join(root, 'src', 'b.ts'), 'two');
  await writeFile(join(root, 'package-lock.json'), '{}');
  await storeBuildRecord(recordFile(), readBuildRecord(inputs()));
});
afterEach(() => rm(root, { recursive: true }));

test('R10.01 a build stays current when a file was written again with the same content', async () => {
  await writeFile(join(root, 'package-lock.json'), '{}');
  await utimes(join(root, 'package-lock.json'), new Date(), new Date(Date.now() + 60_000));
  expect(await isCurrent()).toBe(true);
});

test('the record takes new times, so that the next check reads no file again', async () => {
  // A file system may keep no parts of a second.
  const later = new Date('2030-01-01T00:00:00Z');
  await utimes(join(root, 'src', 'b.ts'), later, later);
  await isCurrent();
  const { files } = JSON.parse(await readFile(recordFile(), 'utf8'));
  const { size, ctimeMs } = await stat(join(root, 'src', 'b.ts'));
  expect(files['src/b.ts'].slice(0, 2)).toEqual([size, ctimeMs]);
  // A content that is not read cannot be seen: the size and the time are those of the record, whose hash is of no content.
  await storeBuildRecord(recordFile(), { settings: 'ru', result: '', files: { ...files, 'src/b.ts': [size, ctimeMs, 'not read'] } });
  expect(await isCurrent()).toBe(true);
});

test('R10.01 another content asks for a build when an archive gave the file its earlier time', async () => {
  const file = join(root, 'src', 'b.ts');
  const packed = new Date('1985-10-26T08:15:00Z');
  await utimes(file, packed, packed);
  expect(await isCurrent()).toBe(true);
  await writeFile(file, 'owt');
  await utimes(file, packed, packed);
  expect(await isCurrent()).toBe(false);
});

test.each<[string, () => Promise<unknown>]>([
  ['a file with another content of the same length', () => writeFile(join(root, 'src', 'b.ts'), 'owt')],
  ['a file more', () => writeFile(join(root, 'src', 'c.ts'), '')],
  ['a file less', () => rm(join(root, 'src', 'model', 'a.ts'))],
  ['no record', () => rm(recordFile())],
  ['a record that an earlier version wrote', () => writeFile(recordFile(), '[]')],
])('R10.01 %s asks for a build', async (_what, change) => {
  expect(await isCurrent()).toBe(true);
  await change();
  expect(await isCurrent()).toBe(false);
});

test('R10.01 other settings ask for a build', async () => {
  expect([await isCurrent('ru'), await isCurrent('en')]).toEqual([true, false]);
});
