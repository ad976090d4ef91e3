import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DependencyCache, removeTree } from '../../../../deploy/runner/dependency-cache.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artel-cache-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('C5.04 a job that replaces its folder by a link caches nothing from behind the link', async () => {
  const [cache, job, other] = ['cache', 'job', 'other'].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [cache, join(job, 'deps'), join(other, 'node_modules')]) await mkdir(path, { recursive: true });
  await writeFile(join(other, 'node_modules', 'of-others.js'), '');
  await symlink(other, join(job, 'work'));
  const kept = new DependencyCache(cache, 1024 * 1024 * 1024);
  await kept.keep('key', job, new AbortController().signal);
  expect(await readdir(cache)).toEqual([]);
});

const { signal } = new AbortController();

/** Keeps a file under a key, as the job `name` left it. */
async function keep(kept: DependencyCache, key: string, name: string, path = 'work/node_modules/a.js') {
  for (const own of ['deps', 'work']) await mkdir(join(folder, name, own), { recursive: true });
  await mkdir(join(folder, name, path, '..'), { recursive: true });
  await writeFile(join(folder, name, path), key);
  await kept.keep(key, join(folder, name), signal);
}

test('C5.04 an entry is not removed while a job copies it, and is afterwards', async () => {
  const cache = join(folder, 'cache');
  await mkdir(cache);
  const kept = new DependencyCache(cache, 1);
  await mkdir(join(cache, 'old'));
  await writeFile(join(cache, 'old', 'file'), '');
  await mkdir(join(folder, 'reader'));
  // The copy is written to a pipe without a reader, so it is under way for as long as the test wants.
  execFileSync('mkfifo', [join(folder, 'reader', 'file')]);
  const stop = new AbortController();
  const copied = kept.restore('old', join(folder, 'reader'), stop.signal);
  await utimes(join(cache, 'old'), 1, 1);
  await keep(kept, 'new', 'job');
  expect(await readdir(cache)).toEqual(['old']);
  stop.abort();
  await copied.catch(() => {});
  await keep(kept, 'newer', 'job');
  expect(await readdir(cache)).toEqual([]);
});

test('C5.04 what a killed runner has left unfinished is removed, and never restored', async () => {
  const cache = join(folder, 'cache');
  await mkdir(join(cache, 'key.1.part', 'work'), { recursive: true });
  const kept = new DependencyCache(cache, 1024 * 1024);
  expect(await kept.restore('key', folder, signal)).toBe(false);
  await kept.clean();
  expect(await readdir(cache)).toEqual([]);
});

test('C5.04 names with line ends keep nothing from outside of the job', async () => {
  const [cache, outside] = ['cache', 'outside'].map((name) => join(folder, name)) as [string, string];
  for (const path of [cache, join(outside, 'node_modules')]) await mkdir(path, { recursive: true });
  const kept = new DependencyCache(cache, 1024 * 1024);
  await keep(kept, 'key', 'job', join('work/odd\n', outside, 'node_modules/a.js'));
  const files = await readdir(join(cache, 'key'), { recursive: true });
  expect(files.filter((name) => name.endsWith('a.js'))).toEqual([join('work/odd\n', outside, 'node_modules/a.js')]);
});

test('C5.04 links in what was installed stay links, and lead to no file of the machine when they are kept', async () => {
  const [cache, job] = ['cache', 'job'].map((name) => join(folder, name)) as [string, string];
  await mkdir(cache);
  await mkdir(join(job, 'work/node_modules'), { recursive: true });
  await symlink('/etc', join(job, 'work/node_modules/etc'));
  await symlink('/etc/passwd', join(job, 'work/node_modules/file'));
  await symlink('/etc', join(job, 'work/more'));
  const kept = new DependencyCache(cache, 1024 * 1024);
  await keep(kept, 'key', 'job');
  const inside = join(cache, 'key/work/node_modules');
  const entries = await readdir(inside, { withFileTypes: true });
  expect(
    entries
      .filter((one) => one.isSymbolicLink())
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['etc', 'file']);
  expect(await readFile(join(inside, 'a.js'), 'utf8')).toBe('key');
  expect(await readdir(join(cache, 'key/work'))).toEqual(['node_modules']);
});

test('C5.03 folders that are deeper than a path may be long are removed', async () => {
  const deep = join(folder, 'deep');
  const dig = 'mkdir "$0"; cd "$0"; for i in $(seq 40); do mkdir $1 && cd $1; done; chmod 0 .';
  execFileSync('bash', ['-c', dig, deep, 'long'.repeat(50)]);
  await removeTree(deep);
  expect(await readdir(folder)).toEqual([]);
});
