import type { GitSource, InputFile, InputRefusal } from '../../../../contract/input.ts';
import { ApiError, orNotFound } from '../../../http/api-error.ts';
import type { AdmissionQueue } from '../../../http/limits/admission-queue.ts';
import type { Db } from '../../../platform/database/database.ts';
import { GitFailed } from '../../../platform/git/git-failed.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { InputRefused } from '../input-refused.ts';
import { createInputSetLimits } from '../input-set-limits.ts';
import { type LeftOut, maxLeftOut } from '../left-out.ts';
import { InputRepository, type InputSetRow } from '../repository.ts';
import { gitBases } from './git-bases.ts';
import { refusalOf } from './git-refusal.ts';
import type { ReadRepository } from './read-repository.ts';

type AddingDeps = {
  db: Db;
  newId: () => string;
  /** One write of an account at a time. */
  writes: AdmissionQueue;
  repositoryLimits: { bytes: number };
};

const mebibyte = 1024 * 1024;

/** Makes what was read of a repository the base of a set. */
export async function addBase(
  deps: AddingDeps,
  userId: OwnerId,
  id: string,
  { url, paths, read }: { url: string; paths: readonly string[]; read: ReadRepository },
): Promise<{ row: InputSetRow; leftOut: LeftOut[] }> {
  const { db, newId, writes, repositoryLimits } = deps;
  const git: GitSource = {
    url,
    ref: read.ref,
    sha: read.sha,
    ...(read.isBranch && { isBranch: true as const }),
    ...(paths.length > 0 && { paths: [...paths] }),
  };
  const leftOut: LeftOut[] = [];
  const row = await writes.run(userId, () =>
    db.transaction(async (tx) => {
      const inside = new InputRepository(tx);
      const locked = orNotFound(await inside.lock(userId, id));
      if (locked.sealedAt !== null) throw new ApiError('input_sealed');
      if (locked.git) throw new InputRefused('git_taken');
      const bases = gitBases(tx, userId);
      const known = await bases.find(read.tree, paths.join('\n'));
      const base = known ?? newId();
      if (known === null) {
        const bytes = read.base === null ? await bases.add({ id: base, tree: read.tree, paths: paths.join('\n') }, read.files) : null;
        if (bytes === null) throw new ApiError('busy', { retryAfterSeconds: 2 });
        if (bytes > repositoryLimits.bytes)
          throw refusalOf(new GitFailed('too_large', { details: { limit: repositoryLimits.bytes / mebibyte } }));
      }
      const own = await inside.ownFiles(id);
      const hidden = besideOthers(own, read.files);
      const kept = await inside.setBase(id, base, git, hidden);
      leftOut.push(...(await bases.leftOut(base, maxLeftOut)));
      for (const path of kept) leftOut.push({ path, reason: 'path_kept' });
      for (const path of hidden) leftOut.push({ path, reason: 'path_taken' });
      await inside.putLeftOut(
        locked,
        hidden.map((path) => ({ path, reason: 'path_taken', from: 'git' })),
      );
      return { ...locked, git, baseId: base };
    }),
  );
  leftOut.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { row, leftOut };
}

/** Returns the files of a base that a user's own files leave no place for: another spelling of a path, or a folder where a file is. */
function besideOthers(own: readonly InputFile[], files: readonly { path: string; reason: InputRefusal | null }[]): string[] {
  if (own.length === 0) return [];
  const limits = createInputSetLimits(own, 0, []);
  return files.filter(({ path, reason }) => reason === null && limits.isTaken(path)).map(({ path }) => path);
}
