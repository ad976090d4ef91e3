import type { FileBlock, FileBlocks, RefusedFile } from './file-blocks.ts';
import type { HeldFile } from './repository.ts';

/** Limits for one execution: the number of paths, and the bytes of all versions together. */
const maxPaths = 1_000;
const maxBytes = 8 * 1024 * 1024;

/**
 * A path of the base tree. A file there is replaceable if it is text: a patch has no other. `isUnencodable`: the file's encoding cannot hold the
 * text that an answer has for it.
 */
export type BasePath = { path: string; isReplaceable: boolean; isUnencodable?: boolean };

/**
 * Returns the files of an answer that fit beside the files of the execution and of its base tree. A new path is refused if it differs from
 * another one only in case, or needs a folder where a file is: one of the two would be lost on unpacking. A file that is there can be written
 * whatever stands beside it. Its path keeps its bytes: one in another normal form means the same file. Removed files take no path. C6.05
 */
export function admitFiles({ files, refused }: FileBlocks, held: readonly HeldFile[], base: readonly BasePath[]): FileBlocks {
  const spellings = new Map<string, string>();
  const known = new Set<string>();
  const folders = new Set<string>();
  const own = new Set<string>();
  let bytes = 0;
  const occupy = ({ path }: { path: string }) => {
    known.add(path);
    spellings.set(path.toLowerCase(), path);
    for (const folder of foldersOf(path)) folders.add(folder);
  };
  const removed = new Set(held.filter(({ isRemoved }) => isRemoved).map(({ path }) => path));
  for (const file of base) if (!removed.has(file.path)) occupy(file);
  for (const file of held) {
    if (!file.isRemoved) occupy(file);
    own.add(file.path);
    bytes += file.size;
  }
  const pathsOf = (files: readonly BasePath[]) => new Set(files.map(({ path }) => path));
  const fixed = pathsOf(base.filter(({ isReplaceable }) => !isReplaceable));
  const unencodable = pathsOf(base.filter(({ isUnencodable }) => isUnencodable));

  const admitted: FileBlock[] = [];
  const left: RefusedFile[] = [];
  const spellingOf = spellingIn(base);
  for (const written of files) {
    const file = { ...written, path: spellingOf(written.path) ?? written.path };
    const { path, size } = file;
    const name = path.toLowerCase();
    const isTaken =
      !known.has(path) && (spellings.has(name) || folders.has(name) || foldersOf(path).some((folder) => spellings.has(folder)));
    if (isTaken) left.push({ path, reason: 'path_taken' });
    else if (fixed.has(path)) left.push({ path, reason: 'not_replaceable' });
    else if (unencodable.has(path)) left.push({ path, reason: 'not_in_encoding' });
    else if (bytes + size > maxBytes || (!own.has(path) && own.size >= maxPaths)) left.push({ path, reason: 'no_room' });
    else {
      occupy(file);
      own.add(path);
      bytes += size;
      admitted.push(file);
    }
  }
  return { files: admitted, refused: [...refused, ...left] };
}

/** Returns a function that finds the path of a base tree that a written one means: the same, or the same characters in another normal form. */
function spellingIn(base: readonly { path: string }[]): (written: string) => string | null {
  const paths = new Set(base.map(({ path }) => path));
  const others = new Map(base.flatMap(({ path }) => (path.normalize('NFC') === path ? [] : [[path.normalize('NFC'), path] as const])));
  return (written) => (paths.has(written) ? written : (others.get(written.normalize('NFC')) ?? null));
}

/** Returns every folder above a file, in lower case. */
function foldersOf(path: string): string[] {
  const names = path.toLowerCase().split('/');
  return names.slice(1).map((_name, index) => names.slice(0, index + 1).join('/'));
}
