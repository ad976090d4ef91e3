import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Egress, HostRefused, ResponseTooLong } from '../egress/egress.ts';
import { createScrubber, type Scrubber } from '../egress/scrubber.ts';
import { watchMemory } from '../processes/watch-memory.ts';
import type { FromGitProcess, GitAnswer, GitCall, GitFailure, GitFailureDetails, GitFile, GitTask } from './git-messages.ts';

/** A repository that could not be read or written. */
export class GitFailed extends Error {
  readonly reason: GitFailure;
  readonly details: GitFailureDetails;

  constructor(reason: GitFailure, { cause, details = {} }: { cause?: unknown; details?: GitFailureDetails } = {}) {
    super(`The work in the repository failed: ${reason}.`, { cause });
    this.name = 'GitFailed';
    this.reason = reason;
    this.details = details;
  }
}

type GitWork = {
  egress: Egress;
  /** The address of the repository, without name, password and a slash at its end; null for work without a repository. */
  url: string | null;
  token: string | null;
  task: GitTask;
  signal?: AbortSignal;
};

export type GitResult = Exclude<FromGitProcess, { kind: 'call' | 'file' | 'failed' }>;

const mebibyte = 1024 * 1024;
const timeMs = 60_000;
const memoryBytes = 512 * mebibyte;
const heapMb = 256;
/** A fetch needs three calls, a push seven. */
const maxCalls = 12;
const program = fileURLToPath(new URL('./git-program.ts', import.meta.url));
/** isomorphic-git has dependencies: the process may read the folder that holds them. */
const libraries = dirname(dirname(fileURLToPath(import.meta.resolve('isomorphic-git'))));

/**
 * Works in a repository by Git's protocol over HTTP. Packs are read and written by isomorphic-git in a process of its own. It has an empty
 * environment, no token, and no file but its program and the libraries. It is killed at its limits of time and memory. The calls go through
 * `egress`, to the repository's own address only; a redirect is followed once on the same host. `onFile` gets the files of a fetch one by
 * one, and may throw. Throws `GitFailed`.
 */
export async function runGitProcess(
  { egress, url, token, task, signal }: GitWork,
  onFile: (file: Extract<FromGitProcess, { kind: 'file' }>['file']) => void = () => {},
): Promise<GitResult> {
  const child = startProcess();
  // Servers repeat the token in sentences, and in names.
  const scrubber = createScrubber(token === null ? [] : [token, basicOf(token)]);
  const ending = new AbortController();
  const stopped = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
  const callRepository = callsOf(egress, {
    url,
    token,
    maxBytes: task.limits.bytes + mebibyte,
    signal: stopped,
    writes: task.work === 'push',
  });
  const unwatch = watchMemory(child, memoryBytes);
  try {
    return await new Promise<GitResult>((resolve, reject) => {
      const timer = setTimeout(() => reject(new GitFailed('timeout')), timeMs);
      stopped.addEventListener('abort', () => reject(stopped.reason), { once: true });
      child.once('error', (cause) => reject(new GitFailed('failed', { cause })));
      child.once('close', () => {
        clearTimeout(timer);
        // Killed for its memory or its processor time: a hostile pack, or one that is too large for these limits.
        reject(new GitFailed('too_large'));
      });
      child.on('message', (message: FromGitProcess) => {
        if (message.kind === 'failed') reject(new GitFailed(message.reason, { details: scrubber.value(message.details) }));
        else if (message.kind === 'call') {
          callRepository(message).then(
            (answer) => child.connected && child.send(answer),
            (cause: unknown) => reject(cause instanceof GitFailed ? cause : new GitFailed(failureOf(cause), { cause })),
          );
        } else if (message.kind !== 'file') resolve(scrubber.value(message));
        else {
          try {
            onFile(withoutToken(message.file, scrubber));
          } catch (error) {
            reject(error);
          }
        }
      });
      child.send(task);
    });
  } finally {
    unwatch();
    ending.abort();
    child.kill('SIGKILL');
  }
}

