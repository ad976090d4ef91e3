import { type InputFile, type InputRefusal, inputLimits } from '../../../contract/input.ts';
import { OccupiedPaths } from '../files/index.ts';
import type { StoredFile } from './repository.ts';

/**
 * The limits of a set of input files, with what counts towards them. These are its own files, and the account's bytes in sets that no run
 * has used.
 */
type InputSetLimits = {
  /** Counts a file of the set, or returns why it does not fit. A file at a path of the set replaces the one there. */
  admit: (file: { path: string; bytes: number }, from: InputFile['from']) => InputRefusal | null;
  /** Whether another file of the set leaves no place for a path: another spelling of it, or a file where it needs a folder. */
  isTaken: (path: string) => boolean;
};

/** What a file counts as at least towards the bytes of sets that no run has used: empty files take rows, too. */
export const leastBytes = 512;

/** `unsentBytes`: of all unused sets of the account, with this one. `base`: the paths of the set's base, which counts by itself. */
export function createInputSetLimits(stored: readonly StoredFile[], unsentBytes: number, base: readonly string[] = []): InputSetLimits {
  const files = new Map<string, { bytes: number; from: InputFile['from'] }>();
  const occupied = new OccupiedPaths();
  let total = 0;
  let added = 0;
  let unsent = unsentBytes;
  const hold = (path: string, bytes: number, from: InputFile['from']) => {
    const before = files.get(path);
    total += bytes - (before?.bytes ?? 0);
    added += Number(from === 'file') - Number(before?.from === 'file');
    files.set(path, { bytes, from });
    occupied.occupy(path);
  };
  for (const path of base) occupied.occupy(path);
  for (const { path, bytes, from } of stored) hold(path, bytes, from);
  return {
    admit({ path, bytes }, from) {
      if (occupied.isTaken(path)) return 'path_taken';
      const before = files.get(path);
      const grows = bytes - (before?.bytes ?? 0);
      const unsentGrows = Math.max(bytes, leastBytes) - (before ? Math.max(before.bytes, leastBytes) : 0);
      const addsOne = from === 'file' && before?.from !== 'file';
      if ((addsOne && added >= inputLimits.addedFiles) || (!before && files.size >= inputLimits.files)) return 'count_exceeded';
      if (total + grows > inputLimits.setBytes) return 'set_full';
      if (unsent + unsentGrows > inputLimits.unsentBytes) return 'account_full';
      unsent += unsentGrows;
      hold(path, bytes, from);
      return null;
    },
    isTaken: (path) => occupied.isTaken(path),
  };
}
