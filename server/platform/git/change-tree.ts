import { readBlob, writeBlob } from 'isomorphic-git';
import type { FileChange, FileConflict } from './git-messages.ts';
import { mergeFile } from './merge-file.ts';
import type { Repository } from './repository.ts';
import { executableMode, fileMode, folderMode, kindOf, readEntries, type TreeEntry, writeEntries } from './tree-entries.ts';

export type ChangedTree = {
  oid: string;
  /** The objects that were made. */
  made: string[];
  /** Files that were also changed in the tree, or whose place is taken by something else. */
  conflicts: FileConflict[];
};

/**
 * Writes files into a tree; null for an empty one. A file is compared three ways. It is written where the tree has what the run began with,
 * and kept where the tree has it already. Otherwise it is merged line by line, and a conflict where that fails. With `overwrites` the tree's
 * own files do not matter.
 */
export async function changeTree(
  repository: Repository,
  tree: string | null,
  files: readonly FileChange[],
  overwrites: boolean,
): Promise<ChangedTree> {
  const { fs, dir } = repository;
  const made: string[] = [];
  const conflicts: FileConflict[] = [];

  const writeFile = async (there: TreeEntry | undefined, name: string, change: FileChange): Promise<TreeEntry | null> => {
    if (there && kindOf(there) !== 'file') {
      conflicts.push({ path: change.path, reason: 'place', lines: [] });
      return null;
    }
    const theirs = there ? (await readBlob({ fs, dir, oid: there.oid })).blob : null;
    if (theirs && isSame(theirs, change.after)) return null;
    const isFree = overwrites || isSame(theirs, change.before) || (theirs === null && change.isUploaded === true);
    const merged = isFree ? { content: change.after } : mergeFile(change, theirs);
    if ('reason' in merged) {
      conflicts.push(merged);
      return null;
    }
    if (theirs && isSame(theirs, merged.content)) return null;
    const oid = await writeBlob({ fs, dir, blob: merged.content });
    made.push(oid);
    const mode = there?.mode ?? (change.isExecutable ? executableMode : fileMode);
    return { mode, raw: Buffer.from(name), oid };
  };

  /** `left` are the changes below this folder with the rest of their paths. */
  const writeFolder = async (oid: string | null, left: readonly { rest: string[]; change: FileChange }[]): Promise<string | null> => {
    // By their bytes: a name that is no UTF-8 stays as it is.
    const keyOf = ({ raw }: Pick<TreeEntry, 'raw'>) => raw.toString('latin1');
    const entries = new Map((oid === null ? [] : await readEntries(repository, oid)).map((entry) => [keyOf(entry), entry]));
    let isChanged = false;
    const set = (entry: TreeEntry | null) => {
      if (!entry) return;
      entries.set(keyOf(entry), entry);
      isChanged = true;
    };
    const below = Map.groupBy(left, ({ rest: [name = ''] }) => name);
    for (const [name, changes] of below) {
      const there = entries.get(keyOf({ raw: Buffer.from(name) }));
      const [file] = changes.filter(({ rest }) => rest.length === 1);
      if (file) set(await writeFile(there, name, file.change));
      const inside = changes.filter(({ rest }) => rest.length > 1).map(({ rest, change }) => ({ rest: rest.slice(1), change }));
      if (inside.length === 0) continue;
      if (file || (there && kindOf(there) !== 'folder')) {
        conflicts.push(...inside.map(({ change }) => ({ path: change.path, reason: 'place' as const, lines: [] })));
        continue;
      }
      const folder = await writeFolder(there?.oid ?? null, inside);
      if (folder !== null && folder !== there?.oid) set({ mode: folderMode, raw: Buffer.from(name), oid: folder });
    }
    if (!isChanged) return oid;
    const written = await writeEntries(repository, [...entries.values()]);
    made.push(written);
    return written;
  };

  const oid = await writeFolder(
    tree,
    files.map((change) => ({ rest: change.path.split('/'), change })),
  );
  return { oid: oid ?? (await writeEntries(repository, [])), made, conflicts };
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}
