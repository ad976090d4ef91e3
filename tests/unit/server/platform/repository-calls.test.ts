import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import type { Egress } from '../../../../server/platform/egress/egress.ts';
import { createScrubber } from '../../../../server/platform/egress/scrubber.ts';
import { ProxyFailed } from '../../../../server/platform/egress/tunnel.ts';
import { type RepositoryCall, RepositoryCalls } from '../../../../server/platform/git/repository-calls.ts';

const url = 'https://git.example.com/bakery';
const first: RepositoryCall = { path: '/info/refs?service=git-upload-pack', method: 'GET', headers: {}, body: null };
const pack = (body: string): RepositoryCall => ({ path: '/git-upload-pack', method: 'POST', headers: {}, body: Buffer.from(body) });
const commit: RepositoryCall = { path: '/git-receive-pack', method: 'POST', headers: {}, body: Buffer.from('a commit') };

/** A far side that answers when a test says so. */
function farSide({ bytes = 10, memory = 1_000 } = {}) {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const egress: Egress = (address, { signal } = {}) => {
    asked.push(address.slice(url.length));
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('The operation was aborted.')));
      async function* body() {
        yield Buffer.alloc(bytes);
      }
      answers.push(() => resolve({ status: 200, ok: true, headers: {}, body: body(), text: async () => '', scrubber: createScrubber([]) }));
    });
  };
  const gone = new AbortController();
  const usual = { firstHeaders: {}, waitMs: 60_000, folder: async () => tmpdir() };
  let left = memory;
  const grow = (more: number) => {
    left -= more;
    return left >= 0;
  };
  const calls = new RepositoryCalls({ egress, url, token: null, maxBytes: 100, writes: true, signal: gone.signal, grow, ...usual });
  return { asked, gone, calls, answer: (at: number) => answers[at]?.() };
}

test('G8.26 the first call of a repository is made before any process asks, and a process that starts again makes no call twice', async () => {
  const { asked, calls, answer } = farSide();
  expect(asked).toEqual([first.path]);
  answer(0);
  await calls.settle();
  expect(await calls.answerTo(first, 0)).toMatchObject({ status: 200 });
  const slow = calls.answerTo(pack('want'), 1);
  expect(calls.answerTo(pack('want'), 1)).toBe(slow);
  await expect(calls.answerTo(pack('want another'), 1)).rejects.toMatchObject({ reason: 'failed' });
  answer(1);
  await calls.settle();
  expect(asked).toEqual([first.path, '/git-upload-pack']);
});

test('G8.28 a caller that goes ends the call under way, but not one that has sent a commit', async () => {
  const read = farSide();
  read.gone.abort('gone');
  await expect(read.calls.settle()).rejects.toBe('gone');
  const push = farSide();
  push.answer(0);
  await push.calls.settle();
  const pushed = push.calls.answerTo(commit, 1);
  expect(push.calls.hasWritten).toBe(true);
  push.gone.abort('gone');
  push.answer(1);
  expect(await pushed).toMatchObject({ status: 200 });
});

test('G8.26 what is received is limited for one repository, and by the memory that is left for all', async () => {
  const long = farSide({ bytes: 101 });
  long.answer(0);
  await expect(long.calls.settle()).rejects.toMatchObject({ reason: 'too_large' });
  const full = farSide({ bytes: 20, memory: 19 });
  full.answer(0);
  await expect(full.calls.settle()).rejects.toMatchObject({ reason: 'busy' });
});

test.each([
  ['ENOTFOUND', 'no_host'],
  ['EAI_AGAIN', 'no_host'],
  ['ETIMEDOUT', 'timeout'],
  ['ECONNREFUSED', 'failed'],
])('G3.19 a host whose call fails with %s is named as %s', async (code, reason) => {
  const egress: Egress = () => Promise.reject(Object.assign(new Error('No.'), { code }));
  const options = { firstHeaders: {}, waitMs: 60_000, folder: async () => tmpdir(), grow: () => true, maxBytes: 100, writes: false };
  const calls = new RepositoryCalls({ ...options, egress, url, token: null, signal: new AbortController().signal });
  await expect(calls.answerTo(first, 0)).rejects.toMatchObject({ reason });
});

test('R25.01 a repository behind a proxy that does not connect says what the proxy needs', async () => {
  const cure = 'The proxy of HTTPS_PROXY does not connect (403).';
  const failure = new Error('No.', { cause: new ProxyFailed('EPROXYREFUSED', cure) });
  const options = { firstHeaders: {}, waitMs: 60_000, folder: async () => tmpdir(), grow: () => true, maxBytes: 100, writes: false };
  const calls = new RepositoryCalls({
    ...options,
    ...{ egress: () => Promise.reject(failure), url, token: null, signal: new AbortController().signal },
  });
  await expect(calls.answerTo(first, 0)).rejects.toMatchObject({ reason: 'proxy', details: { text: cure } });
});
