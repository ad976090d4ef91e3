import { type InputFile, type InputRefusal, inputLimits } from '../../../contract/input.ts';
import type { StoredFile } from './repository.ts';

/**
 * The limits of a set of input files, with what counts towards them. These are its own files, and the account's bytes in sets that no run
 * has used.
 */
export type InputSetLimits = {
  /** Counts a file of the set, or returns why it does not fit. A file at a path of the set replaces the one there. */
  admit: (file: { path: string; bytes: number }, from: InputFile['from']) => InputRefusal | null;
  /** Counts a file that is stored behind one of the set, or returns why it does not fit. */
  admitReplaced: (file: { bytes: number }) => InputRefusal | null;
};

/** `unsentBytes`: of all unused sets of the account, with this one. */
export function createInputSetLimits(stored: readonly StoredFile[], unsentBytes: number): InputSetLimits {
  const files = new Map<string, { bytes: number; from: InputFile['from'] }>();
  const spellings = new Map<string, string>();
  const folders = new Set<string>();
  let total = 0;
  let added = 0;
  let unsent = unsentBytes;
  const hold = (path: string, bytes: number, from: InputFile['from']) => {
    const before = files.get(path);
    total += bytes - (before?.bytes ?? 0);
    added += Number(from === 'file') - Number(before?.from === 'file');
    files.set(path, { bytes, from });
    spellings.set(path.toLowerCase(), path);
    for (const folder of foldersOf(path)) folders.add(folder);
  };
  for (const { path, bytes, from } of stored) hold(path, bytes, from);
  return {
    admit({ path, bytes }, from) {
      const name = path.toLowerCase();
      const known = spellings.get(name);
      if ((known !== undefined && known !== path) || folders.has(name) || foldersOf(path).some((folder) => spellings.has(folder)))
        return 'path_taken';
      const before = files.get(path);
      const grows = bytes - (before?.bytes ?? 0);
      const addsOne = from === 'file' && before?.from !== 'file';
      if ((addsOne && added >= inputLimits.addedFiles) || (!before && files.size >= inputLimits.files)) return 'count_exceeded';
      if (total + grows > inputLimits.setBytes) return 'set_full';
      if (unsent + grows > inputLimits.unsentBytes) return 'account_full';
      unsent += grows;
      hold(path, bytes, from);
      return null;
    },
    admitReplaced({ bytes }) {
      if (unsent + bytes > inputLimits.unsentBytes) return 'account_full';
      unsent += bytes;
      return null;
    },
  };
}

/** Returns every folder above a file, in lower case. */
function foldersOf(path: string): string[] {
  const names = path.toLowerCase().split('/');
  return names.slice(1).map((_name, index) => names.slice(0, index + 1).join('/'));
}
