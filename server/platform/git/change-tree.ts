import { blobName } from './blob-name.ts';
import type { FileChange, FileConflict } from './git-messages.ts';
import { isUntouched } from './merge/follow-renames.ts';
import { mergeFile } from './merge/merge-file.ts';
import type { ObjectStore } from './packs/object-store.ts';
import { executableMode, fileMode, folderMode, isExecutable, kindOf, readEntries, type TreeEntry, writeEntries } from './tree-entries.ts';

export type ChangedTree = {
  oid: string;
  /** Files that were also changed in the tree, or whose place is taken by something else. */
  conflicts: FileConflict[];
};

/**
 * Makes the changes of files in a tree; null for an empty one. A file is compared three ways. It is changed where the tree has what the run began
 * with, and kept where the tree has the change already. Otherwise it is merged line by line, and a conflict where that fails. With `overwrites`
 * the tree's own files do not matter. A folder without files is removed. The blobs of files that are merged must have been fetched.
 */
export function changeTree(objects: ObjectStore, tree: string | null, files: readonly FileChange[], overwrites: boolean): ChangedTree {
  const change = new TreeChange(objects, overwrites);
  const oid = change.writeFolder(
    tree,
    files.map((file) => ({ rest: file.path.split('/'), change: file })),
  );
  return { oid: oid ?? writeEntries(objects, []), conflicts: change.conflicts };
}

/** A change with the rest of its path, below a folder. */
type ChangeBelow = { rest: string[]; change: FileChange };
/** The entries of a folder, by the bytes of their names: a name that is no UTF-8 stays as it is. */
type Entries = Map<string, TreeEntry>;

class TreeChange {
  readonly conflicts: FileConflict[] = [];
  readonly #objects: ObjectStore;
  readonly #overwrites: boolean;

  constructor(objects: ObjectStore, overwrites: boolean) {
    this.#objects = objects;
    this.#overwrites = overwrites;
  }

  /** Returns the folder's tree after its changes; null for a folder without entries. */
  writeFolder(oid: string | null, changes: readonly ChangeBelow[]): string | null {
    const before = oid === null ? [] : readEntries(this.#objects, oid);
    const entries: Entries = new Map(before.map((entry) => [keyOf(entry.raw), entry]));
    for (const [name, below] of Map.groupBy(changes, ({ rest: [first = ''] }) => first)) {
      const file = below.find(({ rest }) => rest.length === 1)?.change;
      const inside = below.filter(({ rest }) => rest.length > 1).map(({ rest, change }) => ({ rest: rest.slice(1), change }));
      // What is removed makes way for what takes its name: a folder for a file, or a file for a folder.
      if (file?.after === null) this.#changeFile(entries, name, file);
      if (inside.length > 0) this.#changeInside(entries, name, inside, file);
      if (file && file.after !== null) this.#changeFile(entries, name, file);
    }
    const after = [...entries.values()];
    if (after.length === before.length && before.every((entry) => entries.get(keyOf(entry.raw)) === entry)) return oid;
    return after.length === 0 ? null : writeEntries(this.#objects, after);
  }

  #changeInside(entries: Entries, name: string, inside: readonly ChangeBelow[], file: FileChange | undefined): void {
    const raw = Buffer.from(name);
    const there = entries.get(keyOf(raw));
    const isTaken = (there && kindOf(there) !== 'folder') || (file && file.after !== null);
    if (isTaken) this.#conflict('place', ...inside.flatMap(({ change }) => (change.after === null ? [] : [change.path])));
    if (there && kindOf(there) !== 'folder') return;
    const possible = isTaken ? inside.filter(({ change }) => change.after === null) : inside;
    const folder = this.writeFolder(there?.oid ?? null, possible);
    if (folder === null) entries.delete(keyOf(raw));
    else if (folder !== there?.oid) entries.set(keyOf(raw), { mode: folderMode, raw, oid: folder });
  }

  #changeFile(entries: Entries, name: string, change: FileChange): void {
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
    const merged = isFree ? { content: change.after } : this.#merge(change, theirs);
    if ('reason' in merged) {
      this.conflicts.push(merged);
      return;
    }
    const oid = this.#objects.write('blob', merged.content);
    entries.set(keyOf(raw), { mode: there && !this.#hasOtherMode(there, change) ? there.mode : modeOf(change), raw, oid });
  }

  #merge(change: FileChange, theirs: string | null): { content: Uint8Array } | FileConflict {
    if (theirs === null) return mergeFile(change, null);
    const content = this.#objects.read(theirs, 'blob');
    return content === null ? { path: change.path, reason: 'binary', lines: [] } : mergeFile(change, content);
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
