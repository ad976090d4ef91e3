import { readBlob, readTree } from 'isomorphic-git';
import type { FromGitProcess, GitFile, GitLimits } from './git-messages.ts';
import { fetchCommit, type Repository, readRefs, resolveRef, Stopped } from './repository.ts';

const maxDepth = 100;
const linkMode = '120000';
const executableMode = '100755';

/** Fetches a commit, and sends its files one by one. */
export async function sendTree(
  repository: Repository,
  { ref: asked, limits }: { ref: string | null; limits: GitLimits },
  send: (message: FromGitProcess) => Promise<void>,
): Promise<void> {
  const { fs, dir } = repository;
  const refs = await readRefs(repository);
  const { sha, ref } = resolveRef(refs, asked);
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
        await send({ kind: 'file', file: { path, reason: 'link' } });
      } else {
        const { blob } = await readBlob({ fs, dir, oid: entry.oid, cache });
        count(blob.length > limits.fileBytes ? 0 : blob.length);
        const isExecutable = entry.mode === executableMode;
        const file: GitFile = blob.length > limits.fileBytes ? { path, reason: 'too_large' } : { path, content: blob, isExecutable };
        await send({ kind: 'file', file });
      }
    }
  };
  await walk(sha, '', 0);
  await send({ kind: 'fetched', sha, ref });
}
