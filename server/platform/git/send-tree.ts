import { readBlob, readTree } from 'isomorphic-git';
import type { FromGitProcess, GitFile, GitLimits } from './git-messages.ts';
import { fetchCommit, type Repository, readRefs, refOfPage, resolveRef, Stopped } from './repository.ts';

const maxDepth = 100;
const linkMode = '120000';
const executableMode = '100755';
/** By the specification of Git LFS, a pointer begins with its version and is shorter than this (bytes). */
const lfsStart = Buffer.from('version https://git-lfs.github.com/spec/v1\n');
const maxLfsBytes = 1_024;

/** Fetches a commit, and sends its files one by one. */
export async function sendTree(
  repository: Repository,
  { ref: asked, page, limits }: { ref: string | null; page: string | null; limits: GitLimits },
  send: (message: FromGitProcess) => Promise<void>,
): Promise<void> {
  const { fs, dir } = repository;
  const refs = await readRefs(repository);
  const { sha, ref } = resolveRef(refs, asked ?? (page === null ? null : refOfPage(refs, page)));
  await fetchCommit(repository, refs, sha);
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
        await send({ kind: 'file', file: { path, reason: entry.type === 'commit' ? 'submodule' : 'link' } });
      } else {
        const { blob } = await readBlob({ fs, dir, oid: entry.oid, cache });
        count(blob.length > limits.fileBytes ? 0 : blob.length);
        const isExecutable = entry.mode === executableMode;
        const reason = blob.length > limits.fileBytes ? 'too_large' : isLfsPointer(blob) ? 'lfs' : null;
        const file: GitFile = reason === null ? { path, content: blob, isExecutable } : { path, reason };
        await send({ kind: 'file', file });
      }
    }
  };
  await walk(sha, '', 0);
  await send({ kind: 'fetched', sha, ref });
}

function isLfsPointer(blob: Uint8Array): boolean {
  return blob.length < maxLfsBytes && lfsStart.equals(blob.subarray(0, lfsStart.length));
}
