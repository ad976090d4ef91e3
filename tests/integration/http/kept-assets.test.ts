import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepAssets } from '../../../server/http/pages/kept-assets.ts';
import { serveClient } from '../../../server/http/pages/static-files.ts';
import { makeWebServer } from '../../../server/http/web-server.ts';
import { makeLogger } from '../../../server/logging.ts';

/** Linux has a file system in memory here. */
const otherFileSystem = '/dev/shm';

let place: string;
let kept: string;
const dayMs = 24 * 60 * 60 * 1_000;
const start = Date.now();
const day = (count: number) => new Date(start + count * dayMs);

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'artel kept '));
  kept = join(place, 'data', 'client');
});
afterEach(() => rm(place, { recursive: true }));

/** Creates the client folder of a container image: it has the pieces of its own build and none of earlier builds. */
async function image(name: string, pieces: Record<string, string>): Promise<string> {
  const folder = join(place, name);
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), `<meta name="build" content="${name}" />`);
  for (const [piece, text] of Object.entries(pieces)) {
    await writeFile(join(folder, 'assets', piece), text);
    await writeFile(join(folder, 'assets', `${piece}.br`), brotliCompressSync(text));
  }
  return folder;
}

async function served(folder: string, url: string, headers: Record<string, string> = {}) {
  const app = await makeWebServer(makeLogger('silent'), { publicUrl: null, allowedOrigins: [], apiOrigins: [], trustProxy: false });
  await serveClient(app, { folder, kept, testPages: false, origin: '' });
  const answer = await app.inject({ url, headers });
  await app.close();
  return answer;
}

const keptFiles = async () => (await readdir(join(kept, 'assets'))).filter((file) => !file.endsWith('.br')).sort();

test('R10.01 an open page of an earlier image finds its files on a server of a later one for a week', async () => {
  const one = await image('one', { 'one-1.js': 'one', 'shared-1.js': 'shared' });
  await keepAssets(one, kept, day(0));
  const two = await image('two', { 'two-2.js': 'two', 'shared-1.js': 'shared' });
  await keepAssets(two, kept, day(30));

  const piece = await served(two, '/assets/one-1.js');
  expect([piece.statusCode, piece.body]).toEqual([200, 'one']);
  expect(piece.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable', 'x-artel-version': 'two' });
  const packed = await served(two, '/assets/one-1.js', { 'accept-encoding': 'br' });
  expect([packed.headers['content-encoding'], packed.statusCode]).toEqual(['br', 200]);
  for (const [url, text] of Object.entries({ '/assets/two-2.js': 'two', '/assets/shared-1.js': 'shared' })) {
    expect((await served(two, url)).body).toBe(text);
  }
  for (const url of ['/.files.json', '/assets/never-3.js']) expect((await served(two, url)).statusCode).toBe(404);

  await keepAssets(two, kept, day(36));
  expect(await keptFiles()).toContain('one-1.js');
  await keepAssets(two, kept, day(38));
  expect(await keptFiles()).toEqual(['shared-1.js', 'two-2.js']);
  expect((await served(two, '/assets/one-1.js')).statusCode).toBe(404);
});

test('R10.01 beyond the limit in bytes the files that were replaced first are removed first, and never those of the current build', async () => {
  const text = 'x'.repeat(1_000);
  const folders = await Promise.all(['one', 'two', 'three'].map((name) => image(name, { [`${name}.js`]: text })));
  for (const [at, folder] of folders.entries()) await keepAssets(folder, kept, day(at), 1_500);
  expect(await keptFiles()).toEqual(['three.js', 'two.js']);
  await keepAssets(folders[2] ?? '', kept, day(3), 10);
  expect(await keptFiles()).toEqual(['three.js']);
  expect((await served(folders[2] ?? '', '/assets/two.js')).statusCode).toBe(404);
});

test('R10.01 a piece that a loss of power left empty is copied again', async () => {
  const one = await image('one', { 'one-1.js': 'one' });
  await keepAssets(one, kept, day(0));
  await rm(join(kept, 'assets', 'one-1.js'));
  await writeFile(join(kept, 'assets', 'one-1.js'), '');
  await keepAssets(one, kept, day(0));
  await keepAssets(await image('two', { 'two-2.js': 'two' }), kept, day(1));
  expect((await served(join(place, 'two'), '/assets/one-1.js')).body).toBe('one');
});

test('R10.01 a piece takes no place on the disk while its build is there, and outlives it', async () => {
  const one = await image('one', { 'one-1.js': 'one' });
  await keepAssets(one, kept, day(0));
  const [own, second] = [await stat(join(one, 'assets', 'one-1.js')), await stat(join(kept, 'assets', 'one-1.js'))];
  expect(second.ino).toBe(own.ino);
  await rm(one, { recursive: true });
  expect(await readFile(join(kept, 'assets', 'one-1.js'), 'utf8')).toBe('one');
});

test.runIf(existsSync(otherFileSystem))('R10.01 a piece is copied to another file system', async () => {
  const one = await image('one', { 'one-1.js': 'one' });
  const far = await mkdtemp(join(otherFileSystem, 'artel-kept-'));
  try {
    await keepAssets(one, far, day(0));
    expect(await readFile(join(far, 'assets', 'one-1.js'), 'utf8')).toBe('one');
    expect((await readdir(join(far, 'assets'))).sort()).toEqual(['one-1.js', 'one-1.js.br']);
  } finally {
    await rm(far, { recursive: true });
  }
});
