import { readBlob, readTree, type TreeEntry, writeBlob, writeTree } from 'isomorphic-git';
import type { FileChange } from './git-messages.ts';
import type { Repository } from './repository.ts';

const fileMode = '100644';
const executableMode = '100755';

export type ChangedTree = {
  oid: string;
  /** The objects that were made. */
  made: string[];
  /** Files that were also changed in the tree, or whose place is taken by something else. */
  conflicts: string[];
};

/**
 * Writes files into a tree; null for an empty one. A file is compared three ways. It is written where the tree has what the run began with,
 * and kept where the tree has it already. Otherwise it is a conflict. With `overwrites` the tree's own files do not matter.
 */
export async function changeTree(
  { fs, dir }: Repository,
  tree: string | null,
  files: readonly FileChange[],
  overwrites: boolean,
): Promise<ChangedTree> {
  const made: string[] = [];
  const conflicts: string[] = [];

  const readEntries = async (oid: string | null): Promise<TreeEntry[]> => (oid === null ? [] : (await readTree({ fs, dir, oid })).tree);

  const writeFile = async (there: TreeEntry | undefined, name: string, change: FileChange): Promise<TreeEntry | null> => {
    if (there && (there.type !== 'blob' || (there.mode !== fileMode && there.mode !== executableMode))) {
      conflicts.push(change.path);
      return null;
    }
    const theirs = there ? (await readBlob({ fs, dir, oid: there.oid })).blob : null;
    if (theirs && isSame(theirs, change.after)) return null;
    const isFree = overwrites || isSame(theirs, change.before) || (theirs === null && change.isUploaded === true);
    if (!isFree) {
      conflicts.push(change.path);
      return null;
    }
    const oid = await writeBlob({ fs, dir, blob: change.after });
    made.push(oid);
    const mode = there?.mode ?? (change.isExecutable ? executableMode : fileMode);
    return { mode, path: name, oid, type: 'blob' };
  };

  /** `left` are the changes below this folder with the rest of their paths. */
  const writeFolder = async (oid: string | null, left: readonly { rest: string[]; change: FileChange }[]): Promise<string | null> => {
    const entries = new Map((await readEntries(oid)).map((entry) => [entry.path, entry]));
    let isChanged = false;
    const set = (entry: TreeEntry | null) => {
      if (!entry) return;
      entries.set(entry.path, entry);
      isChanged = true;
    };
    const below = Map.groupBy(left, ({ rest: [name = ''] }) => name);
    for (const [name, changes] of below) {
      const there = entries.get(name);
      const [file] = changes.filter(({ rest }) => rest.length === 1);
      if (file) set(await writeFile(there, name, file.change));
      const inside = changes.filter(({ rest }) => rest.length > 1).map(({ rest, change }) => ({ rest: rest.slice(1), change }));
      if (inside.length === 0) continue;
      if (file || (there && there.type !== 'tree')) {
        conflicts.push(...inside.map(({ change }) => change.path));
        continue;
      }
      const folder = await writeFolder(there?.oid ?? null, inside);
      if (folder !== null && folder !== there?.oid) set({ mode: '040000', path: name, oid: folder, type: 'tree' });
    }
    if (!isChanged) return oid;
    const written = await writeTree({ fs, dir, tree: [...entries.values()] });
    made.push(written);
    return written;
  };

  const oid = await writeFolder(
    tree,
    files.map((change) => ({ rest: change.path.split('/'), change })),
  );
  return { oid: oid ?? (await writeTree({ fs, dir, tree: [] })), made, conflicts };
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}
