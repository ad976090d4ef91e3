import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import { singleFlight } from '../../../../async/single-flight.ts';
import { type RunStatement, transact } from '../../database/prepared-statements.ts';
import { retryOnOutage } from '../../database/retry-on-outage.ts';
import type { Job, JobMemo, JobOutcome, NewJob, QueueName, TakenJob, WorkOptions } from '../work-queue.ts';
import { inTransaction } from './boss-database.ts';
import { GroupPlaces } from './group-places.ts';
import { confirmingJobs, returningJobs } from './job-table.ts';
import type { Suspects } from './suspects.ts';

/** The fields that are used of an attempt as pg-boss returns it. */
type StoredJob = Pick<JobWithMetadata<JobMemo | null>, 'id' | 'retryCount' | 'retryLimit' | 'groupId' | 'data'>;

/** What the runners of all queues share. */
export type RunnerDeps = {
  boss: PgBoss;
  pool: pg.Pool;
  /** Runs prepared statements on `pool`. */
  run: RunStatement;
  /** Runs confirmations: on connections that nothing else waits for. */
  runHeartbeat: RunStatement;
  suspects: Suspects;
  /** True when no other process works on this database. */
  isAlone: boolean;
  log: { warn: (about: object, line: string) => void; error: (about: object, line: string) => void };
};

type Work = {
  queue: QueueName;
  options: WorkOptions;
  handler: (job: Job) => Promise<JobOutcome>;
  /** Whether the queue may have jobs. */
  isInUse: () => boolean;
};

type AtWork = { stored: StoredJob; job: Job; controller: AbortController; ended: Promise<void>; isEnding: boolean };

/** Attempts at one job. The one after the last only buries it. */
export const maxAttempts = 5;
/** How often jobs are looked for, in addition to notifications (ms). */
const pollMs = 2_000;
/** The numbers of jobs fetched in one query: powers of two, so that few statements are prepared. */
const fetchSizes = [64, 32, 16, 8, 4, 2, 1];
/** The number of the advisory lock for fetches: processes fetch the jobs of one queue one after another. */
const fetchLock = 7_265_442;
/** How long an aborted handler is waited for (ms). */
const cutMs = 1_000;

