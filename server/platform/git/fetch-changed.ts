import { blobName } from './blob-name.ts';
import type { FileChange } from './git-messages.ts';
import { TreeFiles } from './merge/tree-files.ts';
import type { ObjectStore } from './packs/object-store.ts';

/**
 * Fetches what a tree has at the paths of changed files, where that is neither what the run began with nor what it leaves. `others` are blobs that are
 * needed beside them.
 */
export async function fetchChanged(
  objects: ObjectStore,
  tree: string,
  files: readonly FileChange[],
  others: readonly string[] = [],
): Promise<void> {
  const there = new TreeFiles(objects, tree);
  const wanted = new Set(others);
  for (const { path, before, after } of files) {
    if (before) objects.give(before);
    const oid = there.file(path)?.oid ?? null;
    if (oid !== null && oid !== (after && blobName(after))) wanted.add(oid);
  }
  await objects.fetchBlobs(wanted);
}
