import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBuildRecord, storeBuildRecord } from '../../scripts/build-record.ts';
import { placesOfSources, sourcePlaces } from '../../scripts/server-build/places-of-sources.ts';
import { findCurrentBundle, recordFileOf } from '../../scripts/server-build/server-bundle.ts';
import { writeBundle } from '../../scripts/server-build/write-bundle.ts';

let root: string;
const folder = () => join(root, 'dist-server');
const now = Date.now();
const hourMs = 3_600_000;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'artel bundle '));
});
afterEach(() => rm(root, { recursive: true }));

/** Writes a bundle with this code as if it were so many hours old. */
async function writeOld(code: string, hours: number): Promise<string> {
  const name = writeBundle(folder(), [['program.js', code]], now - hours * hourMs);
  const at = new Date(now - hours * hourMs);
  await utimes(join(folder(), name), at, at);
  return name;
}

test('a module of a bundle has the place of its source, from the place of the bundle', async () => {
  const source = join(root, 'server', 'platform', 'a.ts');
  const code = 'export const places = [import.meta.dirname, import.meta.filename, import.meta.url];';
  const { transform } = placesOfSources(root, join(root, 'program.ts')) as unknown as {
    transform: (code: string, id: string) => { code: string };
  };
  mkdirSync(join(folder(), 'a'), { recursive: true });
  const bundled = join(folder(), 'a', 'a.mjs');
  writeFileSync(bundled, `${sourcePlaces('../..')}\n${transform(code, source).code}`);
  const { places } = await import(pathToFileURL(bundled).href);
  expect(places).toEqual([join(root, 'server', 'platform'), source, pathToFileURL(source).href]);
});

test('R10.01 a running server keeps its bundle: a build writes another one beside it, and removes what is older than a day', async () => {
  const oldest = await writeOld('1', 90);
  const old = await writeOld('2', 50);
  const today = await writeOld('3', 5);
  const newest = writeBundle(folder(), [['program.js', '4']], now);
  expect(readdirSync(folder()).toSorted()).toEqual([today, newest].toSorted());
  expect([oldest, old].map((name) => existsSync(join(folder(), name)))).toEqual([false, false]);
});

test('R10.01 the bundle before the new one stays, however old it is, and what a killed build has left goes', async () => {
  const before = await writeOld('1', 500);
  mkdirSync(join(folder(), 'compiled'));
  mkdirSync(join(folder(), '.building-killed'));
  await utimes(join(folder(), '.building-killed'), new Date(0), new Date(0));
  const newest = writeBundle(folder(), [['program.js', '2']], now);
  expect(readdirSync(folder()).toSorted()).toEqual(['compiled', before, newest].toSorted());
});

test('a bundle of the same files is the same bundle', async () => {
  const first = await writeOld('1', 50);
  expect(writeBundle(folder(), [['program.js', '1']], now)).toBe(first);
  expect(readdirSync(folder())).toEqual([first]);
});

test('R10.01 the current bundle is the one that was made of the sources as they are, while it is there', async () => {
  mkdirSync(join(root, 'server'));
  writeFileSync(join(root, 'server', 'main.ts'), 'one');
  const bundles = { folder: folder(), inputs: { root, paths: ['server'], settings: '' } };
  const find = async () => (await findCurrentBundle(bundles))?.name ?? null;
  expect(await find()).toBeNull();
  const name = writeBundle(folder(), [['program.js', '1']], now);
  await storeBuildRecord(recordFileOf(bundles), { ...readBuildRecord(bundles.inputs), result: name });
  expect(await find()).toBe(name);
  writeFileSync(join(root, 'server', 'main.ts'), 'two');
  expect(await find()).toBeNull();
  writeFileSync(join(root, 'server', 'main.ts'), 'one');
  expect(await find()).toBe(name);
  rmSync(join(folder(), name), { recursive: true });
  expect(await find()).toBeNull();
});