/** Fetches the jobs of one queue, up to this process's maximum, and settles each when its handler has ended. */
export class JobRunner {
  readonly #deps: RunnerDeps;
  readonly #work: Work;
  readonly #places: GroupPlaces;
  readonly #atWork = new Map<string, AtWork>();
  readonly #stopping = new AbortController();
  /** Aborts when the process has waited long enough. */
  readonly #closing = new AbortController();
  readonly #fetch = singleFlight(() => this.#fetchAll(), { rerun: true });
  /** Confirms the running jobs, and aborts lost ones. Throws while the database is away. */
  readonly heartbeat = singleFlight(() => this.#confirm(), { rerun: true });
  #timers: NodeJS.Timeout[] = [];

  constructor(deps: RunnerDeps, work: Work) {
    this.#deps = deps;
    this.#work = work;
    this.#places = new GroupPlaces(work.options);
  }

  start(): void {
    const confirm = () => void this.heartbeat().catch(this.#warnOf('This node could not confirm its jobs now.'));
    const poll = () => this.#work.isInUse() && this.look();
    this.#timers = [setInterval(poll, pollMs), setInterval(confirm, this.#work.options.heartbeatMs)];
    for (const timer of this.#timers) timer.unref();
    this.look();
  }

  look(): void {
    if (this.#timers.length > 0) this.#fetch().catch(this.#warnOf('Jobs could not be fetched now.'));
  }

  /** See `WorkQueue.take`. */
  take({ id, group }: NewJob): TakenJob | null {
    if (!this.#deps.isAlone || this.#timers.length === 0 || this.#stopping.signal.aborted || !this.#places.tryTake(group)) return null;
    const stored = { id, retryCount: 0, retryLimit: maxAttempts, groupId: group, data: null };
    const release = () => {
      this.#places.remove(group);
      this.look();
    };
    return {
      begin: (known) => this.#begin(stored, known),
      release,
      abandon: () => void this.#lasting(() => this.#returnJobs([stored])).then(release, this.#warnOf(notSettled)),
    };
  }

  count(): number {
    return this.#atWork.size;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async drain(graceMs: number): Promise<void> {
    this.#stopping.abort();
    const limit = new AbortController();
    const ends = () => Promise.allSettled([...this.#atWork.values()].map(({ ended }) => ended));
    await Promise.race([ends(), wait(graceMs, undefined, { signal: limit.signal }).catch(() => {})]);
    limit.abort();
    this.#closing.abort();
    for (const { controller } of this.#atWork.values()) controller.abort('closing');
    await Promise.race([ends(), wait(cutMs, undefined, { ref: false })]);
    for (const timer of this.#timers) clearInterval(timer);
    const left = [...this.#atWork.values()].map(({ stored }) => stored);
    await this.#returnJobs(left).catch(this.#warnOf('Jobs could not be returned to the queue.'));
    this.#atWork.clear();
  }

  async #fetchAll(): Promise<void> {
    for (;;) {
      const free = this.#places.free;
      const batchSize = fetchSizes.find((size) => size <= free);
      if (this.#stopping.signal.aborted) return;
      if (batchSize === undefined) return this.#places.fetchIsOver(null);
      const beforeFetch = this.#places.waitingGroups;
      const jobs = await this.#fetchSome(batchSize);
      if (this.#stopping.signal.aborted) return this.#returnJobs(jobs);
      const tooMany = jobs.filter(({ groupId }) => !this.#hasPlace(groupId));
      for (const job of jobs) if (!tooMany.includes(job)) this.#begin(job);
      await this.#returnJobs(tooMany);
      // A batch may be short because its jobs were of one group. Jobs of other groups follow.
      if (jobs.length === 0) return this.#places.fetchIsOver(beforeFetch);
    }
  }

  /**
   * Fetches jobs. pg-boss counts a group's running jobs and takes new ones in one statement, which does not see what another process takes
   * at the same time. So processes that share the database fetch the jobs of a limited queue one after another.
   */
  #fetchSome(batchSize: number): Promise<StoredJob[]> {
    const { boss, pool, isAlone } = this.#deps;
    const { queue, options } = this.#work;
    const all = { batchSize, includeMetadata: true } as const;
    if (options.maxPerGroup === null) return boss.fetch<JobMemo | null>(queue, all);
    const limited = { ...all, groupConcurrency: options.maxPerGroup };
    if (isAlone) return boss.fetch<JobMemo | null>(queue, limited);
    return transact(pool, async (within) => {
      await within({ text: 'SELECT pg_advisory_xact_lock($1, hashtext($2))', values: [fetchLock, queue] });
      return boss.fetch<JobMemo | null>(queue, { ...limited, db: inTransaction(within) });
    });
  }

  /** Takes the place of a fetched job. A fetch does not see the jobs that this process has taken and not stored yet. */
  #hasPlace(group: string | null | undefined): boolean {
    if (this.#deps.isAlone) return this.#places.tryAdd(group);
    this.#places.add(group);
    return true;
  }

  #begin(stored: StoredJob, known?: unknown): void {
    const { id, retryCount: claim, retryLimit, data: memo } = stored;
    const controller = new AbortController();
    const stopping = this.#stopping.signal;
    const job: Job = { id, claim, known, isExhausted: claim >= retryLimit, signal: controller.signal, stopping, memo, report: null };
    const one: AtWork = { stored, job, controller, ended: Promise.resolve(), isEnding: false };
    this.#atWork.set(id, one);
    one.ended = this.#carryOut(one);
  }

  async #carryOut(one: AtWork): Promise<void> {
    const { signal } = one.controller;
    const { queue, handler } = this.#work;
    const end = await this.#deps.suspects.handle(queue, one.job, handler).catch((error: unknown) => {
      if (!signal.aborted) this.#deps.log.error({ err: error, queue, jobId: one.job.id }, 'A job failed by a fault of the server.');
      return error instanceof Error ? error : new Error(String(error));
    });
    const isClosing = this.#closing.signal.aborted;
    if (isClosing && (end === 'released' || end instanceof Error)) return;
    if (isClosing || !signal.aborted) {
      one.isEnding = true;
      await this.#settle(one.stored, end).catch(this.#warnOf(notSettled));
    }
    this.#forget(one);
  }

  async #settle(stored: StoredJob, end: JobOutcome | Error): Promise<void> {
    const { boss } = this.#deps;
    const { queue } = this.#work;
    if (end === 'released') await this.#returnJobs([stored]);
    if (end === 'done') await this.#lasting(() => boss.deleteJob(queue, stored));
    if (end instanceof Error) await this.#lasting(() => boss.fail(queue, stored, { message: end.message }));
  }

  #forget(one: AtWork): void {
    const { id, groupId } = one.stored;
    if (this.#atWork.get(id) === one) this.#atWork.delete(id);
    this.#places.remove(groupId);
    if (!this.#deps.isAlone || this.#places.mayAnyWait) this.look();
  }

  async #confirm(): Promise<void> {
    const known = [...this.#atWork.values()];
    if (known.length === 0) return;
    const memos = known.map(({ job }) => job.report && JSON.stringify(job.report()));
    const values = [known.map(({ job }) => job.id), known.map(({ job }) => job.claim), memos];
    const rows = await this.#deps.runHeartbeat({ text: confirmingJobs(this.#work.queue), values });
    const held = new Set(rows.map(({ id }) => id));
    for (const { job, isEnding, controller } of known) if (!held.has(job.id) && !isEnding) controller.abort('lost');
  }

  /** Returns jobs to the queue without counting an attempt. */
  async #returnJobs(jobs: readonly StoredJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const text = returningJobs(this.#work.queue, { notify: !this.#deps.isAlone });
    await this.#deps.run({ text, values: [jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount)] });
  }

  #lasting<T>(work: () => Promise<T>): Promise<T> {
    return retryOnOutage(work, this.#closing.signal);
  }

  #warnOf(line: string): (error: unknown) => void {
    return (error) => this.#deps.log.warn({ err: error, queue: this.#work.queue }, line);
  }
}

/** The heartbeat of such a job ends. The next attempt finds nothing left to do. */
const notSettled = 'The end of a job could not be stored.';
