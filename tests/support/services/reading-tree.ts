import type { FetchTree, GitRequest } from '../../../server/platform/git/fetch-tree.ts';
import type { GitBlob, GitTree } from '../../../server/platform/git/git-messages.ts';

export type ReadFile = { path: string; content: Uint8Array; isExecutable: boolean } | { path: string; reason: string };
type ReadTree = Omit<GitTree, 'files'> & { files: ReadFile[] };

/** Fetches a tree with all its blobs that are not `known`, as one value. */
export function readingTree(fetchTree: FetchTree) {
  return async (request: GitRequest, known: ReadonlySet<string> = new Set()): Promise<ReadTree> => {
    const read = new Map<string, GitBlob>();
    let tree: GitTree | null = null;
    await fetchTree(request, {
      tree: async (one) => {
        tree = one;
        return [...new Set(one.files.flatMap((file) => ('oid' in file && !known.has(file.oid) ? [file.oid] : [])))];
      },
      blobs: async (blobs) => {
        for (const blob of blobs) read.set(blob.oid, blob);
      },
    });
    const { files, ...about } = tree as unknown as GitTree;
    return {
      ...about,
      files: files.flatMap((file): ReadFile[] => {
        if ('reason' in file) return [file];
        const blob = read.get(file.oid);
        if (!blob) return [];
        const { path, isExecutable } = file;
        return 'reason' in blob ? [{ path, reason: blob.reason }] : [{ path, isExecutable, content: blob.content }];
      }),
    };
  };
}
