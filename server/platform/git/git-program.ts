import type { FromGitProcess, GitAnswer, GitListing, GitTaken, GitTask, TreeListing } from './git-messages.ts';
import { makeBundle } from './make-bundle.ts';
import { bytesInFile, bytesInMemory } from './packs/answer-bytes.ts';
import type { GitHttpCall } from './packs/upload-pack.ts';
import { pushCommit } from './push-commit.ts';
import { Stopped } from './repository.ts';
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

const gitCall: GitHttpCall = async (path, method, headers, body) => {
  const answer = await call({ path, method, headers, body });
  const content = answer.file === null ? bytesInMemory(answer.body) : bytesInFile(answer.file);
  return { status: answer.status, headers: answer.headers, body: content };
};

async function main(task: GitTask): Promise<void> {
  if (task.work === 'fetch') {
    await sendTree({ call: gitCall, ask }, task);
    return send({ kind: 'fetched' });
  }
  if (task.work === 'push') return send({ kind: 'pushed', ...(await pushCommit(gitCall, task, listOrigin)) });
  return send({ kind: 'bundled', content: await makeBundle(gitCall, task, listOrigin) });
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
        : send({ kind: 'failed', reason: 'failed', details: {} }),
    )
    .finally(() => process.disconnect());
});
