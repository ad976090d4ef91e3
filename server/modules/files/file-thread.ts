import type { Rename } from '../../platform/git/merge/find-renames.ts';
import { createThreadPool, type ThreadLog } from '../../platform/processes/thread-pool.ts';
import { type ComparedFile, type FileDiff, type FileVersions, maxEdits } from './compare-file.ts';
import type { Comparison, RenameSearch } from './file-worker.ts';
import type { ZipEntry } from './zip-archive.ts';

/** The most queued tasks. Calls wait in an `AdmissionQueue` with one task each, so that more would be a bug. */
const maxTasks = 100;

/** The work of one call (squares of edits): twenty files with nearly all lines changed. It limits the files after them. */
const maxWork = 20 * maxEdits ** 2;
const maxEditsBeyond = 50;

/**
 * Compares and packs files on one thread, since that takes up to seconds of processor time.
 */
export function createFileThread(log: ThreadLog) {
  const module = new URL('./file-worker.ts', import.meta.url);
  const pool = createThreadPool({ module, maxQueue: maxTasks, log, onIdleError: 'The thread for files failed' });
  const compared = (comparison: Comparison): Promise<ComparedFile> => pool.run(comparison, { name: 'compare' });
  return {
    /**
     * Compares files with their earlier versions, in order. After many differing lines in total, files count as rewritten sooner. `isPatch`: see
     * `compareFile`.
     */
    async compare(files: readonly FileVersions[], { isPatch = false } = {}): Promise<FileDiff[]> {
      const changes: FileDiff[] = [];
      let work = 0;
      for (const versions of files) {
        const { diff, edits } = await compared({ versions, options: { limit: work < maxWork ? maxEdits : maxEditsBeyond, isPatch } });
        work += edits ** 2;
        if (diff) changes.push(diff);
      }
      return changes;
    },
    /** Returns which of the added files are removed ones in another place. */
    renames: (search: RenameSearch): Promise<Rename[]> => pool.run(search, { name: 'renames' }),
    pack: (entries: readonly ZipEntry[]): Promise<Uint8Array> => pool.run(entries, { name: 'pack' }),
    close: (): Promise<void> => pool.destroy(),
  };
}

export type FileThread = ReturnType<typeof createFileThread>;
