import { createHash } from 'node:crypto';
import { blobName } from '../../platform/git/blob-name.ts';
import type { FileChange, NewCommit, PushedFiles } from '../../platform/git/git-messages.ts';
import type { PublishedFile } from '../executions/index.ts';

/** Returns a hash of the files of a run: the same ones are not pushed again. */
export function hashOf(files: readonly PublishedFile[]): string {
  const hash = createHash('sha256');
  for (const { path, after, isExecutable = false } of files)
    hash.update(`${path}\0${after?.length ?? 'removed'}\0${isExecutable}\0`).update(after ?? '');
  return hash.digest('hex');
}

/** Returns the files that a commit writes. */
export function textsOf({ files }: NewCommit): Uint8Array[] {
  return files.flatMap(({ after }) => after ?? []);
}

/** Returns what a run has in its files when they are pushed. */
export function pushedFilesOf(files: readonly FileChange[]): PushedFiles {
  return Object.fromEntries(
    files.map(({ path, after, isExecutable: isNow = false }) => [path, after && { oid: blobName(after), isExecutable: isNow }]),
  );
}
