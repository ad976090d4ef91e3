import type { Logger } from 'pino';
import type { Idempotency } from './http/idempotency.ts';
import type { ApiKeys } from './modules/api-keys/index.ts';
import type { AuthService } from './modules/auth/index.ts';
import { settleLostCalls } from './modules/budgets/index.ts';
import type { Runs } from './modules/executions/index.ts';
import type { Hooks } from './modules/hooks/index.ts';
import { removeUnsentSets, removeUnusedBases } from './modules/inputs/index.ts';
import { removeUnreleased } from './modules/pipelines/index.ts';
import type { VersionTrimming } from './modules/projects/index.ts';
import {
  createRetention,
  createThinning,
  createVersionRetention,
  type HousekeepingTask,
  housekeepingTasks,
  inBatches,
  removeOldCalls,
} from './modules/retention/index.ts';
import { removeUnusedVersions } from './modules/team-versions/index.ts';
import type { Telegram } from './modules/telegram/index.ts';
import { removeOldForgeWork, type Triggers } from './modules/triggers/index.ts';
import type { Database } from './platform/database/database.ts';
import type { RunStatement } from './platform/database/prepared-statements.ts';
import { createRounds } from './platform/rounds.ts';
import type { WorkQueue } from './platform/work-queue/work-queue.ts';

type HousekeepingDeps = {
  database: Pick<Database, 'db' | 'work'>;
  run: RunStatement;
  queue: WorkQueue;
  auth: Pick<AuthService, 'removeExpired' | 'removeOldTokens'>;
  keys: Pick<ApiKeys, 'removeOld'>;
  hooks: Pick<Hooks, 'removeOld'>;
  triggers: Pick<Triggers, 'removeOld'>;
  chats: Pick<Telegram['chats'], 'removeOldLinks'>;
  idempotency: Pick<Idempotency, 'removeOld'>;
  trimming: Pick<VersionTrimming, 'trimOversized'>;
  runs: Pick<Runs, 'stopLeftTrials'>;
  log: Pick<Logger, 'warn'>;
  keepRunsDays: number | null;
  keepEventsDays: number;
  keepVersionsDays: number;
  now: () => Date;
};

const housekeepingEveryMs = 6 * 60 * 60 * 1000;

/**
 * Removes what has run out, from `start` on, as `tableBounds` says of each table. Stops trials of a step that were left without a choice.
 */
export function createHousekeeping({
  database,
  run,
  queue,
  auth,
  keys,
  hooks,
  triggers,
  chats,
  idempotency,
  trimming,
  runs,
  log,
  keepRunsDays,
  keepEventsDays,
  keepVersionsDays,
  now,
}: HousekeepingDeps) {
  const { db, work } = database;
  const removeOldRuns = createRetention({ pool: work.pool, queue, keepDays: keepRunsDays, now });
  const thinning = createThinning({ pool: work.pool, db: work.db, queue, keepDays: keepEventsDays, now });
  const thinVersions = createVersionRetention({ db: work.db, keepDays: keepVersionsDays, now });
  const tasks: Record<HousekeepingTask, (signal: AbortSignal) => Promise<unknown>> = {
    lostCalls: () => settleLostCalls(run),
    expiredSignIns: () => auth.removeExpired(),
    oldTokens: (signal) => inBatches(signal, () => auth.removeOldTokens()),
    oldKeys: () => keys.removeOld(),
    oldDeliveries: (signal) => inBatches(signal, () => hooks.removeOld()),
    oldFires: (signal) => inBatches(signal, () => triggers.removeOld()),
    oldForgeWork: (signal) => inBatches(signal, () => removeOldForgeWork(work.db, now())),
    oldLinks: () => chats.removeOldLinks(),
    oldAnswers: (signal) => inBatches(signal, () => idempotency.removeOld()),
    unsentFiles: () => removeUnsentSets(db, now()),
    leftTrials: () => runs.stopLeftTrials(),
    oversizedVersions: () => trimming.trimOversized(),
    oldDeadLetters: (signal) => thinning.deadLetters(signal),
    oldThoughts: (signal) => thinning.thoughts(signal),
    oldRuns: (signal) => removeOldRuns(signal),
    oldEvents: (signal) => thinning.runs(signal),
    unusedBases: () => removeUnusedBases(work.db),
    unreleasedPipelines: () => removeUnreleased(work.db),
    unusedTeams: () => removeUnusedVersions(work.db),
    oldCalls: (signal) => removeOldCalls(run, signal),
    oldVersions: (signal) => thinVersions(signal),
  };
  /** One task after another: at once, each would open its own database connection, of which PostgreSQL keeps 2 MB. */
  const rounds = createRounds(async (signal) => {
    for (const task of housekeepingTasks) {
      if (signal.aborted) return;
      await tasks[task](signal).catch((error: unknown) => log.warn({ err: error, task }, 'Removing what has run out failed'));
    }
  });
  return { start: () => rounds.start(housekeepingEveryMs), stop: rounds.stop };
}
