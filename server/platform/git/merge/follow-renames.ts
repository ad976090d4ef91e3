import { blobName } from '../blob-name.ts';
import type { FileChange, FileConflict, FollowedRename, TreeListing } from '../git-messages.ts';
import type { ObjectStore } from '../packs/object-store.ts';
import { isExecutable, type TreeEntry } from '../tree-entries.ts';
import { byPath, findRenames, pairSame } from './find-renames.ts';
import { mergeFile } from './merge-file.ts';
import { TreeFiles } from './tree-files.ts';

/** Changes whose paths are those of the tree, the renames that they follow, and the files whose renames conflict. */
type FollowedChanges = { files: FileChange[]; renamed: FollowedRename[]; conflicts: FileConflict[] };

/** A removed or added file. `content` is read where it may be a renamed one; null for a file that is too large to be read. */
type Side = { path: string; oid: string; content: () => Uint8Array | null };

/** With more added files than this, only those with the same bytes are found. */
const maxCompared = 1_000;

/**
 * Follows files that a tree or the run has renamed, as `git merge` does: a change of one side goes to the new path of the other. `origin` lists what both
 * began with. It is asked for only where the tree does not have a file that the run has changed. Renames are found between files: a new file in a
 * folder that was renamed stays where it was written, as with `merge.directoryRenames=false`. What the tree has at the paths of the changes must have
 * been fetched. C7.02
 */
export async function followRenames(
  objects: ObjectStore,
  tree: string,
  files: readonly FileChange[],
  origin: () => Promise<TreeListing | null>,
): Promise<FollowedChanges> {
  const theirs = new TreeFiles(objects, tree);
  const gone: FileChange[] = [];
  const edited: { file: FileChange; there: TreeEntry }[] = [];
  for (const file of files) {
    if (file.before === null || isUntouched(file) || file.isUploaded) continue;
    const there = theirs.file(file.path);
    if (there === null) gone.push(file);
    else if (file.after === null && isChangedIn(there, file)) edited.push({ file, there });
  }
  if (gone.length === 0 && edited.length === 0) return { files: [...files], renamed: [], conflicts: [] };
  const known = gone.length === 0 ? null : await origin();
  const began = new Set(known?.files.map(({ path }) => path));
  const lost = gone.filter(({ path }) => began.has(path));
  const ours = await renamesOf(
    files.filter(({ before, after, isUploaded }) => before !== null && after === null && !isUploaded).map(sideBefore),
    files.filter(({ before, after }) => before === null && after !== null).map(sideAfter),
    new Set([...lost, ...edited.map(({ file }) => file)].map(({ path }) => path)),
  );
  const change = new Changes(files, theirs);
  for (const { file, there } of edited) change.followOwn(file, there, ours.get(file.path));
  if (known === null || lost.length === 0) return change.result();
  const moved = await renamesIn(theirs, known, lost);
  await theirs.fetch([...moved.values()].flatMap((path) => theirs.file(path) ?? []));
  for (const file of lost) change.followTheirs(file, ours.get(file.path), moved.get(file.path));
  return change.result();
}

class Changes {
  readonly #files: Map<string, FileChange>;
  readonly #theirs: TreeFiles;
  readonly #renamed: FollowedRename[] = [];
  readonly #conflicts: FileConflict[] = [];

  constructor(files: readonly FileChange[], theirs: TreeFiles) {
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#theirs = theirs;
  }

  result(): FollowedChanges {
    return { files: [...this.#files.values()], renamed: this.#renamed.sort(byPath), conflicts: this.#conflicts };
  }

  /** The run has renamed a file that the tree has changed. */
  followOwn(file: FileChange, there: TreeEntry, to: string | undefined): void {
    const target = to === undefined ? undefined : this.#files.get(to);
    if (!target) return;
    const now = this.#theirs.content(there);
    const merged = this.#merged({ ...target, before: file.before }, there);
    if (now === null || merged === null) return;
    const isOwnMode = (target.isExecutable ?? false) !== (file.wasExecutable ?? false);
    const isNowExecutable = isOwnMode ? (target.isExecutable ?? false) : isExecutable(there);
    this.#files.set(file.path, { ...file, before: now, wasExecutable: isExecutable(there) });
    this.#files.set(target.path, { ...target, after: merged, isExecutable: isNowExecutable });
    this.#tell(target.path, file.path);
  }

  /** The tree has removed or renamed a file that the run has changed, removed or renamed. */
  followTheirs(file: FileChange, to: string | undefined, theirs: string | undefined): void {
    const { path } = file;
    if (theirs === undefined) {
      if (to !== undefined) this.#conflict({ path: to, reason: 'removed', lines: [] }, path);
      return;
    }
    const target = to === undefined ? undefined : this.#files.get(to);
    if (target && target.path !== theirs) {
      this.#conflict({ path, reason: 'renamed', lines: [], names: { ours: target.path, theirs } }, target.path);
    } else if (target) {
      this.#files.delete(path);
      this.#files.set(theirs, { ...target, before: file.before, wasExecutable: file.wasExecutable });
    } else if (file.after === null) {
      this.#conflict({ path, reason: 'moved', lines: [], names: { ours: path, theirs } });
    } else {
      this.#moveTo(theirs, file);
    }
  }

  /** The run has changed a file that has a new path. A file that the run has made there must be the same. */
  #moveTo(path: string, file: FileChange): void {
    const beside = this.#files.get(path);
    this.#files.delete(file.path);
    if (!beside || beside.after === null) {
      this.#files.set(path, { ...file, path });
      this.#tell(path, file.path);
      return;
    }
    const merged = this.#merged({ ...file, path }, this.#theirs.file(path));
    if (merged !== null) this.#contentOf(mergeFile(beside, merged));
  }

  #merged(change: FileChange, there: TreeEntry | null): Uint8Array | null {
    const theirs = there && this.#theirs.content(there);
    // A file that is too large to be read is no text.
    if (there && theirs === null) return this.#contentOf({ path: change.path, reason: 'binary', lines: [] });
    return this.#contentOf(mergeFile(change, theirs));
  }

