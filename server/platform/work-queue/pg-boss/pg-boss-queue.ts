import type pg from 'pg';
import { type FetchOptions, PgBoss } from 'pg-boss';
import { createPreparedStatements, transact } from '../../database/prepared-statements.ts';
import { type Job, type JobMemo, type JobOutcome, type QueueName, queueNames, type WorkOptions, type WorkQueue } from '../work-queue.ts';
import { bossDatabase, inTransaction } from './boss-database.ts';
import { confirmingJobs, holdsJob, rememberProgress, returningJobs } from './claims.ts';
import { deadLetters, deadQueue } from './dead-letters.ts';
import { forgetGroups } from './forget-groups.ts';
import { insertJob, removeJob } from './insert-job.ts';
import { type ConfirmedJob, createJobRunner, type JobRunner, type StoredJob } from './job-runner.ts';

type WorkQueueDeps = {
  /** A few connections of its own. */
  pool: pg.Pool;
  /** For confirmations of running jobs: each of its waits is much shorter than `heartbeatSeconds`. */
  heartbeats: pg.Pool;
  /** For the listening connection. */
  connectionString: string;
  /** True when no other process works on this database: jobs marked as running were left by a dead one. */
  isAlone: boolean;
  intervals: QueueIntervals;
  log: { warn: (about: object, line: string) => void; error: (about: object, line: string) => void };
};

/** The schema of pg-boss's tables. */
export const queueSchema = 'artel_queue';
/** The namespace of this server's advisory locks: an arbitrary number. */
const schemaLock = 7_265_441;
/** Attempts at one job. The one after the last only buries it. */
const maxAttempts = 5;

type QueueIntervals = {
  /** A job with an older heartbeat has lost its process (s). */
  heartbeatSeconds: number;
  /** How often lost jobs are looked for (ms). */
  superviseMs: number;
  /** How often work without a job is looked for (ms). */
  recoverMs: number;
};
export const usualQueueIntervals: QueueIntervals = { heartbeatSeconds: 15, superviseMs: 2_000, recoverMs: 10_000 };
/** The shortest time that pg-boss takes as a queue's option (s). */
const minHeartbeatSeconds = 10;
/** The pause before an attempt is repeated (s). */
const retryDelaySeconds = 1;
/** The longest attempt that pg-boss allows (s): runs and calls have shorter limits. */
const expireInSeconds = 24 * 60 * 60 - 1;
/** The maximum time that a job waits, and that a dead letter is kept (s). */
const retentionSeconds = 10 * 365 * 24 * 60 * 60;
/** The number of the advisory lock for fetches: processes fetch the jobs of one queue one after another. */
const fetchLock = 7_265_442;
/** Jobs that are confirmed in one statement. */
const confirmedAtOnce = 1_000;
/** The time after an outage of the database in which other processes' jobs are not taken (ms), since they could not be confirmed. */
const calmMs = 5_000;

const queueOptions = {
  retryLimit: maxAttempts,
  retryDelay: retryDelaySeconds,
  retryBackoff: false,
  expireInSeconds,
  retentionSeconds,
  deleteAfterSeconds: 3_600,
  deadLetter: deadQueue,
};

