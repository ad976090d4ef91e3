import type { InputRefusal } from '../../../../../contract/input.ts';
import { matchesQuery } from '../../sidebar/matches-query.ts';
import type { ChangeOfFile } from './change-of-file.tsx';

/** The part of a file that the tree shows. A file of the base has no change. `leftOut`: why it is known by its name only. */
type TreeFile = { path: string; leftOut?: InputRefusal } & Partial<ChangeOfFile>;

/** What is not loaded yet: folders with the numbers of their files, and folders that have more files than those that are. */
export type Unloaded = { folders: ReadonlyMap<string, number>; more: ReadonlySet<string> };

/** A row of the tree. A folder whose only content is a folder shares a row with it. `count`: of the files of a folder that is not loaded. */
export type TreeRow = { id: string; name: string; level: number; position: number; siblings: number } & (
  | { kind: 'folder'; open: boolean; count?: number | undefined }
  | { kind: 'file'; file: TreeFile }
  | { kind: 'more'; folder: string }
);

type Folder = { path: string; folders: Map<string, Folder>; files: { name: string; file: TreeFile }[] };
type Shown = { closed: ReadonlySet<string>; unloaded: Unloaded };

const allLoaded: Unloaded = { folders: new Map(), more: new Set() };

/**
 * Returns the visible rows, folders before files, each sorted by name. A path is only a chain of names.
 * `closed` holds the ids of collapsed folders.
 */
export function treeRows(files: readonly TreeFile[], closed: ReadonlySet<string>, unloaded: Unloaded = allLoaded): TreeRow[] {
  const root: Folder = { path: '', folders: new Map(), files: [] };
  for (const file of files) {
    const names = namesOf(file.path);
    folderAt(root, names.slice(0, -1)).files.push({ name: names.at(-1) ?? file.path, file });
  }
  for (const path of unloaded.folders.keys()) folderAt(root, namesOf(path));
  const rows: TreeRow[] = [];
  addRows(rows, root, 1, { closed, unloaded });
  return rows;
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

function folderAt(root: Folder, names: readonly string[]): Folder {
  let folder = root;
  for (const name of names) {
    const path = `${folder.path}${name}/`;
    const next = folder.folders.get(name) ?? { path, folders: new Map(), files: [] };
    folder.folders.set(name, next);
    folder = next;
  }
  return folder;
}

/** Returns the files whose path, now or before, contains every word of the query, ignoring case. */
export function searchFiles<File extends TreeFile>(files: readonly File[], query: string): readonly File[] {
  return query.trim() ? files.filter(({ path, from }) => matchesQuery(from ? `${from} ${path}` : path, query)) : files;
}

function addRows(rows: TreeRow[], folder: Folder, level: number, shown: Shown): void {
  const { closed, unloaded } = shown;
  const hasMore = unloaded.more.has(folder.path);
  const folders = [...folder.folders].map(([name, child]) => chain(name, child, unloaded)).sort((a, b) => byName(a.name, b.name));
  const files = folder.files.toSorted((a, b) => byName(a.name, b.name));
  const siblings = folders.length + files.length + (hasMore ? 1 : 0);
  for (const [index, { name, folder: child }] of folders.entries()) {
    const count = unloaded.folders.get(child.path);
    const open = count === undefined && !closed.has(child.path);
    rows.push({ kind: 'folder', id: child.path, name, level, open, count, position: index + 1, siblings });
    if (open) addRows(rows, child, level + 1, shown);
  }
  for (const [index, { name, file }] of files.entries()) {
    rows.push({ kind: 'file', id: file.path, name, level, file, position: folders.length + index + 1, siblings });
  }
  // No path ends with two slashes.
  if (hasMore) rows.push({ kind: 'more', id: `${folder.path}//`, name: '', level, folder: folder.path, position: siblings, siblings });
}

/** Returns the folder, or the first one below it with more than one entry, with all names on the way. */
function chain(name: string, folder: Folder, unloaded: Unloaded): { name: string; folder: Folder } {
  const [only] = folder.folders;
  if (!only || folder.folders.size > 1 || folder.files.length > 0 || unloaded.more.has(folder.path)) return { name, folder };
  return chain(`${name}/${only[0]}`, only[1], unloaded);
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function byName(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : 1);
}
