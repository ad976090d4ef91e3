import { setTimeout as wait } from 'node:timers/promises';
import type { FetchOptions, JobWithMetadata, PgBoss } from 'pg-boss';
import { retryOnOutage } from '../../database/retry-on-outage.ts';
import type { Job, JobMemo, JobOutcome, NewJob, QueueName, TakenJob, WorkOptions } from '../work-queue.ts';
import { createGroupPlaces } from './group-places.ts';

/** The fields that are used of an attempt as pg-boss returns it. */
export type StoredJob = Pick<JobWithMetadata<JobMemo | null>, 'id' | 'retryCount' | 'retryLimit' | 'groupId' | 'data'>;

/** A job at work, with what it remembers from now on. */
export type ConfirmedJob = { stored: StoredJob; memo: JobMemo | null };

type JobRunnerDeps = {
  boss: PgBoss;
  queue: QueueName;
  options: WorkOptions;
  /** True when no other process works on this database. */
  isAlone: boolean;
  /** The attempts of a new job. */
  maxAttempts: number;
  handler: (job: Job) => Promise<JobOutcome>;
  fetchJobs: (queue: QueueName, options: FetchOptions) => Promise<StoredJob[]>;
  /** Returns jobs to the queue without counting an attempt. */
  returnJobs: (queue: QueueName, jobs: readonly StoredJob[]) => Promise<void>;
  /** Confirms that jobs are at work. Returns the ids of those that this process still has. */
  confirmJobs: (queue: QueueName, jobs: readonly ConfirmedJob[]) => Promise<ReadonlySet<string>>;
  log: { warn: (about: object, line: string) => void; error: (about: object, line: string) => void };
};

type AtWork = { stored: StoredJob; job: Job | null; controller: AbortController; ended: Promise<void>; isEnding: boolean };

/** How often jobs are looked for, in addition to notifications (ms). */
const pollMs = 2_000;
/** The numbers of jobs fetched in one query: powers of two, so that few statements are prepared. */
const fetchSizes = [64, 32, 16, 8, 4, 2, 1];