/** The work queue on pg-boss, in the server's PostgreSQL. */
export function pgBossQueue({ pool, heartbeats, connectionString, isAlone, intervals, log }: WorkQueueDeps): WorkQueue {
  const run = createPreparedStatements(pool);
  const runHeartbeat = createPreparedStatements(heartbeats);
  const dead = deadLetters(queueSchema, run);
  const runners = new Map<QueueName, JobRunner>();
  const recoveries: (() => Promise<void>)[] = [];
  let waiting = new Map<string, number>();
  let outageAt = Number.NEGATIVE_INFINITY;
  let timers: NodeJS.Timeout[] = [];
  let isStopping = false;

  /** Reserves a job for the process that sent it, which fetches it a moment later. */
  const pending = new Set<QueueName>();
  const onSent = (queue: string | null): void => {
    for (const [name, runner] of runners) {
      if (queue === null) runner.look();
      else if (queue === name && !pending.has(name)) {
        pending.add(name);
        setTimeout(() => {
          pending.delete(name);
          runner.look();
        }, otherProcessMs).unref();
      }
    }
  };
  const boss = new PgBoss({
    db: bossDatabase({ pool, run, connectionString, onSent, log }),
    schema: queueSchema,
    useListenNotify: true,
    supervise: false,
    monitorIntervalSeconds: 1,
    schedule: false,
    registerInstance: false,
    openTelemetry: { enabled: false },
    // An operator may have created the schema for a role that cannot create one.
    createSchema: false,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'The work queue reports an error.'));
  boss.on('warning', ({ message, data }) => log.warn({ data }, `The work queue warns: ${message}`));

  /**
   * Fetches jobs. pg-boss counts a group's running jobs and takes new ones in one statement, which does not see what another process takes
   * at the same time. So processes that share the database fetch the jobs of a limited queue one after another.
   */
  const fetchJobs = (queue: QueueName, options: FetchOptions): Promise<StoredJob[]> => {
    const all = { ...options, includeMetadata: true } as const;
    if (isAlone || options.groupConcurrency === undefined) return boss.fetch<JobMemo | null>(queue, all);
    return transact(pool, async (within) => {
      await within({ text: 'SELECT pg_advisory_xact_lock($1, hashtext($2))', values: [fetchLock, queue] });
      return boss.fetch<JobMemo | null>(queue, { ...all, db: inTransaction(within) });
    });
  };

  const returnJobs = async (queue: QueueName, jobs: readonly StoredJob[]): Promise<void> => {
    if (jobs.length === 0) return;
    const values = [jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount)];
    await run({ text: returningJobs(queueSchema, queue, { notify: !isAlone }), values });
  };

  const confirmJobs = async (queue: QueueName, jobs: readonly ConfirmedJob[]): Promise<ReadonlySet<string>> => {
    const held = new Set<string>();
    for (let from = 0; from < jobs.length; from += confirmedAtOnce) {
      const some = jobs.slice(from, from + confirmedAtOnce);
      const values = [
        some.map(({ stored }) => stored.id),
        some.map(({ stored }) => stored.retryCount),
        some.map(({ memo }) => memo && JSON.stringify(memo)),
      ];
      for (const { id } of await runHeartbeat({ text: confirmingJobs(queueSchema, queue), values })) held.add(String(id));
    }
    return held;
  };

  /** Fails the attempts of silent processes, unless the database was away just now. */
  const supervise = async (): Promise<void> => {
    try {
      await Promise.all([...runners.values()].map((runner) => runner.heartbeat()));
      if (performance.now() - outageAt < calmMs) return;
      await boss.supervise();
      const queues = await boss.getQueues([...queueNames]);
      waiting = new Map(queues.map(({ name, queuedCount }) => [name, queuedCount]));
    } catch (error) {
      outageAt = performance.now();
      log.warn({ err: error }, 'Lost jobs could not be looked for now.');
    }
  };
  const recover = async (): Promise<void> => {
    for (const one of [...recoveries, () => dead.collect()]) {
      await one().catch((error: unknown) => log.warn({ err: error }, 'Work without a job could not be looked for now.'));
    }
  };
  /** Repeats `work`, each time `ms` after its end. */
  const repeat = (work: () => Promise<void>, ms: number): void => {
    const index = timers.length;
    const next = (): void => {
      timers[index] = setTimeout(() => void work().then(() => isStopping || next()), ms).unref();
    };
    next();
  };

  const wake = (queue: QueueName, delayMs = 0): void => {
    const look = () => runners.get(queue)?.look();
    if (delayMs === 0) look();
    else setTimeout(look, delayMs + delayMarginMs).unref();
  };

  return {
    async send(within, queue, jobs) {
      const stored = jobs.map(({ id, group, delayMs = 0 }) => ({
        id,
        group: { id: group },
        ...(delayMs > 0 ? { startAfter: String(delayMs / 1_000) } : {}),
      }));
      await boss.insert(queue, stored, { db: inTransaction(within) });
      for (const { delayMs = 0 } of jobs) if (delayMs > 0) wake(queue, delayMs);
    },

    insertJob: (queue, job, at) => insertJob(queueSchema, queue, job, { ...at, notify: !isAlone }),

    removeJob: (queue, id, at) => removeJob(queueSchema, queue, id, at),

    rememberProgress: (queue, claim, { progress, grantsAttempts }, at) =>
      rememberProgress(queueSchema, queue, claim, { progress, attempts: grantsAttempts ? maxAttempts : null }, at),

    holdsJob: (queue, claim, place) => holdsJob(queueSchema, queue, claim, place),

    take: (queue, job) => runners.get(queue)?.take(job) ?? null,

    wake,

    async cancel(within, queue, ids) {
      await boss.deleteJob(queue, [...ids], { db: inTransaction(within) });
    },

    async bury(within, queue, { id, claim }, reason) {
      await boss.fail(queue, { id, retryCount: claim }, { message: reason }, { db: inTransaction(within) });
      await dead.collect(within);
    },

    work(queue: QueueName, options: WorkOptions, handler: (job: Job) => Promise<JobOutcome>) {
      runners.set(queue, createJobRunner({ boss, queue, options, isAlone, maxAttempts, handler, fetchJobs, returnJobs, confirmJobs, log }));
      recoveries.push(options.recover);
    },

    unfinishedJobs: (queue) => `SELECT id FROM ${queueSchema}.job WHERE name = '${queue}' AND state < 'completed'`,

    exhaustedJobs: () =>
      `SELECT id FROM ${queueSchema}.job WHERE name <> '${deadQueue}' AND state = 'failed' UNION ALL SELECT job_id FROM dead_letters`,

    async start() {
      await makeSchema(pool);
      await boss.start();
      const heartbeatSeconds = Math.max(minHeartbeatSeconds, intervals.heartbeatSeconds);
      for (const [name, options] of [
        [deadQueue, { retentionSeconds }] as const,
        ...queueNames.map((name) => [name, { ...queueOptions, heartbeatSeconds, notify: !isAlone }] as const),
      ]) {
        if (await boss.getQueue(name)) await boss.updateQueue(name, options);
        else await boss.createQueue(name, options);
      }
      if (intervals.heartbeatSeconds < minHeartbeatSeconds) await shortenHeartbeats(pool, intervals);
      if (isAlone) await failLeft(boss, pool);
      await recover();
      for (const runner of runners.values()) runner.start();
      repeat(supervise, intervals.superviseMs);
      repeat(recover, intervals.recoverMs);
    },

    stop() {
      isStopping = true;
      for (const runner of runners.values()) runner.stop();
    },

    async drain(graceMs) {
      await Promise.all([...runners.values()].map((runner) => runner.drain(graceMs)));
    },

    async close() {
      isStopping = true;
      for (const timer of timers) clearTimeout(timer);
      timers = [];
      await boss.stop({ graceful: false });
    },

    counts: (queue) => ({ running: runners.get(queue)?.count() ?? 0, waiting: waiting.get(queue) ?? 0 }),

    findDead: dead.find,

    async takeDead(within, { id, queue, jobId }) {
      const isTaken = await dead.take(within, id);
      // A job that is sent again under its own id must not meet the failed one.
      if (isTaken) await boss.deleteJob(queue, jobId, { db: inTransaction(within) });
      return isTaken;
    },

    forgetDead: dead.forget,
    forgetGroups: (within, groups) => forgetGroups(queueSchema, within, groups),
    deadJobs: dead.list,
  };
}

