import { readBlob, writeBlob } from 'isomorphic-git';
import { blobName } from './blob-name.ts';
import type { FileChange, FileConflict } from './git-messages.ts';
import { isUntouched } from './merge/follow-renames.ts';
import { mergeFile } from './merge/merge-file.ts';
import type { Repository } from './repository.ts';
import { executableMode, fileMode, folderMode, isExecutable, kindOf, readEntries, type TreeEntry, writeEntries } from './tree-entries.ts';

export type ChangedTree = {
  oid: string;
  /** The objects that were made. */
  made: string[];
  /** Files that were also changed in the tree, or whose place is taken by something else. */
  conflicts: FileConflict[];
};

/**
 * Makes the changes of files in a tree; null for an empty one. A file is compared three ways. It is changed where the tree has what the run began
 * with, and kept where the tree has the change already. Otherwise it is merged line by line, and a conflict where that fails. With `overwrites`
 * the tree's own files do not matter. A folder without files is removed.
 */
export async function changeTree(
  repository: Repository,
  tree: string | null,
  files: readonly FileChange[],
  overwrites: boolean,
): Promise<ChangedTree> {
  const change = new TreeChange(repository, overwrites);
  const oid = await change.writeFolder(
    tree,
    files.map((file) => ({ rest: file.path.split('/'), change: file })),
  );
  return { oid: oid ?? (await change.write([])), made: change.made, conflicts: change.conflicts };
}

/** A change with the rest of its path, below a folder. */
type ChangeBelow = { rest: string[]; change: FileChange };
/** The entries of a folder, by the bytes of their names: a name that is no UTF-8 stays as it is. */
type Entries = Map<string, TreeEntry>;

class TreeChange {
  readonly made: string[] = [];
  readonly conflicts: FileConflict[] = [];
  readonly #repository: Repository;
  readonly #overwrites: boolean;

  constructor(repository: Repository, overwrites: boolean) {
    this.#repository = repository;
    this.#overwrites = overwrites;
  }

  async write(entries: readonly TreeEntry[]): Promise<string> {
    const oid = await writeEntries(this.#repository, entries);
    this.made.push(oid);
    return oid;
  }

  /** Returns the folder's tree after its changes; null for a folder without entries. */
  async writeFolder(oid: string | null, changes: readonly ChangeBelow[]): Promise<string | null> {
    const before = oid === null ? [] : await readEntries(this.#repository, oid);
    const entries: Entries = new Map(before.map((entry) => [keyOf(entry.raw), entry]));
    for (const [name, below] of Map.groupBy(changes, ({ rest: [first = ''] }) => first)) {
      const file = below.find(({ rest }) => rest.length === 1)?.change;
      const inside = below.filter(({ rest }) => rest.length > 1).map(({ rest, change }) => ({ rest: rest.slice(1), change }));
      // What is removed makes way for what takes its name: a folder for a file, or a file for a folder.
      if (file?.after === null) await this.#changeFile(entries, name, file);
      if (inside.length > 0) await this.#changeInside(entries, name, inside, file);
      if (file && file.after !== null) await this.#changeFile(entries, name, file);
    }
    const after = [...entries.values()];
    if (after.length === before.length && before.every((entry) => entries.get(keyOf(entry.raw)) === entry)) return oid;
    return after.length === 0 ? null : this.write(after);
  }

  async #changeInside(entries: Entries, name: string, inside: readonly ChangeBelow[], file: FileChange | undefined): Promise<void> {
    const raw = Buffer.from(name);
    const there = entries.get(keyOf(raw));
    const isTaken = (there && kindOf(there) !== 'folder') || (file && file.after !== null);
    if (isTaken) this.#conflict('place', ...inside.flatMap(({ change }) => (change.after === null ? [] : [change.path])));
    if (there && kindOf(there) !== 'folder') return;
    const possible = isTaken ? inside.filter(({ change }) => change.after === null) : inside;
    const folder = await this.writeFolder(there?.oid ?? null, possible);
    if (folder === null) entries.delete(keyOf(raw));
    else if (folder !== there?.oid) entries.set(keyOf(raw), { mode: folderMode, raw, oid: folder });
  }

  async #changeFile(entries: Entries, name: string, change: FileChange): Promise<void> {
    const { fs, dir } = this.#repository;
    const raw = Buffer.from(name);
    const there = entries.get(keyOf(raw));
    if (there && kindOf(there) !== 'file') {
      const isGone = change.after === null && (kindOf(there) === 'folder' || change.before === null);
      if (!isGone) this.#conflict('place', change.path);
      return;
    }
    const theirs = there?.oid ?? null;
    const [before, after] = [change.before && blobName(change.before), change.after && blobName(change.after)];
    const isFree = this.#overwrites || theirs === before || (theirs === null && change.isUploaded === true);
    if (change.after === null) {
      // A file that the repository did not have at the start is not the run's to remove where the repository has one now.
      const isOthers = change.before === null || change.isUploaded === true;
      if (theirs === null || (isOthers && !this.#overwrites)) return;
      if (isFree && (this.#overwrites || !isModeChanged(there, change))) entries.delete(keyOf(raw));
      else this.#conflict('changed', change.path);
      return;
    }
    if (theirs === null && before !== null && !this.#overwrites && isUntouched(change)) return;
    const isKept = theirs === after || (!this.#overwrites && before === after);
    if (there && isKept) {
      if (this.#hasOtherMode(there, change)) entries.set(keyOf(raw), { ...there, mode: modeOf(change) });
      return;
    }
    const merged = isFree
      ? { content: change.after }
      : mergeFile(change, there ? (await readBlob({ fs, dir, oid: there.oid })).blob : null);
    if ('reason' in merged) {
      this.conflicts.push(merged);
      return;
    }
    const oid = await writeBlob({ fs, dir, blob: merged.content });
    this.made.push(oid);
    entries.set(keyOf(raw), { mode: there && !this.#hasOtherMode(there, change) ? there.mode : modeOf(change), raw, oid });
  }

  #conflict(reason: FileConflict['reason'], ...paths: readonly string[]): void {
    this.conflicts.push(...paths.map((path) => ({ path, reason, lines: [] })));
  }

  /** Whether the run has given another mode to the file than it has. Files of old programs have further modes, which stay. */
  #hasOtherMode(there: TreeEntry, { isExecutable: isWanted, wasExecutable = false }: FileChange): boolean {
    const isOfRun = isWanted !== undefined && (this.#overwrites || isWanted !== wasExecutable);
    return isOfRun && isWanted !== isExecutable(there);
  }
}

function keyOf(raw: Buffer): string {
  return raw.toString('latin1');
}

/** Whether the tree has another mode than the run began with. */
function isModeChanged(there: TreeEntry | undefined, { wasExecutable }: FileChange): boolean {
  return there !== undefined && wasExecutable !== undefined && isExecutable(there) !== wasExecutable;
}

function modeOf(change: FileChange): string {
  return change.isExecutable ? executableMode : fileMode;
}