type Calls = { url: string | null; token: string | null; maxBytes: number; signal: AbortSignal; writes: boolean };

const readCalls = /^\/(info\/refs\?service=git-upload-pack|git-upload-pack)$/;
const writeCalls = /^\/(info\/refs\?service=git-receive-pack|git-receive-pack)$/;

/** Makes the calls of one piece of work. They end at the repository's own address, or where that redirects on the same host. */
function callsOf(egress: Egress, { url, token, maxBytes, signal, writes }: Calls): (call: GitCall) => Promise<GitAnswer> {
  let base = url;
  let calls = 0;
  let left = maxBytes;
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Basic ${basicOf(token)}` };
  return async ({ id, path, method, headers, body }) => {
    calls += 1;
    const isKnown = readCalls.test(path) || (writes && writeCalls.test(path));
    if (base === null || calls > maxCalls || !isKnown) throw new GitFailed('failed');
    const request = { method, headers: { ...plainHeaders(headers), ...authorization }, signal, isFramed: true, ...(body && { body }) };
    let answer = await egress(`${base}${path}`, request);
    const moved = answer.status >= 300 && answer.status < 400 ? redirected(base, path, answer.headers.location) : null;
    if (moved !== null && method === 'GET') {
      for await (const _ of answer.body) break;
      base = moved;
      answer = await egress(`${base}${path}`, request);
    }
    const parts: Uint8Array[] = [];
    for await (const part of answer.body) {
      left -= part.length;
      if (left < 0) throw new GitFailed('too_large');
      parts.push(part);
    }
    return { kind: 'answer', id, status: answer.status, headers: answer.headers, body: Buffer.concat(parts) };
  };
}

function basicOf(token: string): string {
  return Buffer.from(`token:${token}`).toString('base64');
}

function withoutToken(file: GitFile, scrubber: Scrubber): GitFile {
  const path = scrubber.text(file.path);
  return 'content' in file && (path !== file.path || scrubber.isIn(file.content)) ? { path, reason: 'token' } : { ...file, path };
}

/** The headers of Git's protocol; others of the process are not sent. */
function plainHeaders(headers: Record<string, string>): Record<string, string> {
  const allowed = new Set(['accept', 'content-type', 'git-protocol']);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => allowed.has(name.toLowerCase())));
}

/** Returns the repository's address after a redirect on the same host; null for another one. */
function redirected(base: string, path: string, location: string | undefined): string | null {
  if (location === undefined) return null;
  const from = new URL(base);
  const to = URL.parse(location, `${base}${path}`);
  if (to?.origin !== from.origin || !to.href.endsWith(path) || to.username !== '' || to.password !== '') return null;
  return to.href.slice(0, -path.length);
}

function failureOf(error: unknown): GitFailure {
  if (error instanceof HostRefused) return 'host';
  if (error instanceof ResponseTooLong) return 'too_large';
  const { code } = error as { code?: string };
  if (code === 'ENOTFOUND') return 'not_found';
  return code === 'ETIMEDOUT' ? 'timeout' : 'failed';
}

function startProcess(): ChildProcess {
  const node = [
    ...[`--max-old-space-size=${heapMb}`, '--permission', `--allow-fs-read=${dirname(program)}`, `--allow-fs-read=${dirname(program)}/*`],
    ...[`--allow-fs-read=${libraries}`, `--allow-fs-read=${libraries}/*`, program],
  ];
  const seconds = Math.ceil(timeMs / 1_000);
  const [command, args] =
    process.platform === 'win32'
      ? [process.execPath, node]
      : ['/bin/sh', ['-c', `ulimit -t ${seconds}; ulimit -c 0; exec "$0" "$@"`, process.execPath, ...node]];
  const stdio: ['ignore', 'ignore', 'ignore', 'ipc'] = ['ignore', 'ignore', 'ignore', 'ipc'];
  const child = spawn(command, args, { env: {}, cwd: tmpdir(), stdio, serialization: 'advanced', windowsHide: true });
  // Calls of other users come first, but a busy machine still leaves it a share.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return child;
}
