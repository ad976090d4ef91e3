import { readFileSync } from 'node:fs';
import { Errors, type HttpClient } from 'isomorphic-git';
import type { FromGitProcess, GitAnswer, GitFailure, GitListing, GitTaken, GitTask, TreeListing } from './git-messages.ts';
import { makeBundle } from './make-bundle.ts';
import { bytesInFile, bytesInMemory } from './packs/answer-bytes.ts';
import type { UploadPackCall } from './packs/upload-pack.ts';
import { pushCommit } from './push-commit.ts';
import { createRepository, repositoryUrl, Stopped } from './repository.ts';
import { sendTree } from './send-tree.ts';

/** The program of the process of `runGitProcess`: its parent makes the calls, and is sent the results. */
const send = (message: FromGitProcess) => new Promise<void>((resolve) => process.send?.(message, () => resolve()));

const waiting = new Map<number, (answer: GitAnswer) => void>();
let calls = 0;
let onTaken: (taken: GitTaken) => void = () => {};

let onListed: (listing: TreeListing | null) => void = () => {};

/** Asks for the files that the run began with. */
async function listOrigin(): Promise<TreeListing | null> {
  const listed = new Promise<TreeListing | null>((resolve) => {
    onListed = resolve;
  });
  await send({ kind: 'listing' });
  return listed;
}

type Call = { path: string; method: string; headers: Record<string, string>; body: Uint8Array | null };

async function call(about: Call): Promise<GitAnswer> {
  const id = ++calls;
  const answered = new Promise<GitAnswer>((resolve) => waiting.set(id, resolve));
  await send({ kind: 'call', id, ...about });
  return answered;
}

async function ask(message: FromGitProcess): Promise<readonly string[]> {
  const taken = new Promise<GitTaken>((resolve) => {
    onTaken = resolve;
  });
  await send(message);
  return (await taken).wanted;
}

const uploadPackCall: UploadPackCall = async (path, method, headers, body) => {
  const answer = await call({ path, method, headers, body });
  const content = answer.file === null ? bytesInMemory(answer.body) : bytesInFile(answer.file);
  return { status: answer.status, headers: answer.headers, body: content };
};

const http: HttpClient = {
  async request({ url: address, method = 'GET', headers = {}, body }) {
    const parts: Uint8Array[] = [];
    for await (const part of body ?? []) parts.push(part);
    const asked = { path: address.slice(repositoryUrl.length), method, headers, body: body ? Buffer.concat(parts) : null };
    const { status, headers: told, body: content, file } = await call(asked);
    const answered = file === null ? content : readFileSync(file);
    return { url: address, method, statusCode: status, statusMessage: String(status), headers: told, body: pieces(answered) };
  },
};

async function* pieces(content: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield content;
}

async function main(task: GitTask): Promise<void> {
  if (task.work === 'fetch') {
    await sendTree({ call: uploadPackCall, ask }, task);
    return send({ kind: 'fetched' });
  }
  const repository = await createRepository(http);
  if (task.work === 'push') return send({ kind: 'pushed', ...(await pushCommit(repository, task, listOrigin)) });
  return send({ kind: 'bundled', content: await makeBundle(repository, task, listOrigin) });
}

/** The reason of an error of isomorphic-git. */
function reasonOf(error: unknown): GitFailure {
  if (error instanceof Errors.HttpError) {
    const { statusCode } = error.data as { statusCode: number };
    if (statusCode === 401 || statusCode === 403) return 'needs_token';
    return statusCode === 404 || statusCode === 410 ? 'not_found' : 'failed';
  }
  if (error instanceof Errors.SmartHttpError) return 'not_found';
  return error instanceof Errors.NotFoundError ? 'ref' : 'failed';
}

process.on('message', (message: GitTask | GitAnswer | GitTaken | GitListing) => {
  if (message.kind === 'listed') {
    onListed(message.listing);
    return;
  }
  if (message.kind === 'taken') {
    onTaken(message);
    return;
  }
  if (message.kind === 'answer') {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
    return;
  }
  main(message)
    .catch((error: unknown) =>
      error instanceof Stopped
        ? send({ kind: 'failed', reason: error.reason, details: error.details })
        : send({ kind: 'failed', reason: reasonOf(error), details: {} }),
    )
    .finally(() => process.disconnect());
});
