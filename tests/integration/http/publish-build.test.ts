import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publishBuild, stagingOf } from '../../../scripts/publish-build.ts';
import { serveClient } from '../../../server/http/pages/static-files.ts';
import { makeWebServer } from '../../../server/http/web-server.ts';
import { makeLogger } from '../../../server/logging.ts';

let folder: string;
const dayMs = 24 * 60 * 60 * 1_000;
const start = Date.now();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artel dist '));
});
afterEach(() => rm(folder, { recursive: true }));

/** Publishes a build of these files, by path, on the given day, counted from the first. */
async function publish(day: number, files: Record<string, string>): Promise<void> {
  const stage = stagingOf(folder, 'now');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(stage, path)), { recursive: true });
    await writeFile(join(stage, path), text);
  }
  const now = new Date(start + day * dayMs);
  await publishBuild(stage, folder, now);
  for (const path of Object.keys(files)) await utimes(join(folder, path), now, now);
}

const pageOf = (name: string) => ({ 'index.html': name, [`assets/${name}.js`]: name });
const pieces = async () => (await readdir(join(folder, 'assets'))).sort();

test('R10.01 a new build takes the place of the old one under a running server, and open pages find their pieces', async () => {
  await publish(0, { ...pageOf('one'), 'old-icon.svg': '<svg/>' });
  const app = await makeWebServer(makeLogger('silent'), { publicUrl: null, allowedOrigins: [], apiOrigins: [], trustProxy: false });
  await serveClient(app, { folder, kept: null, testPages: true, origin: '' });
  await publish(1, pageOf('two'));
  const bodyOf = async (url: string) => (await app.inject({ url, headers: { accept: 'text/html' } })).body;
  expect(await bodyOf('/')).toBe('two');
  expect(await bodyOf('/assets/two.js')).toBe('two');
  expect(await bodyOf('/assets/one.js')).toBe('one');
  expect((await app.inject({ url: '/old-icon.svg' })).statusCode).toBe(404);
  await app.close();
});

test('R10.01 pieces go a week after they were replaced, however old they were then', async () => {
  await publish(0, pageOf('one'));
  await publish(30, pageOf('two'));
  expect(await pieces()).toEqual(['one.js', 'two.js']);
  await publish(36, pageOf('three'));
  expect(await pieces()).toEqual(['one.js', 'three.js', 'two.js']);
  await publish(38, pageOf('four'));
  expect(await pieces()).toEqual(['four.js', 'three.js', 'two.js']);
});

test('R10.01 what two builds share stays, and so does a build that another process is making', async () => {
  await publish(0, { ...pageOf('one'), 'assets/shared.js': 'shared' });
  const other = stagingOf(folder, 'other');
  await mkdir(other);
  const now = new Date(start + 20 * dayMs);
  await utimes(other, now, now);
  await publish(20, { ...pageOf('two'), 'assets/shared.js': 'shared' });
  await publish(20, { ...pageOf('three'), 'assets/shared.js': 'shared' });
  expect(await readFile(join(folder, 'assets', 'shared.js'), 'utf8')).toBe('shared');
  expect(await readdir(folder)).toContain('.building-other');
  await publish(21, pageOf('four'));
  expect(await readdir(folder)).not.toContain('.building-other');
});