/** Fetches the jobs of one queue, up to this process's maximum, and settles each when its handler has ended. */
export function createJobRunner(deps: JobRunnerDeps) {
  const { boss, queue, options, isAlone, maxAttempts, handler, fetchJobs, returnJobs, confirmJobs, log } = deps;
  const atWork = new Map<string, AtWork>();
  const places = createGroupPlaces(options);
  const done: AtWork[] = [];
  const stopping = new AbortController();
  /** Aborts when the process has waited long enough. */
  const closing = new AbortController();
  let timers: NodeJS.Timeout[] = [];

  const fetch = coalesceRuns(async () => {
    for (;;) {
      const free = places.free();
      const batchSize = fetchSizes.find((size) => size <= free);
      if (stopping.signal.aborted) return;
      if (batchSize === undefined) return places.fetchIsOver(null);
      const groupConcurrency = options.maxPerGroup === null ? {} : { groupConcurrency: options.maxPerGroup };
      const beforeFetch = places.waitingGroups();
      const jobs = await fetchJobs(queue, { batchSize, ...groupConcurrency });
      if (stopping.signal.aborted) return returnJobs(queue, jobs);
      // The query does not see the jobs that this process has taken and not stored yet.
      const tooMany = isAlone ? jobs.filter((job) => !places.tryAdd(job.groupId)) : [];
      if (!isAlone) for (const { groupId } of jobs) places.add(groupId);
      for (const job of jobs) if (!tooMany.includes(job)) begin(job);
      await returnJobs(queue, tooMany);
      // A batch may be short because its jobs were of one group. Jobs of other groups follow.
      if (jobs.length === 0) return places.fetchIsOver(beforeFetch);
    }
  });
  const look = (): void => {
    if (timers.length === 0) return;
    fetch().catch((error: unknown) => log.warn({ err: error, queue }, 'Jobs could not be fetched now.'));
  };

  const begin = (stored: StoredJob, known?: unknown): void => {
    const one: AtWork = { stored, job: null, controller: new AbortController(), ended: Promise.resolve(), isEnding: false };
    atWork.set(stored.id, one);
    one.ended = carryOut(one, known);
  };

  const take = ({ id, group }: NewJob): TakenJob | null => {
    if (!isAlone || timers.length === 0 || stopping.signal.aborted || !places.tryTake(group)) return null;
    const stored = { id, retryCount: 0, retryLimit: maxAttempts, groupId: group, data: null };
    const release = () => {
      places.remove(group);
      look();
    };
    return {
      begin: (known) => begin(stored, known),
      release,
      abandon: () => void lasting(() => returnJobs(queue, [stored])).then(release, notSettled),
    };
  };

  const carryOut = async (one: AtWork, known: unknown): Promise<void> => {
    const { id, retryCount, retryLimit } = one.stored;
    const { signal } = one.controller;
    const job: Job = {
      id,
      claim: retryCount,
      known,
      isExhausted: retryCount >= retryLimit,
      signal,
      stopping: stopping.signal,
      memo: one.stored.data,
      report: null,
    };
    one.job = job;
    const end = await handler(job).catch((error: unknown) => {
      if (!signal.aborted) log.error({ err: error, queue, jobId: id }, 'A job failed by a fault of the server.');
      return error instanceof Error ? error : new Error(String(error));
    });
    if (signal.aborted && !closing.signal.aborted) return forget(one);
    if (closing.signal.aborted && end !== 'done' && end !== 'settled' && end !== 'buried') return;
    one.isEnding = true;
    if (end === 'released') await returnJobs(queue, [one.stored]).catch(notSettled);
    if (end === 'settled') return forget(one);
    if (end === 'done') {
      done.push(one);
      return settle();
    }
    if (end instanceof Error) await lasting(() => boss.fail(queue, one.stored, { message: end.message })).catch(notSettled);
    forget(one);
  };

  const settle = coalesceRuns(async () => {
    const batch = done.splice(0);
    if (batch.length === 0) return;
    await lasting(() =>
      boss.deleteJob(
        queue,
        batch.map(({ stored }) => stored),
      ),
    ).catch(notSettled);
    for (const one of batch) forget(one);
  });
  /** Ends the job's heartbeat. The next attempt finds nothing left to do. */
  const notSettled = (error: unknown): void => log.warn({ err: error, queue }, 'The end of a job could not be stored.');
  const lasting = <T>(work: () => Promise<T>): Promise<T> => retryOnOutage(work, closing.signal);

  const forget = (one: AtWork): void => {
    const { id, groupId } = one.stored;
    if (atWork.get(id) === one) atWork.delete(id);
    places.remove(groupId);
    if (!isAlone || places.mayAnyWait()) look();
  };

  /** Confirms the running jobs, and aborts lost ones. Throws while the database is away. */
  const heartbeat = coalesceRuns(async () => {
    const known = [...atWork.values()];
    if (known.length === 0) return;
    const held = await confirmJobs(
      queue,
      known.map(({ stored, job }) => ({ stored, memo: job?.report?.() ?? null })),
    );
    for (const one of known) if (!held.has(one.stored.id) && !one.isEnding) one.controller.abort('lost');
  });

  const quietly = (work: () => Promise<void>, line: string) => (): void => {
    work().catch((error: unknown) => log.warn({ err: error, queue }, line));
  };

  return {
    look,
    take,
    heartbeat,
    start(): void {
      timers = [
        setInterval(look, pollMs),
        setInterval(quietly(heartbeat, 'This node could not confirm its jobs now.'), options.heartbeatMs),
      ];
      for (const timer of timers) timer.unref();
      look();
    },
    stop: () => stopping.abort(),
    async drain(graceMs: number): Promise<void> {
      stopping.abort();
      const limit = new AbortController();
      const ends = () => Promise.allSettled([...atWork.values()].map(({ ended }) => ended));
      await Promise.race([ends(), wait(graceMs, undefined, { signal: limit.signal }).catch(() => {})]);
      limit.abort();
      closing.abort();
      for (const { controller } of atWork.values()) controller.abort('closing');
      await Promise.race([ends(), wait(cutMs, undefined, { ref: false })]);
      for (const timer of timers) clearInterval(timer);
      const left = [...atWork.values()].map(({ stored }) => stored);
      await returnJobs(queue, left).catch((error: unknown) => log.warn({ err: error, queue }, 'Jobs could not be returned to the queue.'));
      atWork.clear();
    },
    count: () => atWork.size,
  };
}

export type JobRunner = ReturnType<typeof createJobRunner>;

/** How long an aborted handler is waited for (ms). */
const cutMs = 1_000;

/** Runs `work` one at a time. Calls during a run cause one more run afterwards. */
function coalesceRuns(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isAskedAgain = false;

  const run = async (): Promise<void> => {
    try {
      do {
        isAskedAgain = false;
        await work();
      } while (isAskedAgain);
    } finally {
      running = null;
    }
  };
  return () => {
    isAskedAgain = true;
    running ??= run();
    return running;
  };
}
