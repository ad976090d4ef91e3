import type { FileBlock, FileBlocks, RefusedFile } from './file-blocks.ts';
import { OccupiedPaths } from './occupied-paths.ts';
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
 * Returns the files of an answer that fit beside the files of the execution and of its base tree. The path of a file that is there keeps its
 * bytes: one in another normal form means the same file. Removed files take no path. C6.05
 */
export function admitFiles({ files, refused }: FileBlocks, held: readonly HeldFile[], base: readonly BasePath[]): FileBlocks {
  const occupied = new OccupiedPaths();
  const own = new Set<string>();
  let bytes = 0;
  const removed = new Set(held.filter(({ isRemoved }) => isRemoved).map(({ path }) => path));
  for (const file of base) if (!removed.has(file.path)) occupied.occupy(file.path);
  for (const file of held) {
    if (!file.isRemoved) occupied.occupy(file.path);
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
    if (occupied.isTaken(path)) left.push({ path, reason: 'path_taken' });
    else if (fixed.has(path)) left.push({ path, reason: 'not_replaceable' });
    else if (unencodable.has(path)) left.push({ path, reason: 'not_in_encoding' });
    else if (bytes + size > maxBytes || (!own.has(path) && own.size >= maxPaths)) left.push({ path, reason: 'no_room' });
    else {
      occupied.occupy(path);
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
