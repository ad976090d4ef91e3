import { blobName } from './blob-name.ts';
import type { FileChange } from './git-messages.ts';
import type { ObjectStore } from './packs/object-store.ts';
import { blobFinder } from './tree-entries.ts';

/** Fetches what trees have at the paths of changed files, where that is neither what the run began with nor what it leaves. */
export async function fetchChanged(objects: ObjectStore, trees: readonly string[], files: readonly FileChange[]): Promise<void> {
  const blobAt = blobFinder(objects);
  const wanted = new Set<string>();
  for (const { path, before, after } of files) {
    if (before) objects.give(before);
    const left = after && blobName(after);
    for (const tree of trees) {
      const there = blobAt(tree, path);
      if (there !== null && there !== left) wanted.add(there);
    }
  }
  await objects.fetchBlobs(wanted);
}
