import type pg from 'pg';
import { PgBoss, type QueueOptions } from 'pg-boss';
import { elapsed } from '../../clock.ts';
import { createPreparedStatements, type RunStatement, transact } from '../../database/prepared-statements.ts';
import { type JobClaim, type NewJob, type QueueName, queueNames, type TakenJob, type WorkQueue } from '../work-queue.ts';
import { bossDatabase, inTransaction } from './boss-database.ts';
import { DeadLetters } from './dead-letters.ts';
import { JobRunner, maxAttempts, type RunnerDeps } from './job-runner.ts';
import * as jobTable from './job-table.ts';
import { QueueUse } from './queue-use.ts';
import { type SuspectIntervals, Suspects, usualSuspectIntervals } from './suspects.ts';

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
  log: RunnerDeps['log'];
};

/** The namespace of this server's advisory locks: an arbitrary number. */
const schemaLock = 7_265_441;

type QueueIntervals = SuspectIntervals & {
  /** A job with an older heartbeat has lost its process (s). */
  heartbeatSeconds: number;
  /** How often lost jobs are looked for (ms). */
  superviseMs: number;
  /** How often work without a job is looked for (ms). */
  recoverMs: number;
};
export const usualQueueIntervals: QueueIntervals = {
  heartbeatSeconds: 15,
  superviseMs: 2_000,
  recoverMs: 10_000,
  ...usualSuspectIntervals,
};
/** The shortest time that pg-boss takes as a queue's option (s). */
const minHeartbeatSeconds = 10;
/** The pause before an attempt is repeated (s). */
const retryDelaySeconds = 1;
/** The longest attempt that pg-boss allows (s): runs and calls have shorter limits. */
const expireInSeconds = 24 * 60 * 60 - 1;
/** The maximum time that a job waits, and that a failed one is kept for the list of dead letters (s). */
const retentionSeconds = 10 * 365 * 24 * 60 * 60;
/** The time after an outage of the database in which other processes' jobs are not taken (ms), since they could not be confirmed. */
const calmMs = 5_000;
/** How long other processes leave a job to its sender, which has the data in memory (ms). */
const otherProcessMs = 250;
/** The longest delay for which a process waits with a timer of its own (ms). */
const longestTimerMs = 5 * 60_000;
/** A delayed job is due by the database's clock a moment after it was stored. */
const delayMarginMs = 25;

/** The work queue on pg-boss, in the server's PostgreSQL. */
export class PgBossQueue implements WorkQueue {
  readonly #deps: WorkQueueDeps;
  readonly #boss: PgBoss;
  readonly #shared: RunnerDeps;
  readonly #dead: DeadLetters;
  readonly #runners = new Map<QueueName, JobRunner>();
  readonly #recoveries = new Map<QueueName, () => Promise<void>>();
  readonly #use: QueueUse;
  /** Queues whose new jobs are left to their sender for a moment. */
  readonly #pending = new Set<QueueName>();
  #waiting = new Map<string, number>();
  #outageAt = Number.NEGATIVE_INFINITY;
  #timers: NodeJS.Timeout[] = [];
  #isStopping = false;

  readonly holdsJob = jobTable.holdsJob;
  readonly removeJob = jobTable.removeJob;
  readonly unfinishedJobs = jobTable.unfinishedJobs;
  readonly exhaustedJobs = jobTable.exhaustedJobs;
  readonly forgetGroups = jobTable.forgetGroups;

