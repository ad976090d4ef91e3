import type { Db } from '../../platform/database/database.ts';
import { thinAgentChanges } from '../agents/index.ts';
import { thinVersions } from '../projects/index.ts';
import { dayMs, inBatches } from './in-batches.ts';

type VersionRetentionDeps = {
  db: Db;
  /** The time that all versions of a canvas are kept (days). */
  keepDays: number;
  now: () => Date;
};

/** Thins the versions of canvases and the changes of prompts that are older than the configured time, batch by batch, until none is left or `signal` aborts. */
export function createVersionRetention({ db, keepDays, now }: VersionRetentionDeps): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    const before = new Date(now().getTime() - keepDays * dayMs);
    await inBatches(signal, () => thinVersions(db, before));
    await inBatches(signal, () => thinAgentChanges(db, before));
  };
}
