import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type GitServer = {
  /** The address of a repository by its name. */
  urlOf: (name: string) => string;
  /** Runs Git in a working copy of a repository, which is made at the first call. */
  git: (name: string, ...args: string[]) => Promise<string>;
  /** Serves a repository of this machine by a name. */
  serve: (name: string, folder: string) => Promise<void>;
  /** The folder of that working copy. */
  folderOf: (name: string) => string;
  /** Sends the working copy's branches and tags to the served repository. */
  publish: (name: string) => Promise<void>;
  /** Adds a program that the served repository runs at an event. */
  addHook: (name: string, event: string, program: string) => Promise<void>;
  /** Sets what Git is told of the served repository. */
  configure: (name: string, key: string, value: string) => Promise<void>;
  /** The methods of the calls since `forget`. */
  calls: () => string[];
  forget: () => void;
  /** Basic credentials that every call needs; null for none. */
  protect: (token: string | null) => void;
  /** The folder of the served repository. */
  servedAt: (name: string) => string;
  /** Runs Git there. */
  inServed: (name: string, ...args: string[]) => Promise<string>;
  /** Is told before each push is carried out, and before its answer is sent. False breaks the connection off. */
  watchPushes: (watch: PushWatch) => void;
  /** Answers the calls below `/api/`: those of a server that knows pull requests. Null until it is set: they are not found. */
  answerApi: (answer: ApiAnswers) => void;
  close: () => Promise<void>;
};

type PushWatch = (when: 'before' | 'after') => Promise<boolean>;
export type ApiCall = { method: string; url: string; headers: http.IncomingHttpHeaders; body: Record<string, unknown> | null };
/** A text is sent as it is, another body as JSON. Null breaks the connection off. */
export type ApiAnswer = { status: number; body: unknown; headers?: Record<string, string> } | null;
type ApiAnswers = ((call: ApiCall) => ApiAnswer | Promise<ApiAnswer>) | null;

/** Git's own server program behind HTTP, with repositories in a temporary folder. `settings`: what Git is told of all of them. */
export async function startGitServer(settings: Readonly<Record<string, string>> = {}, port = 0): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), 'artel-test-git-'));
  let token: string | null = null;
  let api: ApiAnswers = null;
  let watch: PushWatch = async () => true;
  let calls: string[] = [];
  const told = Object.entries(settings).flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  const config = { GIT_CONFIG_COUNT: String(told.length / 2), ...Object.fromEntries(told) };
  const server = http.createServer(async (request, response) => {
    if (request.url?.startsWith('/api/')) {
      void answerCall(request, response, api);
      return;
    }
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
    calls.push(request.method ?? '');
    const isPush = request.method === 'POST' && url.pathname.endsWith('/git-receive-pack');
    if (isPush && !(await watch('before'))) {
      request.destroy();
      return;
    }
    const backend = spawn('git', ['http-backend'], {
      env: {
        ...{ PATH: process.env.PATH ?? '', GIT_PROJECT_ROOT: join(root, 'served'), GIT_HTTP_EXPORT_ALL: '1', REMOTE_USER: 'git' },
        ...{ PATH_INFO: url.pathname, QUERY_STRING: url.search.slice(1), REQUEST_METHOD: request.method ?? 'GET' },
        ...config,
        ...{ CONTENT_TYPE: request.headers['content-type'] ?? '', GIT_PROTOCOL: String(request.headers['git-protocol'] ?? '') },
      },
    });
    request.pipe(backend.stdin);
    const parts: Buffer[] = [];
    backend.stdout.on('data', (part: Buffer) => parts.push(part));
    backend.on('close', async () => {
      if (isPush && !(await watch('after'))) {
        request.destroy();
        return;
      }
      const all = Buffer.concat(parts);
      const end = all.indexOf('\r\n\r\n');
      const head = all.subarray(0, end).toString().split('\r\n');
      const headers = Object.fromEntries(head.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
      response.writeHead(Number(headers.Status?.slice(0, 3) ?? 200), headers).end(all.subarray(end + 4));
    });
    backend.stdin.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made = new Set<string>();
  const env = { PATH: process.env.PATH ?? '', HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  const person = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
  const servedAt = (name: string) => join(root, 'served', name);
  const folderOf = (name: string) => join(root, 'work', name);
  const ready = async (name: string) => {
    if (made.has(name)) return;
    made.add(name);
    await run('git', ['init', '-q', '--bare', '-b', 'main', servedAt(name)], { env });
    await run('git', ['-C', servedAt(name), 'config', 'http.receivepack', 'true'], { env });
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
      await run('git', ['-C', folderOf(name), 'push', '-q', '--all', servedAt(name)], { env });
      await run('git', ['-C', folderOf(name), 'push', '-q', '--tags', servedAt(name)], { env });
    },
    servedAt,
    inServed: async (name, ...args) => (await run('git', ['-C', servedAt(name), ...args], { env })).stdout.trim(),
    watchPushes: (next) => {
      watch = next;
    },
    serve: async (name, folder) => {
      await mkdir(join(root, 'served'), { recursive: true });
      await symlink(folder, servedAt(name));
    },
    addHook: (name, event, program) => writeFile(join(servedAt(name), 'hooks', event), program, { mode: 0o755 }),
    configure: async (name, key, value) => {
      await run('git', ['-C', servedAt(name), 'config', key, value], { env });
    },
    calls: () => calls,
    forget: () => {
      calls = [];
    },
    protect: (next) => {
      token = next;
    },
    answerApi: (answer) => {
      api = answer;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function answerCall(request: http.IncomingMessage, response: http.ServerResponse, answer: ApiAnswers): Promise<void> {
  const text = await new Response(Readable.toWeb(request) as ReadableStream).text();
  const { method = 'GET', url = '/', headers } = request;
  const call = { method, url, headers, body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>) };
  const answered = answer ? await answer(call) : { status: 404, body: { message: 'Not Found' } };
  if (answered === null) {
    request.destroy();
    return;
  }
  const { status, body, headers: more } = answered;
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...more });
  response.end(isText ? body : JSON.stringify(body));
}
