import { addRemote, Errors, fetch, type HttpClient, init, listServerRefs, readBlob, readTree, type ServerRef } from 'isomorphic-git';
import type { FromGitProcess, GitAnswer, GitFailure, GitTask } from './git-messages.ts';
import { memoryFiles } from './memory-files.ts';

/** The program of the process of `fetchTree`: its parent makes the calls, and is sent the files. */
const dir = '/repository';
/** The parent puts the address of the repository in its place. */
const url = 'http://repository';

class Stopped extends Error {
  readonly reason: GitFailure;

  constructor(reason: GitFailure) {
    super(reason);
    this.reason = reason;
  }
}

const send = (message: FromGitProcess) => new Promise<void>((resolve) => process.send?.(message, () => resolve()));

const waiting = new Map<number, (answer: GitAnswer) => void>();
let calls = 0;

const http: HttpClient = {
  async request({ url: address, method = 'GET', headers = {}, body }) {
    const id = ++calls;
    const answered = new Promise<GitAnswer>((resolve) => waiting.set(id, resolve));
    const parts: Uint8Array[] = [];
    for await (const part of body ?? []) parts.push(part);
    await send({ kind: 'call', id, path: address.slice(url.length), method, headers, body: body ? Buffer.concat(parts) : null });
    const { status, headers: told, body: content } = await answered;
    return { url: address, method, statusCode: status, statusMessage: String(status), headers: told, body: pieces(content) };
  },
};

async function* pieces(content: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield content;
}

/** Returns the commit and the name that a reference means: a branch, a tag, a full name, or the commit of one of them. */
function resolveRef(refs: readonly ServerRef[], asked: string | null): { sha: string; ref: string } {
  const head = refs.find(({ ref }) => ref === 'HEAD');
  const named = asked ?? head?.target ?? 'HEAD';
  const names = [named, `refs/heads/${named}`, `refs/tags/${named}`];
  const found =
    names.map((name) => refs.find(({ ref }) => ref === name)).find((one) => one !== undefined) ?? refs.find(({ oid }) => oid === asked);
  if (!found) throw new Stopped(refs.length === 0 ? 'not_found' : 'ref');
  return { sha: found.peeled ?? found.oid, ref: found.ref.replace(/^refs\/(heads|tags)\//, '') };
}

async function main({ ref: asked, limits }: GitTask): Promise<void> {
  const fs = memoryFiles();
  await init({ fs, dir, defaultBranch: 'main' });
  await addRemote({ fs, dir, remote: 'origin', url });
  const refs = await listServerRefs({ http, url, symrefs: true, peelTags: true, protocolVersion: 1 });
  const { sha, ref } = resolveRef(refs, asked);
  const remoteRef = refs.find(({ oid, peeled }) => (peeled ?? oid) === sha)?.ref ?? ref;
  await fetch({ fs, http, dir, url, ref: remoteRef, remoteRef, singleBranch: true, depth: 1, tags: false });
  let files = 0;
  let bytes = 0;
  const count = (size: number) => {
    files += 1;
    bytes += size;
    if (files > limits.files || bytes > limits.bytes) throw new Stopped('too_large');
  };
  const cache = {};
  const walk = async (oid: string, prefix: string, depth: number): Promise<void> => {
    if (depth > maxDepth) throw new Stopped('too_large');
    const { tree } = await readTree({ fs, dir, oid, cache });
    for (const entry of tree) {
      const path = `${prefix}${entry.path}`;
      if (entry.type === 'tree') await walk(entry.oid, `${path}/`, depth + 1);
      else if (entry.type === 'commit' || entry.mode === linkMode) {
        count(0);
        await send({ kind: 'file', file: { path, reason: 'link' } });
      } else {
        const { blob } = await readBlob({ fs, dir, oid: entry.oid, cache });
        count(blob.length > limits.fileBytes ? 0 : blob.length);
        await send({ kind: 'file', file: blob.length > limits.fileBytes ? { path, reason: 'too_large' } : { path, content: blob } });
      }
    }
  };
  await walk(sha, '', 0);
  await send({ kind: 'done', sha, ref });
}

const maxDepth = 100;
const linkMode = '120000';

/** The reason of an error of isomorphic-git. */
function reasonOf(error: unknown): GitFailure {
  if (error instanceof Stopped) return error.reason;
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
    .catch((error: unknown) => send({ kind: 'failed', reason: reasonOf(error) }))
    .finally(() => process.disconnect());
});
