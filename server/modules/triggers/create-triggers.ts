import type pg from 'pg';
import { throttle } from '../../../async/throttle.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Db } from '../../platform/database/database.ts';
import { eq } from '../../platform/database/drizzle.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { KnownForge } from '../../platform/git/forge-calls.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { ApiKeys } from '../api-keys/index.ts';
import type { KeyBudgets } from '../budgets/index.ts';
import { createDueEmails, type DueEmailsDeps } from '../hooks/index.ts';
import type { ReleasedTeams } from '../released-teams/index.ts';
import { FireReconciler } from './fire-reconciler.ts';
import { Fires, type FiresDeps } from './fires.ts';
import { createForges, type ForgesDeps } from './forge/create-forges.ts';
import { createForgeStates } from './forge/forge-states.ts';
import { ForgeThreads } from './forge/threads.ts';
import { createRetryDeadInstant } from './retry-dead-instant.ts';
import { ScheduleClock } from './schedule-clock.ts';
import { Triggers } from './service.ts';
import { fires as firesTable } from './tables.ts';

export type TriggersDeps = Pick<FiresDeps, 'calls' | 'executions' | 'storage'> & {
  /** For API calls. */
  db: Db;
  /** For the worker. */
  work: { db: Db; pool: pg.Pool; run: RunStatement };
  queue: WorkQueue;
  bus: Pick<Bus, 'onEvent'>;
  secrets: SecretBox;
  keys: ApiKeys;
  budgets: KeyBudgets;
  teams: Pick<ReleasedTeams, 'get' | 'list' | 'byId' | 'lastCosts'>;
  resolveProject: (userId: OwnerId, id: string) => Promise<string>;
  emails: Pick<DueEmailsDeps, 'mailer' | 'countEmail'> & { ownerOf: (userId: OwnerId) => Promise<Owner | null> };
  address: () => string;
  now: () => Date;
  /** What events of a forge need besides. */
  forges: Pick<ForgesDeps, 'forge' | 'targetOf' | 'readRun' | 'openQuestions' | 'publish' | 'stop' | 'answer' | 'runBudgets'>;
  log: { warn: (about: object, line: string) => void };
};
type Owner = Exclude<Awaited<ReturnType<FiresDeps['ownerOf']>>, null> & { isVerified: boolean };

export type TriggersOfServer = {
  triggers: Triggers;
  fires: Fires;
  /** Reads the repository of a trigger soon. */
  wakeForge: (triggerId: string) => Promise<void>;
  /** The kind of server that a project is published to; null for none. */
  forgeOf: (projectId: string) => Promise<KnownForge | null>;
  /** Retries an instant that was given up. */
  retryDeadInstant: ReturnType<typeof createRetryDeadInstant>;
};

/** The shortest time between two looks for runs that have ended (ms). */
const reconcileEveryMs = 500;
const ends = ['execution.completed', 'execution.failed', 'execution.cancelled'] as const;

/** Creates the triggers of projects, and the clock of their schedules. */
export function createTriggers(deps: TriggersDeps): TriggersOfServer {
  const { work, emails, address, log } = deps;
  const ownerOf = (userId: OwnerId) => emails.ownerOf(userId);
  const budgetOf = (keyId: string) => deps.budgets.ofKey(keyId);
  const { targetOf } = deps.forges;
  const [threads, threadsOfWork] = [new ForgeThreads({ ...deps, targetOf }), new ForgeThreads({ ...deps, db: work.db, targetOf })];
  const teamOf = (teamId: string) => deps.teams.byId(teamId);
  const ports = { ...deps, ownerOf, budgetOf, teamOf, threads };
  const [fires, ofWork] = [new Fires(ports), new Fires({ ...ports, db: work.db, threads: threadsOfWork })];
  const sendEmails = createDueEmails(
    { ...emails, run: work.run, address },
    {
      table: 'triggers',
      column: 'name',
      subject: 'mail.triggerPaused.subject',
      text: 'mail.triggerPaused.text',
      words: (name) => ({ name }),
    },
  );
  const onFailed = (error: unknown) => log.warn({ err: error }, 'Something that a trigger has begun could not go on now.');
  const reconciler = new FireReconciler({ db: work.db, fires: ofWork, sendEmails, onFailed });
  new ScheduleClock({ ...work, queue: deps.queue, fires: ofWork, reconcile: () => reconciler.reconcile(), onFailed });
  const fireOf = async (executionId: string) => {
    const { outcome, isSettled } = firesTable;
    const [fire] = await work.db.select({ outcome, isSettled }).from(firesTable).where(eq(firesTable.executionId, executionId)).limit(1);
    return fire ?? null;
  };
  const forges = createForges({
    ...deps,
    ...work,
    ...deps.forges,
    fireOf,
    fires: ofWork,
    threads: threadsOfWork,
    teamOf,
    ownerOf,
    onFailed,
  });
  const reconcile = () => {
    // What has become of a run is said before its result is handed on.
    reconciler
      .reconcile()
      .then(() => forges.wakeForRuns())
      .catch(onFailed);
  };
  const reconcileSoon = throttle(reconcile, { ms: reconcileEveryMs, leading: false, later });
  deps.bus.onEvent(ends, () => {
    // Without a trigger nothing waits for the end of a run.
    if (deps.queue.isInUse('trigger')) reconcileSoon();
  });
  const shown = createForgeStates({ db: deps.db, targetOf });
  const triggers = new Triggers({ ...deps, fires, targetOf, forges: shown });
  return {
    triggers,
    fires,
    wakeForge: (triggerId) => forges.wake(triggerId),
    forgeOf: async (projectId) => (await targetOf(projectId))?.forge ?? null,
    retryDeadInstant: createRetryDeadInstant({ pool: work.pool, queue: deps.queue }),
  };
}

function later(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
}
