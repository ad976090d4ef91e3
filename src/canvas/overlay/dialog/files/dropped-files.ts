import { inputLimits } from '../../../../../contract/input.ts';

/** One more than a run takes one by one: the server names the limit for it. A larger folder goes as an archive. */
const maxFiles = inputLimits.addedFiles + 1;
/** Folders that belong to no task: the history of a repository, and installed packages. */
const leftOut = new Set(['.git', 'node_modules']);

type Dropped = { items: Iterable<Pick<DataTransferItem, 'webkitGetAsEntry'>>; files: Iterable<File> };

/** `unreadable`: the paths of files that could not be read, and of folders that could not be read to their ends. */
type DroppedFiles = { files: File[]; unreadable: string[] };

/** Returns the files that were dropped, with those in folders, each with its path as its name, by path. */
export async function droppedFiles({ items, files }: Dropped): Promise<DroppedFiles> {
  // The browser forgets what was dropped with the first pause.
  const entries = [...items].map((item) => item.webkitGetAsEntry());
  const plain = [...files];
  if (!entries.some((entry) => entry?.isDirectory)) return { files: plain, unreadable: [] };
  const found: DroppedFiles = { files: [], unreadable: [] };
  for (const entry of entries) if (entry) await collect(entry, '', found);
  return found;
}

async function collect(entry: FileSystemEntry, folder: string, found: DroppedFiles): Promise<void> {
  const path = `${folder}${entry.name}`;
  if (found.files.length >= maxFiles || (entry.isDirectory && leftOut.has(entry.name))) return;
  if (entry.isDirectory) {
    const { entries, isWhole } = await entriesOf((entry as FileSystemDirectoryEntry).createReader());
    if (!isWhole) found.unreadable.push(path);
    for (const one of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) await collect(one, `${path}/`, found);
    return;
  }
  const file = await new Promise<File | null>((resolve) => (entry as FileSystemFileEntry).file(resolve, () => resolve(null)));
  if (file) found.files.push(new File([file], path, { type: file.type, lastModified: file.lastModified }));
  else found.unreadable.push(path);
}

/** Reads a folder, which comes in parts, as far as it can be read. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<{ entries: FileSystemEntry[]; isWhole: boolean }> {
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[] | null>((resolve) => reader.readEntries(resolve, () => resolve(null)));
    if (part === null || part.length === 0) return { entries, isWhole: part !== null };
    entries.push(...part);
  }
}
