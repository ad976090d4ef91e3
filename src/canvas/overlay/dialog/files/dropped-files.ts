import { inputLimits } from '../../../../../contract/input.ts';

/** One more than a run takes one by one: the server names the limit for it. A larger folder goes as an archive. */
const maxFiles = inputLimits.addedFiles + 1;
/** Folders that belong to no task: the history of a repository, and installed packages. */
const leftOut = new Set(['.git', 'node_modules']);

type Dropped = { items: Iterable<Pick<DataTransferItem, 'webkitGetAsEntry'>>; files: Iterable<File> };

/** Returns the files that were dropped, with those in folders, each with its path as its name, by path. */
export async function droppedFiles({ items, files }: Dropped): Promise<File[]> {
  // The browser forgets what was dropped with the first pause.
  const entries = [...items].map((item) => item.webkitGetAsEntry());
  const plain = [...files];
  if (!entries.some((entry) => entry?.isDirectory)) return plain;
  const found: File[] = [];
  for (const entry of entries) if (entry) await collect(entry, '', found);
  return found;
}

async function collect(entry: FileSystemEntry, folder: string, found: File[]): Promise<void> {
  const path = `${folder}${entry.name}`;
  if (found.length >= maxFiles || (entry.isDirectory && leftOut.has(entry.name))) return;
  if (entry.isDirectory) {
    const inside = await entriesOf((entry as FileSystemDirectoryEntry).createReader());
    for (const one of inside.toSorted((a, b) => (a.name < b.name ? -1 : 1))) await collect(one, `${path}/`, found);
    return;
  }
  const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
  found.push(new File([file], path, { type: file.type, lastModified: file.lastModified }));
}

/** Reads a folder, which comes in parts. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    all.push(...part);
  }
}
