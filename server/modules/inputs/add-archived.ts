import type { InputRefusal } from '../../../contract/input.ts';
import { distinct } from '../../platform/database/unique-rows.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { shownPath } from '../files/index.ts';
import { withDrawn } from './documents/document-texts.ts';
import type { DrawnText } from './documents/draw-texts.ts';
import { InputRefused } from './input-refused.ts';
import { createInputSetLimits } from './input-set-limits.ts';
import type { LeftOut } from './left-out.ts';
import { pathOf, type ReadFile, readInputFile } from './read-input-file.ts';
import type { InputRepository, InputSetRow } from './repository.ts';
import type { FoundFile } from './unpack-archive.ts';

type Found = AsyncIterable<FoundFile> | Iterable<FoundFile>;

type Adding = {
  /** Of the account whose set this is. */
  userId: OwnerId;
  inside: InputRepository;
  /** Stores files within the account's limit. */
  storing: (files: readonly ReadFile[], write: () => Promise<void>) => Promise<void>;
};

/** Bytes and files that are stored by one statement. */
const batchBytes = 4 * 1024 * 1024;
const batchFiles = 200;
/** Reasons that hold for the rest of an archive too: nothing of it is taken. */
const ofTheWhole: ReadonlySet<InputRefusal> = new Set(['count_exceeded', 'set_full', 'account_full']);

/** Adds what was found in an archive to a set that is locked. Returns what the set does not have. */
export async function addArchived(
  { userId, inside, storing }: Adding,
  locked: InputSetRow,
  { found, texts }: { found: Found; texts: ReadonlyMap<string, DrawnText> },
): Promise<LeftOut[]> {
  const leftOut: LeftOut[] = [];
  const stored = await inside.ownFiles(locked.id);
  const limits = createInputSetLimits(stored, (await inside.unsent(userId)).bytes, await inside.basePaths(locked.id));
  const own = new Map(stored.filter((file) => file.from === 'file').map((file) => [file.path, file]));
  /** The names that the files of this addition were found under, by path. */
  const names = new Map<string, string>();
  let batch: ReadFile[] = [];
  let size = 0;
  const flush = async () => {
    await storing(batch, () => inside.put(locked.id, 'archive', distinct(batch, pathOf)));
    [batch, size] = [[], 0];
  };
  for await (const one of found) {
    const read = 'reason' in one ? ({ ok: false, reason: one.reason } as const) : await readInputFile(one.path, one.content, true);
    const kept = read.ok ? own.get(read.file.path) : undefined;
    const other = read.ok ? names.get(read.file.path) : undefined;
    if (other !== undefined) {
      leftOut.push({ path: one.path, reason: 'path_twice', other });
      continue;
    }
    const refusal = read.ok ? (kept ? null : limits.admit(read.file, 'archive')) : read.reason;
    if (refusal && ofTheWhole.has(refusal)) throw new InputRefused(refusal, one.path);
    if (refusal || !read.ok) {
      leftOut.push({ path: one.path, reason: refusal ?? 'binary' });
      continue;
    }
    names.set(read.file.path, one.path);
    const file = { ...withDrawn(read.file, texts.get(one.path)), executable: 'isExecutable' in one && one.isExecutable };
    if (kept && kept.sha256 !== file.sha256) leftOut.push({ path: one.path, reason: 'path_kept' });
    if (!kept) batch.push(file);
    size += read.file.bytes;
    if (size >= batchBytes || batch.length >= batchFiles) await flush();
  }
  await flush();
  const missing = leftOut
    // The set has these paths.
    .filter(({ reason }) => reason !== 'path_kept' && reason !== 'path_twice')
    .map(({ path, reason }) => ({ path: shownPath(path), reason, from: 'archive' as const }));
  await inside.putLeftOut(locked, missing);
  return leftOut;
}
