import type { TreeListing } from '../git-messages.ts';
import type { ObjectStore } from '../packs/object-store.ts';
import { isPathName, kindOf, nameOf, readEntries, type TreeEntry } from '../tree-entries.ts';

/** Deeper folders of a tree are not looked into. */
const maxDepth = 100;

/** The files of a tree. Each folder is parsed once. */
export class TreeFiles {
  readonly #objects: ObjectStore;
  readonly #tree: string;
  readonly #folders = new Map<string, Map<string, TreeEntry>>();

  constructor(objects: ObjectStore, tree: string) {
    this.#objects = objects;
    this.#tree = tree;
  }

  /** Returns the entry of a file; null where the tree has none at the path, or something else. */
  file(path: string): TreeEntry | null {
    const names = path.split('/');
    let oid = this.#tree;
    for (const [depth, name] of names.entries()) {
      const entry = this.#entries(oid).get(Buffer.from(name).toString('latin1'));
      const isLast = depth === names.length - 1;
      if (!entry || kindOf(entry) !== (isLast ? 'file' : 'folder')) return null;
      if (isLast) return entry;
      oid = entry.oid;
    }
    return null;
  }

  /** Returns the bytes of a file; null for one that is too large to be read, or was not fetched. */
  content({ oid }: Pick<TreeEntry, 'oid'>): Buffer | null {
    return this.#objects.read(oid, 'blob');
  }

  /** Fetches the bytes of those of these files that are not here, by one call. */
  fetch(files: readonly Pick<TreeEntry, 'oid'>[]): Promise<void> {
    return this.#objects.fetchBlobs(files.map(({ oid }) => oid));
  }

  /** Returns all files by path. */
  list(): TreeListing {
    const files: { path: string; oid: string }[] = [];
    const walk = (oid: string, prefix: string, depth: number): void => {
      for (const entry of this.#entries(oid).values()) {
        if (!isPathName(entry)) continue;
        const path = `${prefix}${nameOf(entry)}`;
        if (kindOf(entry) === 'file') files.push({ path, oid: entry.oid });
        else if (kindOf(entry) === 'folder' && depth < maxDepth) walk(entry.oid, `${path}/`, depth + 1);
      }
    };
    walk(this.#tree, '', 0);
    return { files, paths: [] };
  }

  #entries(oid: string): Map<string, TreeEntry> {
    const known = this.#folders.get(oid);
    if (known) return known;
    const entries = new Map(readEntries(this.#objects, oid).map((entry) => [entry.raw.toString('latin1'), entry]));
    this.#folders.set(oid, entries);
    return entries;
  }
}
