import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type GitServer = {
  /** The address of a repository by its name. */
  urlOf: (name: string) => string;
  /** Runs Git in a working copy of a repository, which is made at the first call. */
  git: (name: string, ...args: string[]) => Promise<string>;
  /** The folder of that working copy. */
  folderOf: (name: string) => string;
  /** Sends the working copy's branches and tags to the served repository. */
  publish: (name: string) => Promise<void>;
  /** Basic credentials that every call needs; null for none. */
  protect: (token: string | null) => void;
  close: () => Promise<void>;
};

/** Git's own server program behind HTTP, with repositories in a temporary folder. */
export async function startGitServer(): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), 'artel-git-'));
  let token: string | null = null;
  const server = http.createServer((request, response) => {
    const { authorization = '' } = request.headers;
    const given = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
      .toString()
      .split(':')[1];
    if (token !== null && given !== token) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const url = new URL(request.url ?? '/', 'http://git');
    if (url.pathname.startsWith('/moved/')) {
      response.writeHead(301, { location: `${url.pathname.slice('/moved'.length)}${url.search}` }).end();
      return;
    }
    const backend = spawn('git', ['http-backend'], {
      env: {
        ...{ PATH: process.env.PATH ?? '', GIT_PROJECT_ROOT: join(root, 'served'), GIT_HTTP_EXPORT_ALL: '1', REMOTE_USER: 'git' },
        ...{ PATH_INFO: url.pathname, QUERY_STRING: url.search.slice(1), REQUEST_METHOD: request.method ?? 'GET' },
        ...{ CONTENT_TYPE: request.headers['content-type'] ?? '', GIT_PROTOCOL: String(request.headers['git-protocol'] ?? '') },
      },
    });
    request.pipe(backend.stdin);
    const parts: Buffer[] = [];
    backend.stdout.on('data', (part: Buffer) => parts.push(part));
    backend.on('close', () => {
      const all = Buffer.concat(parts);
      const end = all.indexOf('\r\n\r\n');
      const head = all.subarray(0, end).toString().split('\r\n');
      const headers = Object.fromEntries(head.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
      response.writeHead(Number(headers.Status?.slice(0, 3) ?? 200), headers).end(all.subarray(end + 4));
    });
    backend.stdin.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made = new Set<string>();
  const env = { PATH: process.env.PATH ?? '', HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  const person = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
  const folderOf = (name: string) => join(root, 'work', name);
  const ready = async (name: string) => {
    if (made.has(name)) return;
    made.add(name);
    await run('git', ['init', '-q', '--bare', '-b', 'main', join(root, 'served', name)], { env });
    await run('git', ['-C', join(root, 'served', name), 'config', 'http.receivepack', 'true'], { env });
    await run('git', ['init', '-q', '-b', 'main', folderOf(name)], { env });
  };
  return {
    urlOf: (name) => `${address}/${name}`,
    folderOf,
    git: async (name, ...args) => {
      await ready(name);
      return (await run('git', ['-C', folderOf(name), ...person, ...args], { env })).stdout.trim();
    },
    publish: async (name) => {
      await run('git', ['-C', folderOf(name), 'push', '-q', '--all', join(root, 'served', name)], { env });
      await run('git', ['-C', folderOf(name), 'push', '-q', '--tags', join(root, 'served', name)], { env });
    },
    protect: (next) => {
      token = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(root, { recursive: true, force: true });
    },
  };
}