  #contentOf(merged: ReturnType<typeof mergeFile>): Uint8Array | null {
    if ('content' in merged) return merged.content;
    this.#conflict(merged);
    return null;
  }

  /** A file that conflicts is told once: what else the run did to it is not tried. */
  #conflict(conflict: FileConflict, ...others: readonly string[]): void {
    this.#conflicts.push(conflict);
    for (const path of [conflict.path, ...others]) this.#files.delete(path);
  }

  #tell(path: string, from: string): void {
    this.#renamed.push({ path, from });
  }
}

/** Returns the new paths of files that the tree has not any more. */
async function renamesIn(theirs: TreeFiles, known: TreeListing, lost: readonly FileChange[]): Promise<Map<string, string>> {
  const now = theirs.list().files.flatMap(({ path, oid }) => (oid === null ? [] : [{ path, oid }]));
  const [before, there] = [new Set(known.files.map(({ path }) => path)), new Set(now.map(({ path }) => path))];
  const isRead = (path: string) => known.paths.length === 0 || known.paths.some((one) => path === one || path.startsWith(`${one}/`));
  const contents = new Map(lost.map(({ path, before: content }) => [path, content ?? new Uint8Array()]));
  const removed = known.files.flatMap(({ path, oid }): Side[] =>
    oid === null || there.has(path) ? [] : [{ path, oid, content: () => contents.get(path) ?? new Uint8Array() }],
  );
  const added = now.flatMap(({ path, oid }): Side[] =>
    before.has(path) || !isRead(path) ? [] : [{ path, oid, content: () => theirs.content({ oid }) }],
  );
  return renamesOf(removed, added, new Set(contents.keys()), (targets) => theirs.fetch(targets));
}

/**
 * Returns the new paths of removed files, as `git merge` finds them: first those with the same bytes among all, then the most similar ones to those that
 * the other side has changed. `fetch` is given those whose bytes are compared.
 */
async function renamesOf(
  removed: readonly Side[],
  added: readonly Side[],
  relevant: ReadonlySet<string>,
  fetch: (targets: readonly Side[]) => Promise<void> = async () => {},
): Promise<Map<string, string>> {
  const same = pairSame(removed.toSorted(byPath), added.toSorted(byPath), ({ oid }) => oid);
  const found = new Map(same.map(([source, target]) => [source.path, target.path]));
  const taken = new Set(same.map(([, target]) => target.path));
  const sources = removed.filter(({ path }) => relevant.has(path) && !found.has(path));
  const targets = added.filter(({ path }) => !taken.has(path));
  if (sources.length === 0 || targets.length > maxCompared) return found;
  await fetch(targets);
  for (const { path, from } of findRenames(read(sources), read(targets))) found.set(from, path);
  return found;
}

function read(sides: readonly Side[]): { path: string; bytes: Uint8Array }[] {
  return sides.flatMap(({ path, content }) => {
    const bytes = content();
    return bytes === null ? [] : [{ path, bytes }];
  });
}

function sideOf(path: string, bytes: Uint8Array | null): Side {
  const content = bytes ?? new Uint8Array();
  return { path, oid: blobName(content), content: () => content };
}

function sideBefore({ path, before }: FileChange): Side {
  return sideOf(path, before);
}

function sideAfter({ path, after }: FileChange): Side {
  return sideOf(path, after);
}

/** Whether a file is as the run began with it. */
export function isUntouched({ before, after, wasExecutable = false, isExecutable: isNow = wasExecutable }: FileChange): boolean {
  const isSame = before === null || after === null ? before === after : Buffer.compare(before, after) === 0;
  return isSame && isNow === wasExecutable;
}

function isChangedIn(there: TreeEntry, { before, wasExecutable }: FileChange): boolean {
  return there.oid !== blobName(before ?? new Uint8Array()) || (wasExecutable !== undefined && isExecutable(there) !== wasExecutable);
}
