import type { ObjectStore } from './packs/object-store.ts';
import { Stopped } from './repository.ts';

/** An entry of a tree. `oid` is the name of its object in hexadecimal. */
export type TreeEntry = {
  mode: string;
  /** As the tree has it: it may be no UTF-8. */
  raw: Buffer;
  oid: string;
};

export const fileMode = '100644';
export const executableMode = '100755';
export const folderMode = '40000';

/** What an entry is by its mode. Old programs wrote further modes of files, such as 100664; what no mode of Git is counts as a link. */
export function kindOf({ mode }: TreeEntry): 'file' | 'folder' | 'link' | 'submodule' {
  if (/^0?4/.test(mode)) return 'folder';
  if (mode === '160000') return 'submodule';
  return /^100/.test(mode) ? 'file' : 'link';
}

/** Whether a file may be executed by its owner. */
export function isExecutable({ mode }: TreeEntry): boolean {
  return mode.at(-3) === '7';
}

/** Returns the name as text, where bytes that are no UTF-8 are U+FFFD. */
export function nameOf({ raw }: TreeEntry): string {
  return raw.toString('utf8');
}

/** Whether a path can have the name: it is UTF-8, and names one file below one folder. */
export function isPathName(entry: TreeEntry): boolean {
  const name = nameOf(entry);
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/') && Buffer.from(name).equals(entry.raw);
}

const oidBytes = 20;

/** Reads the entries of a tree, whatever their names are. Throws `Stopped` for an object that is no tree. */
export function readEntries(objects: ObjectStore, oid: string): TreeEntry[] {
  const tree = objects.read(oid, 'tree');
  if (tree === null) throw new Stopped('failed');
  return parseEntries(tree);
}

/** Parses the object of a tree. */
export function parseEntries(bytes: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(' ', at);
    const end = bytes.indexOf(0, space);
    const next = end + 1 + oidBytes;
    if (space < 0 || end < 0 || next > bytes.length) throw new Stopped('failed');
    const mode = bytes.subarray(at, space).toString('latin1');
    entries.push({ mode, raw: bytes.subarray(space + 1, end), oid: bytes.subarray(end + 1, next).toString('hex') });
    at = next;
  }
  return entries;
}

/** Writes a tree, and returns the name of its object. */
export function writeEntries(objects: ObjectStore, entries: readonly TreeEntry[]): string {
  const tree = Buffer.concat(
    entries
      .toSorted((one, other) => Buffer.compare(sortKey(one), sortKey(other)))
      .flatMap(({ mode, raw, oid }) => [Buffer.from(`${mode} `), raw, Buffer.from([0]), Buffer.from(oid, 'hex')]),
  );
  return objects.write('tree', tree);
}

/** Git sorts a folder as if its name ended in a slash. */
function sortKey(entry: TreeEntry): Buffer {
  return kindOf(entry) === 'folder' ? Buffer.concat([entry.raw, Buffer.from('/')]) : entry.raw;
}
