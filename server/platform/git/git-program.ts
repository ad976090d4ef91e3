import { Errors, type HttpClient } from 'isomorphic-git';
import type { FromGitProcess, GitAnswer, GitFailure, GitTask } from './git-messages.ts';
import { makeBundle } from './make-bundle.ts';
import { pushCommit } from './push-commit.ts';
import { createRepository, repositoryUrl, Stopped } from './repository.ts';
import { sendTree } from './send-tree.ts';

/** The program of the process of `runGitProcess`: its parent makes the calls, and is sent the results. */
const send = (message: FromGitProcess) => new Promise<void>((resolve) => process.send?.(message, () => resolve()));

const waiting = new Map<number, (answer: GitAnswer) => void>();
let calls = 0;

const http: HttpClient = {
  async request({ url: address, method = 'GET', headers = {}, body }) {
    const id = ++calls;
    const answered = new Promise<GitAnswer>((resolve) => waiting.set(id, resolve));
    const parts: Uint8Array[] = [];
    for await (const part of body ?? []) parts.push(part);
    await send({ kind: 'call', id, path: address.slice(repositoryUrl.length), method, headers, body: body ? Buffer.concat(parts) : null });
    const { status, headers: told, body: content } = await answered;
    return { url: address, method, statusCode: status, statusMessage: String(status), headers: told, body: pieces(content) };
  },
};

async function* pieces(content: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield content;
}

async function main(task: GitTask): Promise<void> {
  const repository = await createRepository(http);
  if (task.work === 'fetch') return sendTree(repository, task, send);
  if (task.work === 'push') return send({ kind: 'pushed', ...(await pushCommit(repository, task)) });
  return send({ kind: 'bundled', content: await makeBundle(repository, task) });
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

process.on('message', (message: GitTask | GitAnswer) => {
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
