import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readBuildRecord, storeBuildRecord } from '../../scripts/build-record.ts';
import { compileStart } from '../../scripts/server-build/compile-start.ts';
import { drizzleInBundle } from '../../scripts/server-build/drizzle-in-bundle.ts';
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
  const name = await writeBundle(folder(), [['program.js', code]], now - hours * hourMs);
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

test('a path of Windows, which Vite writes with slashes, has the place of its source too', () => {
  type Transform = { transform: (code: string, id: string) => { code: string } | null };
  const windowsRoot = String.raw`C:\artel`;
  const { transform } = placesOfSources(windowsRoot, String.raw`C:\artel\program.ts`) as unknown as Transform;
  expect(transform('import.meta.dirname', 'C:/artel/server/a.ts')?.code).toBe('__artelSource.path("server")');
  expect(transform('import.meta.filename', 'C:/artel/server/a.ts')?.code).toBe('__artelSource.path("server/a.ts")');
  expect(transform('import.meta.dirname', 'C:/artel/program.ts')).toBeNull();
  expect(transform('import.meta.dirname', 'C:/artel2/server/a.ts')).toBeNull();
  const drizzle = drizzleInBundle(windowsRoot) as unknown as Transform;
  const load = "const pg = load('drizzle-orm/pg-core') as typeof import('drizzle-orm/pg-core');";
  const loader = 'C:/artel/server/platform/database/drizzle.ts';
  expect(drizzle.transform(load, loader)?.code).toBe("import * as pg from 'drizzle-orm/pg-core';");
});

test('R10.01 a running server keeps its bundle: a build writes another one beside it, and removes what was replaced a day ago', async () => {
  const oldest = await writeOld('1', 90);
  const old = await writeOld('2', 50);
  const replacedToday = await writeOld('3', 30);
  const today = await writeOld('4', 5);
  const newest = await writeBundle(folder(), [['program.js', '5']], now);
  expect(readdirSync(folder()).toSorted()).toEqual([replacedToday, today, newest].toSorted());
  expect([oldest, old].map((name) => existsSync(join(folder(), name)))).toEqual([false, false]);
});

test('R10.01 a server that has run for days keeps its bundle through two builds in a row', async () => {
  const running = await writeOld('1', 72);
  const before = await writeOld('2', 1);
  const newest = await writeBundle(folder(), [['program.js', '3']], now);
  expect(readdirSync(folder()).toSorted()).toEqual([running, before, newest].toSorted());
});

// The order of the names decides nothing: each of the two is the running one once.
test.each([
  ['1', '2'],
  ['2', '1'],
])('R10.01 a server that runs from a bundle that was made again keeps it through two builds in a row: %s', async (code, other) => {
  const running = await writeOld(code, 102);
  await writeOld(other, 101);
  await writeBundle(folder(), [['program.js', code]], now - 100 * hourMs);
  await writeBundle(folder(), [['program.js', '3']], now - hourMs);
  await writeBundle(folder(), [['program.js', '4']], now);
  expect(existsSync(join(folder(), running))).toBe(true);
});

test('R10.01 a build that fails leaves nothing of what it wrote', async () => {
  const before = await writeOld('1', 5);
  const files: [string, string][] = [
    ['program.js', '2'],
    ['no-such-folder/late.js', '3'],
  ];
  await expect(writeBundle(folder(), files, now)).rejects.toThrow('ENOENT');
  expect(readdirSync(folder())).toEqual([before]);
});

test.each<[string, (program: string) => void]>([
  ['lacks a file', (program) => rmSync(program)],
  ['has only a part of a file', (program) => writeFileSync(program, 'wh')],
])('R10.01 a build makes a bundle again that %s', async (_what, damage) => {
  const files: [string, string][] = [
    ['late.js', 'late'],
    ['program.js', 'whole'],
  ];
  const name = await writeBundle(folder(), files, now);
  damage(join(folder(), name, 'program.js'));
  expect(await writeBundle(folder(), files, now)).toBe(name);
  expect(files.map(([file]) => readFileSync(join(folder(), name, file), 'utf8'))).toEqual(['late', 'whole']);
});

test('R10.01 a build goes on with a sentence when Node cannot compile what a start loads', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const program = join(root, 'program.mjs');
  mkdirSync(join(folder(), 'compiled'), { recursive: true });
  writeFileSync(join(folder(), 'compiled', 'old'), '');
  writeFileSync(program, "process.exit(process.argv[2] === '--compile' ? 3 : 0);");
  await compileStart(folder(), program);
  expect(warn.mock.calls).toEqual([[expect.stringContaining('The first start compiles the server')]]);
  expect(existsSync(join(folder(), 'compiled'))).toBe(false);
  warn.mockRestore();
});

test('R10.01 the bundle before the new one stays, however old it is, and what a killed build has left goes', async () => {
  const before = await writeOld('1', 500);
  mkdirSync(join(folder(), 'compiled'));
  mkdirSync(join(folder(), '.building-killed'));
  await utimes(join(folder(), '.building-killed'), new Date(0), new Date(0));
  const newest = await writeBundle(folder(), [['program.js', '2']], now);
  expect(readdirSync(folder()).toSorted()).toEqual(['compiled', before, newest].toSorted());
});

test('a bundle of the same files is the same bundle', async () => {
  const first = await writeOld('1', 50);
  expect(await writeBundle(folder(), [['program.js', '1']], now)).toBe(first);
  expect(readdirSync(folder())).toEqual([first]);
});

test('R10.01 the current bundle is the one that was made of the sources as they are, while it is there', async () => {
  mkdirSync(join(root, 'server'));
  writeFileSync(join(root, 'server', 'main.ts'), 'one');
  const bundles = { folder: folder(), inputs: { root, paths: ['server'], settings: '' } };
  const find = async () => (await findCurrentBundle(bundles))?.name ?? null;
  expect(await find()).toBeNull();
  const name = await writeBundle(folder(), [['program.js', '1']], now);
  await storeBuildRecord(recordFileOf(bundles), { ...readBuildRecord(bundles.inputs), result: name });
  expect(await find()).toBe(name);
  writeFileSync(join(root, 'server', 'main.ts'), 'two');
  expect(await find()).toBeNull();
  writeFileSync(join(root, 'server', 'main.ts'), 'one');
  expect(await find()).toBe(name);
  rmSync(join(folder(), name), { recursive: true });
  expect(await find()).toBeNull();
});
