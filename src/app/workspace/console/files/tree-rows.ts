import { matchesQuery } from '../../sidebar/matches-query.ts';
import type { ChangeOfFile } from './change-of-file.tsx';

/** The part of a file that the tree shows. A file of the base has no change. */
export type TreeFile = { path: string } & Partial<ChangeOfFile>;

/** A row of the tree. A folder whose only content is a folder shares a row with it. */
export type TreeRow = { id: string; name: string; level: number; position: number; siblings: number } & (
  | { kind: 'folder'; open: boolean }
  | { kind: 'file'; file: TreeFile }
);

type Folder = { path: string; folders: Map<string, Folder>; files: { name: string; file: TreeFile }[] };

/**
 * Returns the visible rows, folders before files, each sorted by name. A path is only a chain of names.
 * `closed` holds the ids of collapsed folders.
 */
export function treeRows(files: readonly TreeFile[], closed: ReadonlySet<string>): TreeRow[] {
  const root: Folder = { path: '', folders: new Map(), files: [] };
  for (const file of files) {
    const names = file.path.split('/').filter((name) => name !== '');
    let folder = root;
    for (const name of names.slice(0, -1)) {
      const path = `${folder.path}${name}/`;
      const next = folder.folders.get(name) ?? { path, folders: new Map(), files: [] };
      folder.folders.set(name, next);
      folder = next;
    }
    folder.files.push({ name: names.at(-1) ?? file.path, file });
  }
  const rows: TreeRow[] = [];
  addRows(rows, root, 1, closed);
  return rows;
}

/** Returns the files whose path, now or before, contains every word of the query, ignoring case. */
export function searchFiles<File extends TreeFile>(files: readonly File[], query: string): readonly File[] {
  return query.trim() ? files.filter(({ path, from }) => matchesQuery(from ? `${from} ${path}` : path, query)) : files;
}

function addRows(rows: TreeRow[], folder: Folder, level: number, closed: ReadonlySet<string>): void {
  const folders = [...folder.folders].map(([name, child]) => chain(name, child)).sort((a, b) => byName(a.name, b.name));
  const files = folder.files.toSorted((a, b) => byName(a.name, b.name));
  const siblings = folders.length + files.length;
  for (const [index, { name, folder: child }] of folders.entries()) {
    const open = !closed.has(child.path);
    rows.push({ kind: 'folder', id: child.path, name, level, open, position: index + 1, siblings });
    if (open) addRows(rows, child, level + 1, closed);
  }
  for (const [index, { name, file }] of files.entries()) {
    rows.push({ kind: 'file', id: file.path, name, level, file, position: folders.length + index + 1, siblings });
  }
}

/** Returns the folder, or the first one below it with more than one entry, with all names on the way. */
function chain(name: string, folder: Folder): { name: string; folder: Folder } {
  const [only] = folder.folders;
  if (!only || folder.folders.size > 1 || folder.files.length > 0) return { name, folder };
  return chain(`${name}/${only[0]}`, only[1]);
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function byName(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : 1);
}
