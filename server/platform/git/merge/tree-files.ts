import { readBlob } from 'isomorphic-git';
import type { TreeListing } from '../git-messages.ts';
import type { Repository } from '../repository.ts';
import { isPathName, kindOf, nameOf, readEntries, type TreeEntry } from '../tree-entries.ts';

/** Deeper folders of a tree are not looked into. */
const maxDepth = 100;

/** The files of a tree. Each folder is read once. */
export class TreeFiles {
  readonly #repository: Repository;
  readonly #tree: string;
  readonly #folders = new Map<string, Promise<TreeEntry[]>>();

  constructor(repository: Repository, tree: string) {
    this.#repository = repository;
    this.#tree = tree;
  }

  /** Returns the entry of a file; null where the tree has none at the path, or something else. */
  async file(path: string): Promise<TreeEntry | null> {
    const names = path.split('/');
    let oid = this.#tree;
    for (const [depth, name] of names.entries()) {
      const entry = (await this.#entries(oid)).find(({ raw }) => raw.equals(Buffer.from(name)));
      const isLast = depth === names.length - 1;
      if (!entry || kindOf(entry) !== (isLast ? 'file' : 'folder')) return null;
      if (isLast) return entry;
      oid = entry.oid;
    }
    return null;
  }

  async content({ oid }: Pick<TreeEntry, 'oid'>): Promise<Uint8Array> {
    const { fs, dir } = this.#repository;
    return (await readBlob({ fs, dir, oid })).blob;
  }

  /** Returns all files by path. */
  async list(): Promise<TreeListing> {
    const files: { path: string; oid: string }[] = [];
    const walk = async (oid: string, prefix: string, depth: number): Promise<void> => {
      for (const entry of await this.#entries(oid)) {
        if (!isPathName(entry)) continue;
        const path = `${prefix}${nameOf(entry)}`;
        if (kindOf(entry) === 'file') files.push({ path, oid: entry.oid });
        else if (kindOf(entry) === 'folder' && depth < maxDepth) await walk(entry.oid, `${path}/`, depth + 1);
      }
    };
    await walk(this.#tree, '', 0);
    return { files, paths: [] };
  }

  #entries(oid: string): Promise<TreeEntry[]> {
    const known = this.#folders.get(oid) ?? readEntries(this.#repository, oid);
    this.#folders.set(oid, known);
    return known;
  }
}