/** How long other processes leave a job to its sender, which has the data in memory (ms). */
const otherProcessMs = 250;
/** A delayed job is due by the database's clock a moment after it was stored. */
const delayMarginMs = 25;

/** Stores heartbeats that are too short for pg-boss's own call. New jobs take them from these rows. */
async function shortenHeartbeats(pool: pg.Pool, { heartbeatSeconds }: QueueIntervals): Promise<void> {
  await pool.query(`UPDATE ${queueSchema}.queue SET heartbeat_seconds = $1 WHERE name = ANY ($2::text[])`, [heartbeatSeconds, queueNames]);
}

/** Creates pg-boss's schema if it is missing. A role without the right to create one can be given a schema. */
async function makeSchema(pool: pg.Pool): Promise<void> {
  const { rowCount } = await pool.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [queueSchema]);
  if (rowCount !== 0) return;
  await transact(pool, async (run) => {
    // Several processes may start at once.
    await run({ text: 'SELECT pg_advisory_xact_lock($1)', values: [schemaLock] });
    await run({ text: `CREATE SCHEMA IF NOT EXISTS ${queueSchema}`, values: [] });
  });
}

/** Fails the attempts that an earlier process of this database has left. They are repeated at once: their process is known to be dead. */
async function failLeft(boss: PgBoss, pool: pg.Pool): Promise<void> {
  for (const queue of queueNames) {
    const { rows } = await pool.query<{ id: string }>(`SELECT id FROM ${queueSchema}.job WHERE name = $1 AND state = 'active'`, [queue]);
    if (rows.length === 0) continue;
    const ids = rows.map(({ id }) => id);
    await boss.fail(queue, ids, { message: 'The process ended.' });
    const dueNow = `UPDATE ${queueSchema}.job SET start_after = ${queueSchema}.job_now() WHERE name = $1 AND id = ANY ($2::uuid[]) AND state = 'retry'`;
    await pool.query(dueNow, [queue, ids]);
  }
}
