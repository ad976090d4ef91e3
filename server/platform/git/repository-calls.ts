import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Egress } from '../egress/egress.ts';
import { HostRefused, ResponseTooLong } from '../egress/egress.ts';
import { proxyTrouble } from '../egress/tunnel.ts';
import { isUntrustedCertificate } from '../egress/untrusted-certificate.ts';
import { GitFailed } from './git-failed.ts';
import type { GitAnswer, GitCall, GitFailure } from './git-messages.ts';

/** A call without its number in a process. */
export type RepositoryCall = Omit<GitCall, 'kind' | 'id'>;
type RepositoryAnswer = Omit<GitAnswer, 'kind' | 'id'>;

type CallsOptions = {
  egress: Egress;
  url: string | null;
  token: string | null;
  maxBytes: number;
  /** Whether the work may send a commit. */
  writes: boolean;
  /** Ends the calls, but for one that has sent a commit. */
  signal: AbortSignal;
  /** Takes room for an answer. Returns false where there is none. */
  grow: (bytes: number) => boolean;
  /** The longest wait for the far side, in all calls of one piece of work together (ms). */
  waitMs: number;
  /** Makes the folder for long answers. */
  folder: () => Promise<string>;
};

/** A longer answer lies in a file (bytes). */
const maxInMemory = 1024 * 1024;
/** A fetch needs four calls, a push eight where it follows renames, and as many again after one that it has met. */
const maxCalls = 16;
const readCalls = /^\/(info\/refs\?service=git-upload-pack|git-upload-pack)$/;
const writeCalls = /^\/(info\/refs\?service=git-receive-pack|git-receive-pack)$/;
const writingPath = '/git-receive-pack';

/** With this call every piece of work in a repository begins. */
const firstCall: RepositoryCall = {
  path: '/info/refs?service=git-upload-pack',
  method: 'GET',
  headers: { 'git-protocol': 'version=2' },
  body: null,
};

/**
 * The calls of one piece of work, in their order, with their answers. They end at the repository's own address, or where that redirects on
 * the same host. A process that is started again makes the same calls, and gets the answers that are there. No call is made twice.
 */
export class RepositoryCalls {
  readonly #options: CallsOptions;
  readonly #made: { call: RepositoryCall; answer: Promise<RepositoryAnswer> }[] = [];
  #base: string | null;
  #bytesLeft: number;
  #msLeft: number;
  #hasWritten = false;
  #files = 0;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#base = options.url;
    this.#bytesLeft = options.maxBytes;
    this.#msLeft = options.waitMs;
    if (this.#base !== null) this.answerTo(firstCall, 0);
  }

  /** Whether a commit was sent: the work must then be ended, also for a client that has gone. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** Resolves when every call so far is answered. Rejects with the first failure. */
  async settle(): Promise<void> {
    for (const { answer } of this.#made) await answer;
  }

  /** Returns the answer to the call with this number, from 0. Makes the call unless an earlier process made it. */
  answerTo(call: RepositoryCall, at: number): Promise<RepositoryAnswer> {
    const known = this.#made[at];
    if (known) {
      const isSame = known.call.path === call.path && known.call.method === call.method && isSameBody(known.call.body, call.body);
      return isSame ? known.answer : Promise.reject(new GitFailed('failed'));
    }
    const answer = this.#make(call);
    // A failure is for the reader of the answer, who may come later.
    answer.catch(() => {});
    this.#made.push({ call, answer });
    return answer;
  }

  async #make({ path, method, headers, body }: RepositoryCall): Promise<RepositoryAnswer> {
    const { token, writes, signal } = this.#options;
    const isKnown = readCalls.test(path) || (writes && writeCalls.test(path));
    if (this.#base === null || this.#made.length >= maxCalls || !isKnown) throw new GitFailed('failed');
    if (path === writingPath) this.#hasWritten = true;
    const authorization: Record<string, string> = token === null ? {} : { authorization: `Basic ${basicOf(token)}` };
    const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(this.#msLeft)));
    const until = this.#hasWritten ? deadline : AbortSignal.any([signal, deadline]);
    const begun = performance.now();
    try {
      return await this.#send(path, {
        method,
        headers: { ...plainHeaders(headers), ...authorization },
        signal: until,
        isFramed: true,
        maxBytes: this.#options.maxBytes,
        ...(body && { body }),
      });
    } catch (error) {
      if (signal.aborted && !this.#hasWritten) throw signal.reason;
      if (error instanceof GitFailed) throw error;
      throw deadline.aborted ? new GitFailed('timeout', { cause: error }) : failureOf(error);
    } finally {
      this.#msLeft -= performance.now() - begun;
    }
  }

  async #send(path: string, request: NonNullable<Parameters<Egress>[1]>): Promise<RepositoryAnswer> {
    const { egress, grow } = this.#options;
    const base = this.#base ?? '';
    let answer = await egress(`${base}${path}`, request);
    const moved = answer.status >= 300 && answer.status < 400 ? redirected(base, path, answer.headers.location) : null;
    if (moved !== null && request.method === 'GET') {
      for await (const _ of answer.body) break;
      this.#base = moved;
      answer = await egress(`${moved}${path}`, request);
    }
    const count = (part: Uint8Array) => {
      this.#bytesLeft -= part.length;
      if (this.#bytesLeft < 0) throw new GitFailed('too_large');
      if (!grow(part.length)) throw new GitFailed('busy');
    };
    return { status: answer.status, headers: answer.headers, ...(await this.#receive(answer.body, count)) };
  }

  /** Reads an answer into memory, or into a file from the length on at which memory ends. */
  async #receive(body: AsyncIterable<Uint8Array>, count: (part: Uint8Array) => void): Promise<Pick<RepositoryAnswer, 'body' | 'file'>> {
    let parts: Uint8Array[] = [];
    let size = 0;
    let file: FileHandle | null = null;
    let path: string | null = null;
    try {
      for await (const part of body) {
        count(part);
        parts.push(part);
        size += part.length;
        if (size < maxInMemory) continue;
        if (file === null) {
          path = join(await this.#options.folder(), String(this.#files++));
          file = await open(path, 'wx', 0o600);
        }
        await file.appendFile(Buffer.concat(parts));
        [parts, size] = [[], 0];
      }
      if (file === null) return { body: Buffer.concat(parts), file: null };
      await file.appendFile(Buffer.concat(parts));
      return { body: new Uint8Array(), file: path };
    } finally {
      await file?.close();
    }
  }
}

/** Returns a token as its header has it. */
export function basicOf(token: string): string {
  return Buffer.from(`token:${token}`).toString('base64');
}

function isSameBody(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
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

function failureOf(error: unknown): GitFailed {
  const text = proxyTrouble(error);
  return new GitFailed(text === null ? reasonOf(error) : 'proxy', { cause: error, ...(text !== null && { details: { text } }) });
}

function reasonOf(error: unknown): GitFailure {
  if (error instanceof HostRefused) return 'host';
  if (error instanceof ResponseTooLong) return 'too_large';
  const { code = '' } = error as { code?: string };
  if (isUntrustedCertificate(code)) return 'untrusted';
  // The second one also stands for a name server that is away.
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no_host';
  return code === 'ETIMEDOUT' ? 'timeout' : 'failed';
}
