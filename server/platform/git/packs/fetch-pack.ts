import type { GitLimits } from '../git-messages.ts';
import { Stopped } from '../repository.ts';
import { Pack } from './pack.ts';
import type { UploadPack } from './upload-pack.ts';

/** Folders and commits beside the files of a tree. */
const maxObjects = (limits: GitLimits) => 4 * limits.files + 10_000;

/** A commit of a server, with so many before it: one is the commit alone. */
export type CommitSource = { server: UploadPack; sha: string; depth: number; limits: GitLimits };

/** Fetches a commit: without blobs, where the server can leave them out. */
export async function fetchCommit(source: CommitSource): Promise<Pack> {
  return fetchWhole(source, source.server.canFilter);
}

/** Fetches blobs of a commit that was fetched without them: with all others where the server does not give them one by one. */
export async function fetchBlobs(source: CommitSource, oids: readonly string[]): Promise<Pack> {
  try {
    return await Pack.open(await source.server.fetch({ oids, depth: null }), maxObjects(source.limits));
  } catch (error) {
    if (error instanceof Stopped && error.reason === 'failed') return fetchWhole(source, false);
    throw error;
  }
}

async function fetchWhole({ server, sha, depth, limits }: CommitSource, hasNoBlobs: boolean): Promise<Pack> {
  try {
    return await Pack.open(await server.fetch({ oids: [sha], depth, hasNoBlobs }), maxObjects(limits));
  } catch (error) {
    throw error instanceof Stopped && error.reason === 'file_limit' ? new Stopped('file_limit', { limit: limits.files }) : error;
  }
}
