import { readBlob, readCommit } from 'isomorphic-git';
import type { FromGitProcess, GitFile, GitLimits } from './git-messages.ts';
import { fetchCommit, type Repository, readRefs, refOfPage, resolveRef, Stopped } from './repository.ts';
import { isExecutable, isPathName, kindOf, nameOf, readEntries } from './tree-entries.ts';

const maxDepth = 100;
/** By the specification of Git LFS, a pointer begins with its version and is shorter than this (bytes). */
const lfsStart = Buffer.from('version https://git-lfs.github.com/spec/v1\n');
const maxLfsBytes = 1_024;

/** Fetches a commit, and sends its files one by one. An entry whose name no path can have is named, and left out with all below it. */
export async function sendTree(
  repository: Repository,
  { ref: asked, page, limits }: { ref: string | null; page: string | null; limits: GitLimits },
  send: (message: FromGitProcess) => Promise<void>,
): Promise<void> {
  const { fs, dir } = repository;
  const refs = await readRefs(repository);
  const { sha, ref, isBranch } = resolveRef(refs, asked ?? (page === null ? null : refOfPage(refs, page)));
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
    for (const entry of await readEntries(repository, oid, cache)) {
      const path = `${prefix}${nameOf(entry)}`;
      const kind = kindOf(entry);
      if (!isPathName(entry) || kind === 'link' || kind === 'submodule') {
        count(0);
        await send({
          kind: 'file',
          file: { path, reason: isPathName(entry) && kind !== 'file' && kind !== 'folder' ? kind : 'path_characters' },
        });
      } else if (kind === 'folder') await walk(entry.oid, `${path}/`, depth + 1);
      else {
        const { blob } = await readBlob({ fs, dir, oid: entry.oid, cache });
        const isTooLarge = blob.length > limits.fileBytes;
        count(isTooLarge ? 0 : blob.length);
        const reason = isTooLarge ? 'too_large' : isLfsPointer(blob) ? 'lfs' : null;
        const file: GitFile = reason === null ? { path, content: blob, isExecutable: isExecutable(entry) } : { path, reason };
        await send({ kind: 'file', file });
      }
    }
  };
  const { commit } = await readCommit({ fs, dir, oid: sha, cache });
  await walk(commit.tree, '', 0);
  await send({ kind: 'fetched', sha, ref, isBranch });
}

function isLfsPointer(blob: Uint8Array): boolean {
  return blob.length < maxLfsBytes && lfsStart.equals(blob.subarray(0, lfsStart.length));
}
