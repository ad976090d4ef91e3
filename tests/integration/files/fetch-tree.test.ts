import { mkdir, symlink, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEgress } from '../../../server/platform/egress/egress.ts';
import { createFetchTree } from '../../../server/platform/git/fetch-tree.ts';
import type { GitLimits } from '../../../server/platform/git/git-messages.ts';
import { type GitServer, startGitServer } from '../../support/services/git-server.ts';

const limits: GitLimits = { bytes: 1024 * 1024, files: 20, fileBytes: 100_000 };
const fetchTree = createFetchTree(createEgress({ allowPrivate: true }));
const asked = { ref: null, token: null, limits };

let git: GitServer;
let first: string;

beforeAll(async () => {
  git = await startGitServer();
  await git.git('bakery', 'status');
  const folder = git.folderOf('bakery');
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src', 'bake.ts'), 'export const bread = 1;\n');
  await writeFile(join(folder, 'README.md'), '# Bakery\n');
  await symlink('/etc/passwd', join(folder, 'secret'));
  await writeFile(join(folder, 'large.txt'), 'x'.repeat(100_001));
  await git.git('bakery', 'add', '.');
  await git.git('bakery', 'commit', '-qm', 'Begin');
  await git.git('bakery', 'tag', '-a', 'v1', '-m', 'One');
  first = await git.git('bakery', 'rev-parse', 'HEAD');
  await git.git('bakery', 'checkout', '-qb', 'next');
  await writeFile(join(folder, 'README.md'), '# Bakery, next\n');
  await git.git('bakery', 'commit', '-qam', 'Next');
  await git.publish('bakery');
});
afterAll(() => git?.close());

const textOf = (files: Awaited<ReturnType<typeof fetchTree>>['files'], path: string) => {
  const file = files.find((one) => one.path === path);
  return file && 'content' in file ? Buffer.from(file.content).toString() : null;
};

test('G3.19 a repository is read at its default branch; links and large files are named, and never followed', async () => {
  const { sha, ref, files } = await fetchTree({ url: git.urlOf('bakery'), ...asked });
  expect([sha, ref]).toEqual([first, 'main']);
  expect(files.map(({ path }) => path).sort()).toEqual(['README.md', 'large.txt', 'secret', 'src/bake.ts']);
  expect(textOf(files, 'src/bake.ts')).toBe('export const bread = 1;\n');
  expect(files).toContainEqual({ path: 'secret', reason: 'link' });
  expect(files).toContainEqual({ path: 'large.txt', reason: 'too_large' });
});

test('G3.19 a branch, a tag and the commit of one of them are found; another name is said to be missing', async () => {
  const next = await fetchTree({ url: git.urlOf('bakery'), ...asked, ref: 'next' });
  expect([next.ref, textOf(next.files, 'README.md')]).toEqual(['next', '# Bakery, next\n']);
  expect(await fetchTree({ url: git.urlOf('bakery'), ...asked, ref: 'v1' })).toMatchObject({ sha: first, ref: 'v1' });
  expect(await fetchTree({ url: git.urlOf('bakery'), ...asked, ref: next.sha })).toMatchObject({ sha: next.sha });
  await expect(fetchTree({ url: git.urlOf('bakery'), ...asked, ref: 'nowhere' })).rejects.toMatchObject({ reason: 'ref' });
});

test('G3.19 a missing repository, a wrong token, too many files and a closed host each have their reason', async () => {
  await expect(fetchTree({ url: git.urlOf('nothing'), ...asked })).rejects.toMatchObject({ reason: 'not_found' });
  git.protect('secret-token');
  try {
    await expect(fetchTree({ url: git.urlOf('bakery'), ...asked })).rejects.toMatchObject({ reason: 'needs_token' });
    expect(await fetchTree({ url: git.urlOf('bakery'), ...asked, token: 'secret-token' })).toMatchObject({ sha: first });
  } finally {
    git.protect(null);
  }
  const few = { ...limits, files: 2 };
  await expect(fetchTree({ url: git.urlOf('bakery'), ...asked, limits: few })).rejects.toMatchObject({ reason: 'too_large' });
  const guarded = createFetchTree(createEgress({ allowPrivate: false }));
  await expect(guarded({ url: git.urlOf('bakery'), ...asked })).rejects.toMatchObject({ reason: 'host' });
});

test('G8.16 a file that holds the token with which it is read is left out and named', async () => {
  await git.git('leaky', 'status');
  await writeFile(join(git.folderOf('leaky'), 'keys.txt'), `url = https://token:${encodeURIComponent('a secret/token')}@git.test\n`);
  await writeFile(join(git.folderOf('leaky'), 'a.txt'), 'Nothing.\n');
  await git.git('leaky', 'add', '.');
  await git.git('leaky', 'commit', '-qm', 'Begin');
  await git.publish('leaky');
  const { files } = await fetchTree({ url: git.urlOf('leaky'), ...asked, token: 'a secret/token' });
  expect(files).toContainEqual({ path: 'keys.txt', reason: 'token' });
  expect(textOf(files, 'a.txt')).toBe('Nothing.\n');
});

test('G3.19 a redirect is followed on the same host only, and an endless pack ends at the limit', async () => {
  const moved = `${new URL(git.urlOf('bakery')).origin}/moved/bakery`;
  expect(await fetchTree({ url: moved, ...asked })).toMatchObject({ sha: first });
  let told = 0;
  const hostile = http.createServer((request, response) => {
    if (request.url?.startsWith('/away'))
      response.writeHead(302, { location: `${git.urlOf('bakery')}/info/refs?service=git-upload-pack` }).end();
    else if (request.method === 'GET') {
      const line = `${'a'.repeat(40)} refs/heads/main\0side-band-64k shallow symref=HEAD:refs/heads/main\n`;
      const packet = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text;
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
      response.end(`${packet('# service=git-upload-pack\n')}0000${packet(line)}0000`);
    } else {
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) told += 1;
      };
      response.on('drain', more);
      more();
    }
  });
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
  await expect(fetchTree({ url: `${address}/away`, ...asked })).rejects.toMatchObject({ reason: 'failed' });
  await expect(fetchTree({ url: `${address}/endless`, ...asked, ref: 'main' })).rejects.toMatchObject({ reason: 'too_large' });
  expect(told).toBeLessThan(1_000);
  hostile.closeAllConnections();
  await new Promise<void>((resolve) => hostile.close(() => resolve()));
});
