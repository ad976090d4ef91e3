import { Tinypool } from 'tinypool';
import { type ComparedFile, type FileDiff, type FileVersions, maxEdits } from './compare-file.ts';
import type { Comparison } from './file-worker.ts';
import type { ZipEntry } from './zip-archive.ts';

/** A thread without work ends (ms). It takes some 20 MB and 100 ms to start. */
const idleMs = 30_000;
/** Two versions of a file and a comparison's own records stay far below it (MiB). */
const maxHeapMb = 256;
/** Calls wait in an `AdmissionQueue`, one task at a time each. More than these tasks is a bug. */
const maxTasks = 100;

/** Work of one call (squares of edits), as much as twenty files take in which nearly all lines differ, and the limit of the files after them. */
const maxWork = 20 * maxEdits ** 2;
const maxEditsBeyond = 50;

/**
 * Comparing and packing files takes the processor up to seconds. One thread does it, so that no other call waits. It starts with the first
 * task. A task that needs too much memory fails, and the server goes on.
 */
export function createFileThread(log: { error: (about: object, line: string) => void }) {
  const pool = new Tinypool({
    filename: new URL('./file-worker.ts', import.meta.url),
    ...{ minThreads: 0, maxThreads: 1, idleTimeout: idleMs, maxQueue: maxTasks },
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  // A task's own failure fails its call; this one is of a thread without work.
  pool.on('error', (error) => log.error({ err: error }, 'The thread for files failed'));
  const compared = (comparison: Comparison): Promise<ComparedFile> => pool.run(comparison, { name: 'compare' });
  return {
    /** How the files differ from what they were, in their order. Once many lines differ in all, files count as written anew sooner. */
    async compare(files: readonly FileVersions[]): Promise<FileDiff[]> {
      const changes: FileDiff[] = [];
      let work = 0;
      for (const versions of files) {
        const { diff, edits } = await compared({ versions, maxEdits: work < maxWork ? maxEdits : maxEditsBeyond });
        work += edits ** 2;
        if (diff) changes.push(diff);
      }
      return changes;
    },
    pack: (entries: readonly ZipEntry[]): Promise<Uint8Array> => pool.run(entries, { name: 'pack' }),
    close: (): Promise<void> => pool.destroy(),
  };
}

export type FileThread = ReturnType<typeof createFileThread>;