  constructor(deps: WorkQueueDeps) {
    const { pool, heartbeats, connectionString, isAlone, intervals, log } = deps;
    const run = createPreparedStatements(pool);
    const onSent = (queue: string | null) => this.#onSent(queue);
    this.#deps = deps;
    this.#dead = new DeadLetters(run);
    this.#use = new QueueUse({ run, isAlone, elapsed });
    this.#boss = new PgBoss({
      db: bossDatabase({ pool, run, connectionString, onSent, log }),
      schema: jobTable.queueSchema,
      useListenNotify: true,
      supervise: false,
      monitorIntervalSeconds: 1,
      schedule: false,
      registerInstance: false,
      openTelemetry: { enabled: false },
      // An operator may have created the schema for a role that cannot create one.
      createSchema: false,
    });
    this.#boss.on('error', (error) => log.warn({ err: error }, 'The work queue reports an error.'));
    this.#boss.on('warning', ({ message, data }) => log.warn({ data }, `The work queue warns: ${message}`));
    const suspects = new Suspects(run, intervals);
    this.#shared = { boss: this.#boss, pool, run, runHeartbeat: createPreparedStatements(heartbeats), suspects, isAlone, log };
  }

  async send(within: RunStatement, queue: QueueName, jobs: readonly NewJob[]): Promise<void> {
    const stored = jobs.map(({ id, group, delayMs = 0 }) => ({
      id,
      group: { id: group },
      ...(delayMs > 0 ? { startAfter: String(delayMs / 1_000) } : {}),
    }));
    await this.#boss.insert(queue, stored, { db: inTransaction(within) });
    // The queue is not noted as in use here: the transaction is still open, and other nodes would ask before its end.
    for (const { delayMs = 0 } of jobs) if (delayMs > 0) this.#lookAfter(queue, delayMs);
  }

  insertJob: WorkQueue['insertJob'] = (queue, job, at) => jobTable.insertJob(queue, job, { ...at, notify: !this.#deps.isAlone });

  rememberProgress: WorkQueue['rememberProgress'] = (queue, claim, { progress, grantsAttempts }, at) =>
    jobTable.rememberProgress(queue, claim, { progress, attempts: grantsAttempts ? maxAttempts : null }, at);

  take(queue: QueueName, job: NewJob): TakenJob | null {
    return this.#runners.get(queue)?.take(job) ?? null;
  }

  wake(queue: QueueName, delayMs = 0): void {
    this.noteUse(queue);
    this.#lookAfter(queue, delayMs);
  }

  markInUse(queue: QueueName): void {
    this.#use.mark(queue);
    this.#tellOfUse(queue);
  }

  noteUse(queue: QueueName): void {
    if (this.#use.mark(queue)) this.#tellOfUse(queue);
  }

  isInUse(queue: QueueName): boolean {
    return this.#use.isInUse(queue);
  }

  async cancel(within: RunStatement, queue: QueueName, ids: readonly string[]): Promise<void> {
    await this.#boss.deleteJob(queue, [...ids], { db: inTransaction(within) });
  }

  async bury(within: RunStatement, queue: QueueName, { id, claim }: JobClaim, reason: string): Promise<void> {
    await this.#boss.fail(queue, { id, retryCount: claim }, { message: reason }, { db: inTransaction(within) });
    await this.#dead.collect(within);
  }

  work: WorkQueue['work'] = (queue, options, handler) => {
    this.#runners.set(queue, new JobRunner(this.#shared, { queue, options, handler, isInUse: () => this.isInUse(queue) }));
    this.#recoveries.set(queue, options.recover);
    if (options.inUse !== undefined) this.#use.watch(queue, options.inUse);
  };

  async start(): Promise<void> {
    const { pool, isAlone, intervals } = this.#deps;
    await makeSchema(pool);
    await this.#boss.start();
    for (const name of queueNames) await this.#setQueue(name, { ...optionsOf(intervals), notify: !isAlone });
    if (intervals.heartbeatSeconds < minHeartbeatSeconds)
      await pool.query(jobTable.settingHeartbeat, [intervals.heartbeatSeconds, queueNames]);
    // Alone on this database: the processes of all jobs that are at work have ended.
    if (isAlone) await this.#interrupt('all');
    await this.#recover();
    for (const runner of this.#runners.values()) runner.start();
    this.#repeat(() => this.#supervise(), intervals.superviseMs);
    this.#repeat(() => this.#recover(), intervals.recoverMs);
  }

  stop(): void {
    this.#isStopping = true;
    for (const runner of this.#runners.values()) runner.stop();
  }

  async drain(graceMs: number): Promise<void> {
    await Promise.all([...this.#runners.values()].map((runner) => runner.drain(graceMs)));
  }

  async close(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#boss.stop({ graceful: false });
  }

  counts(queue: QueueName): { running: number; waiting: number } {
    return { running: this.#runners.get(queue)?.count() ?? 0, waiting: this.#waiting.get(queue) ?? 0 };
  }

  takeDead: WorkQueue['takeDead'] = (within, { id }) => this.#dead.take(within, id);
  findDead: WorkQueue['findDead'] = (id) => this.#dead.find(id);
  forgetDead: WorkQueue['forgetDead'] = (within, jobIds) => this.#dead.forget(within, jobIds);
  keepDead: WorkQueue['keepDead'] = (queue, kept) => this.#dead.keep(queue, kept);
  removeOldDead: WorkQueue['removeOldDead'] = (before) => this.#dead.removeOld(before);
  deadJobs: WorkQueue['deadJobs'] = (page) => this.#dead.list(page);

  #lookAfter(queue: QueueName, delayMs: number): void {
    const look = () => this.#runners.get(queue)?.look();
    if (delayMs === 0) look();
    // A later job is found by the usual looks: a timer for each would be kept for months.
    else if (delayMs <= longestTimerMs) setTimeout(look, delayMs + delayMarginMs).unref();
  }

  #tellOfUse(queue: QueueName): void {
    const { isAlone, log } = this.#deps;
    if (isAlone) return;
    this.#shared.run({ text: jobTable.notifyingOfUse, values: [queue] }).catch((error: unknown) => {
      log.warn({ err: error, queue }, 'Other nodes could not be told of a use of a queue; they find it within a minute.');
    });
  }

  /** Leaves a job for a moment to the process that sent it, which fetches it at once. */
  #onSent(queue: string | null): void {
    if (queue === null) this.#use.askSoon();
    for (const [name, runner] of this.#runners) {
      if (queue === name) this.#use.mark(name);
      if (queue === null) runner.look();
      else if (queue === name && !this.#pending.has(name)) {
        this.#pending.add(name);
        setTimeout(() => {
          this.#pending.delete(name);
          runner.look();
        }, otherProcessMs).unref();
      }
    }
  }

  async #setQueue(name: string, options: QueueOptions & { notify: boolean }): Promise<void> {
    if (await this.#boss.getQueue(name)) await this.#boss.updateQueue(name, { ...options, deadLetter: null });
    else await this.#boss.createQueue(name, options);
  }

  /** Returns the jobs whose process has ended. They begin at once, but what is seen to be the cause. */
  async #interrupt(which: 'all' | 'silent'): Promise<void> {
    const { pool, intervals } = this.#deps;
    const { rows } = await pool.query(jobTable.interruptingJobs(which), [queueNames, intervals.suspectPauseMs]);
    if (rows.length > 0) for (const runner of this.#runners.values()) runner.look();
  }

  /** Returns the jobs of silent processes, unless the database was away just now. */
  async #supervise(): Promise<void> {
    try {
      await Promise.all([...this.#runners.values()].map((runner) => runner.heartbeat()));
      if (performance.now() - this.#outageAt < calmMs) return;
      // Alone, a process has just confirmed all jobs that are at work.
      if (!this.#deps.isAlone) await this.#interrupt('silent');
      await this.#boss.supervise();
      const queues = await this.#boss.getQueues([...queueNames]);
      this.#waiting = new Map(queues.map(({ name, queuedCount }) => [name, queuedCount]));
    } catch (error) {
      this.#outageAt = performance.now();
      this.#deps.log.warn({ err: error }, 'Lost jobs could not be looked for now.');
    }
  }

  async #recover(): Promise<void> {
    const warn = (error: unknown) => this.#deps.log.warn({ err: error }, 'Work without a job could not be looked for now.');
    await this.#use.ask().catch(warn);
    for (const [queue, recover] of this.#recoveries) if (this.isInUse(queue)) await recover().catch(warn);
    await this.#dead.collect().catch(warn);
  }

  /** Repeats `work`, each time `ms` after its end. */
  #repeat(work: () => Promise<void>, ms: number): void {
    const index = this.#timers.length;
    const next = (): void => {
      this.#timers[index] = setTimeout(() => void work().then(() => this.#isStopping || next()), ms).unref();
    };
    next();
  }
}

const optionsOf = ({ heartbeatSeconds }: QueueIntervals) => ({
  retryLimit: maxAttempts,
  retryDelay: retryDelaySeconds,
  retryBackoff: false,
  expireInSeconds,
  retentionSeconds,
  deleteAfterSeconds: retentionSeconds,
  heartbeatSeconds: Math.max(minHeartbeatSeconds, heartbeatSeconds),
});

/** Creates pg-boss's schema if it is missing. A role without the right to create one can be given a schema. */
async function makeSchema(pool: pg.Pool): Promise<void> {
  const { rowCount } = await pool.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [jobTable.queueSchema]);
  if (rowCount !== 0) return;
  await transact(pool, async (run) => {
    // Several processes may start at once.
    await run({ text: 'SELECT pg_advisory_xact_lock($1)', values: [schemaLock] });
    await run({ text: `CREATE SCHEMA IF NOT EXISTS ${jobTable.queueSchema}`, values: [] });
  });
}
