import { mkdir, symlink, writeFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEgress } from '../../../server/platform/egress/egress.ts';
import { createFetchTree } from '../../../server/platform/git/fetch-tree.ts';
import type { GitLimits } from '../../../server/platform/git/git-messages.ts';
import { ProcessLanes } from '../../../server/platform/processes/process-lanes.ts';
import { type GitServer, startGitServer } from '../../support/services/git-server.ts';
import { readingTree } from '../../support/services/reading-tree.ts';
import { untrustedCertificate } from '../../support/services/untrusted-certificate.ts';

const limits: GitLimits = { bytes: 1024 * 1024, files: 20, fileBytes: 100_000 };
const fetchTree = readingTree(createFetchTree(createEgress({ allowPrivate: true, proxies: null })));
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

test('G8.22 an odd entry of a tree is left out and listed, and all others are read', async () => {
  const folder = git.folderOf('odd');
  await git.git('odd', 'status');
  const put = async (type: string, content: string | Buffer) => {
    await writeFile(join(folder, 'object'), content);
    return git.git('odd', 'hash-object', '-w', '-t', type, '--literally', 'object');
  };
  const tree = (entries: readonly [mode: string, name: string | Buffer, oid: string][]) =>
    put(
      'tree',
      Buffer.concat(
        entries.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} `), Buffer.from(name), Buffer.from([0]), Buffer.from(oid, 'hex')]),
      ),
    );
  const blob = await put('blob', 'text\n');
  const inside = await tree([['100644', 'config', blob]]);
  const root = await tree([
    ['40000', '..', inside],
    ['40000', '.git', inside],
    ['100644', 'GIT~1', blob],
    ['100644', 'a/b.txt', blob],
    ['100644', 'back\\slash.txt', blob],
    ['100644', 'good.txt', blob],
    ['40000', 'folder', inside],
    ['100644', Buffer.from('6e616d65ff2e747874', 'hex'), blob],
    ['100664', 'old.txt', blob],
    ['100775', 'old.sh', blob],
    ['123456', 'strange.txt', blob],
  ]);
  const commit = await git.git('odd', 'commit-tree', '-m', 'Odd', root);
  await git.git('odd', 'update-ref', 'refs/heads/main', commit);
  await git.publish('odd');
  const { sha, files } = await fetchTree({ url: git.urlOf('odd'), ...asked });
  expect(sha).toBe(commit);
  expect(files.map((file) => [file.path, 'reason' in file ? file.reason : file.isExecutable])).toEqual([
    ['..', 'path_characters'],
    ['.git', 'path_reserved'],
    ['GIT~1', 'path_reserved'],
    ['a/b.txt', 'path_characters'],
    ['back\\slash.txt', false],
    ['good.txt', false],
    ['folder/config', false],
    ['name\ufffd.txt', 'path_characters'],
    ['old.txt', false],
    ['old.sh', true],
    ['strange.txt', 'link'],
  ]);
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
  await expect(fetchTree({ url: git.urlOf('bakery'), ...asked, limits: few })).rejects.toMatchObject({
    reason: 'file_limit',
    details: { limit: 2 },
  });
  const guarded = readingTree(createFetchTree(createEgress({ allowPrivate: false, proxies: null })));
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

test('G3.19 the address of a page is read at its branch, also where its name has slashes', async () => {
  await git.git('paged', 'status');
  await writeFile(join(git.folderOf('paged'), 'a.txt'), 'a\n');
  await git.git('paged', 'add', '.');
  await git.git('paged', 'commit', '-qm', 'Begin');
  await git.git('paged', 'branch', 'feature/login');
  await git.publish('paged');
  const url = git.urlOf('paged');
  expect(await fetchTree({ url, ...asked, page: 'feature/login/src/a.txt' })).toMatchObject({ ref: 'feature/login' });
  expect(await fetchTree({ url, ...asked, page: 'main' })).toMatchObject({ ref: 'main' });
  expect(await fetchTree({ url, ...asked, ref: 'main', page: 'feature/login' })).toMatchObject({ ref: 'main' });
  await expect(fetchTree({ url, ...asked, page: 'gone/a.txt' })).rejects.toMatchObject({ reason: 'ref' });
});

test('G3.19 an empty repository and a default branch that is not there are named, with the branches that are', async () => {
  await git.git('empty', 'status');
  await expect(fetchTree({ url: git.urlOf('empty'), ...asked })).rejects.toMatchObject({ reason: 'empty' });
  await git.git('headless', 'checkout', '-qb', 'trunk');
  await writeFile(join(git.folderOf('headless'), 'a.txt'), 'a\n');
  await git.git('headless', 'add', '.');
  await git.git('headless', 'commit', '-qm', 'Begin');
  await git.publish('headless');
  const headless = fetchTree({ url: git.urlOf('headless'), ...asked });
  await expect(headless).rejects.toMatchObject({ reason: 'head', details: { branches: ['trunk'] } });
  expect(await fetchTree({ url: git.urlOf('headless'), ...asked, ref: 'trunk' })).toMatchObject({ ref: 'trunk' });
});

test('G3.19 a submodule and a pointer of Git LFS are left out as what they are', async () => {
  await git.git('parts', 'status');
  const folder = git.folderOf('parts');
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`;
  await writeFile(join(folder, 'model.csv'), pointer);
  await writeFile(join(folder, 'about.md'), `A pointer begins so: ${pointer}`);
  await git.git('parts', 'add', '.');
  await git.git('parts', 'update-index', '--add', '--cacheinfo', `160000,${first},lib`);
  await git.git('parts', 'commit', '-qm', 'Begin');
  await git.publish('parts');
  const { files } = await fetchTree({ url: git.urlOf('parts'), ...asked });
  expect(files.filter((file) => 'reason' in file)).toEqual([
    { path: 'lib', reason: 'submodule' },
    { path: 'model.csv', reason: 'lfs' },
  ]);
  expect(textOf(files, 'about.md')).toContain('A pointer begins so');
});

test('C6.02 a server that leaves blobs out is asked for those that are missing, within the named paths', async () => {
  await git.git('parted', 'status');
  const folder = git.folderOf('parted');
  await mkdir(join(folder, 'packages', 'web'), { recursive: true });
  await mkdir(join(folder, 'packages', 'api'));
  const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index}`).join('\n');
  for (const name of ['one', 'two', 'three']) await writeFile(join(folder, 'packages', 'web', `${name}.txt`), `${lines}\n${name}\n`);
  await writeFile(join(folder, 'packages', 'api', 'main.go'), 'package main\n');
  await writeFile(join(folder, 'README.md'), '# Parted\n');
  await git.git('parted', 'add', '.');
  await git.git('parted', 'commit', '-qm', 'Begin');
  await git.publish('parted');
  await git.configure('parted', 'uploadpack.allowFilter', 'true');
  const url = git.urlOf('parted');
  git.forget();
  const whole = await fetchTree({ url, ...asked });
  expect(whole.files.map(({ path }) => path)).toEqual([
    ...['README.md', 'packages/api/main.go', 'packages/web/one.txt', 'packages/web/three.txt', 'packages/web/two.txt'],
  ]);
  expect(textOf(whole.files, 'packages/web/two.txt')).toBe(`${lines}\ntwo\n`);
  expect(git.calls()).toEqual(['GET', 'POST', 'POST', 'POST']);
  const web = await fetchTree({ url, ...asked, paths: ['packages/web'] });
  expect([web.tree, web.files.map(({ path }) => path)]).toEqual([
    whole.tree,
    ['packages/web/one.txt', 'packages/web/three.txt', 'packages/web/two.txt'],
  ]);
  const readme = await fetchTree({ url, ...asked, paths: ['README.md', 'nowhere'] });
  expect(readme.files.map(({ path }) => path)).toEqual(['README.md']);
  await expect(fetchTree({ url, ...asked, paths: ['nowhere'] })).rejects.toMatchObject({ reason: 'paths' });
  const all = new Set((await git.git('parted', 'ls-tree', '-r', '--format=%(objectname)', 'HEAD')).split('\n'));
  git.forget();
  expect((await fetchTree({ url, ...asked }, all)).files).toEqual([]);
  expect(git.calls()).toEqual(['GET', 'POST', 'POST']);
});

test('G3.19 a certificate that is not trusted is named', async () => {
  const server = https.createServer(untrustedCertificate, (_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/ann/bakery`;
  await expect(fetchTree({ url, ...asked })).rejects.toMatchObject({ reason: 'untrusted' });
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

test('G8.26 hosts that do not answer hold no place: another repository is read beside them, and a reader that has gone ends its call', async () => {
  const asks: string[] = [];
  const hanging = http.createServer(({ url }) => asks.push(url ?? ''));
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
  const oneAtOnce = readingTree(
    createFetchTree(createEgress({ allowPrivate: true, proxies: null }), new ProcessLanes({ quick: 1, slow: 1 })),
  );
  const gone = new AbortController();
  const waiting = ['ann', 'bob', 'cleo'].map((account) =>
    oneAtOnce({ url: `${address}/${account}`, ...asked, caller: { account, signal: gone.signal } }).catch((reason: unknown) => reason),
  );
  await expect.poll(() => asks).toHaveLength(3);
  expect(await oneAtOnce({ url: git.urlOf('bakery'), ...asked, caller: { account: 'dan' } })).toMatchObject({ sha: first });
  expect(asks).toHaveLength(3);
  gone.abort('gone');
  expect(await Promise.all(waiting)).toEqual(['gone', 'gone', 'gone']);
  const connections = () => new Promise<number>((resolve) => hanging.getConnections((_error, count) => resolve(count)));
  await expect.poll(connections).toBe(0);
  await new Promise<void>((resolve) => hanging.close(() => resolve()));
});

test('G8.26 a host that hangs after its first answer holds no process: its pack is read when it comes', async () => {
  let send = () => {};
  const real = new URL(git.urlOf('bakery'));
  const packs: string[] = [];
  let posts = 0;
  const slow = http.createServer((request, response) => {
    const forward = () =>
      request.pipe(
        http.request(
          { host: real.hostname, port: real.port, path: request.url, method: request.method, headers: request.headers },
          (answer) => {
            response.writeHead(answer.statusCode ?? 502, answer.headers);
            answer.pipe(response);
          },
        ),
      );
    if (request.method === 'POST') posts += 1;
    // The first one asks for the references.
    if (request.method === 'GET' || posts === 1) forward();
    else {
      packs.push(request.url ?? '');
      send = forward;
    }
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(slow.address() as AddressInfo).port}${real.pathname}`;
  const oneAtOnce = readingTree(
    createFetchTree(createEgress({ allowPrivate: true, proxies: null }), new ProcessLanes({ quick: 1, slow: 1 })),
  );
  const late = oneAtOnce({ url: address, ...asked, caller: { account: 'ann' } });
  await expect.poll(() => packs).toHaveLength(1);
  expect(await oneAtOnce({ url: git.urlOf('bakery'), ...asked, caller: { account: 'bob' } })).toMatchObject({ sha: first });
  send();
  const { sha, files } = await late;
  expect([sha, textOf(files, 'src/bake.ts')]).toEqual([first, 'export const bread = 1;\n']);
  expect(packs).toHaveLength(1);
  slow.closeAllConnections();
  await new Promise<void>((resolve) => slow.close(() => resolve()));
});
