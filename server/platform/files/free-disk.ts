import { statfs } from 'node:fs/promises';

/** A figure is used for so long (ms): a disk fills by less than the floor in this time. */
const keptMs = 1_000;

/** Returns a function that tells how many bytes are free on the disk of a folder, as of at most a second ago. */
export function createFreeDisk(folder: string, elapsed: () => number): () => Promise<number> {
  let known: { at: number; bytes: Promise<number> } | null = null;
  return () => {
    const at = elapsed();
    if (known === null || at - known.at > keptMs) known = { at, bytes: statfs(folder).then(({ bavail, bsize }) => bavail * bsize) };
    return known.bytes;
  };
}
