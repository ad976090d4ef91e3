import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DependencyCache } from '../../../../deploy/runner/dependency-cache.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artel-cache-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('C5.04 a job that puts a link in the place of its folder keeps nothing of what is behind it', async () => {
  const [cache, job, other] = ['cache', 'job', 'other'].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [cache, join(job, 'deps'), join(other, 'node_modules')]) await mkdir(path, { recursive: true });
  await writeFile(join(other, 'node_modules', 'of-others.js'), '');
  await symlink(other, join(job, 'work'));
  const kept = new DependencyCache(cache, 1024 * 1024 * 1024);
  await kept.keep('key', job, new AbortController().signal);
  expect(await readdir(cache)).toEqual([]);
});
