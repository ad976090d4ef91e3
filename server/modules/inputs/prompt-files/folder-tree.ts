/** The longest tree of folders in a prompt (bytes of UTF-8). */
export const maxTreeBytes = 4 * 1024;

/** A folder with the number of files in it and below; the root is `./`. */
export type FolderLine = { path: string; files: number };

/** The folders of a prompt in the order of paths, and how many more there are. */
export type FolderTree = { folders: FolderLine[]; left: number };

/**
 * Returns the folders of files with the number of files in and below each, as many as fit: first those of the root, the largest of each depth first.
 * The same files give the same tree. `own`: the folders that have files themselves, and how many.
 */
export function folderTree(own: readonly FolderLine[]): FolderTree {
  const counts = countFolders(own);
  const byDepth = [...counts].sort(
    ([one, files], [other, others]) => depthOf(one) - depthOf(other) || others - files || (one < other ? -1 : 1),
  );
  const folders: FolderLine[] = [];
  let bytes = 0;
  for (const [path, files] of byDepth) {
    bytes += Buffer.byteLength(lineOf({ path, files }));
    if (bytes > maxTreeBytes - restBytes) break;
    folders.push({ path, files });
  }
  return { folders: folders.sort((one, other) => (one.path < other.path ? -1 : 1)), left: counts.size - folders.length };
}

/** Returns the folders that have files themselves, each with a slash at its end; that of the root is empty. */
export function foldersOf(paths: readonly string[]): FolderLine[] {
  const groups = Map.groupBy(paths, (path) => path.slice(0, path.lastIndexOf('/') + 1));
  return [...groups].map(([path, { length: files }]) => ({ path, files }));
}

/** How a folder is written in a prompt. */
export function lineOf({ path, files }: FolderLine): string {
  return `- ${path} (${files})\n`;
}

/** Room for the line that says how many folders are left out. */
const restBytes = 100;

function countFolders(own: readonly FolderLine[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path, files } of own) {
    const count = (folder: string) => counts.set(folder, (counts.get(folder) ?? 0) + files);
    count('./');
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) count(path.slice(0, at + 1));
  }
  return counts;
}

function depthOf(folder: string): number {
  return folder === './' ? 0 : folder.split('/').length - 1;
}
