import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archiveLimits, unpackJob } from '../../../../deploy/runner/unpack-job.ts';

let top: string;
let folder: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'unpack-'));
  folder = mkdtempSync(join(top, 'job-'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const file = (text: string, mode = 0o100644): Zippable[string] => [strToU8(text), { attrs: (mode << 16) >>> 0, os: 3, level: 0 }];
const replaced = (archive: Uint8Array, from: string, to: string) =>
  Buffer.from(Buffer.from(archive).toString('latin1').replaceAll(from, to), 'latin1');

test('C5.01 files come out with their names, bytes and modes', async () => {
  const named = zipSync({ 'a\\b': file('1'), 'src/бег.sh': file('2', 0o100755), XYZ: file('3'), 'empty/': new Uint8Array() });
  await unpackJob(replaced(named, 'XYZ', 'X\xe9Z'), folder);
  expect(readdirSync(folder, { encoding: 'latin1' }).toSorted()).toEqual(['X\xe9Z', 'a\\b', 'empty', 'src']);
  expect(readFileSync(join(folder, 'src/бег.sh'), 'utf8')).toBe('2');
  expect([statSync(join(folder, 'src/бег.sh')).mode & 0o777, statSync(join(folder, 'a\\b')).mode & 0o777]).toEqual([0o755, 0o644]);
});

const two = (first: string, second: string) => replaced(zipSync({ [first]: file('1'), XYZ: file('2') }), 'XYZ', second);
/** Says in its last record that it has one entry too many. */
const crowded = () => {
  const archive = Buffer.from(zipSync({ a: file('1') }));
  archive.writeUInt16LE(archiveLimits.entries + 1, archive.indexOf('PK\x05\x06', 0, 'latin1') + 10);
  return archive;
};
const lying = () => {
  const archive = Buffer.from(zipSync({ a: [new Uint8Array(5_000), { level: 9 }] }));
  const central = archive.indexOf('PK\x01\x02', 0, 'latin1');
  archive.writeUInt32LE(10, central + 24);
  return archive;
};

test.for<[string, () => Uint8Array, boolean]>([
  ['a path above its folder', () => zipSync({ '../out': file('x') }), false],
  ['a path above its folder in the middle', () => zipSync({ 'a/../../out': file('x') }), false],
  ['an absolute path', () => zipSync({ '/tmp/out': file('x') }), false],
  ['an empty name in a path', () => zipSync({ 'a//b': file('x') }), false],
  ['a link', () => zipSync({ link: file('/etc/passwd', 0o120777) }), false],
  ['a device', () => zipSync({ zero: file('', 0o020666) }), false],
  ['two files of one name', () => two('abc', 'abc'), false],
  ['a file that is also a folder', () => zipSync({ abc: file('1'), 'abc/d': file('2') } as Zippable), false],
  ['a size that is a lie', lying, false],
  ['no archive', () => strToU8('no archive at all'), false],
  ['a bomb', () => zipSync({ bomb: new Uint8Array(archiveLimits.freeBytes * 2) }, { level: 9 }), true],
  ['too many entries', crowded, true],
])('C5.03 an archive with %s is refused, and nothing is written outside', async ([, make, isTooLarge]) => {
  await expect(unpackJob(make(), folder)).rejects.toMatchObject({ name: 'ArchiveRefused', isTooLarge });
  expect(readdirSync(top)).toHaveLength(1);
});
