import type { RunStatement } from '../database/prepared-statements.ts';
import type { BindValue } from '../database/statement.ts';

/** The queues, by the work of their jobs. */
export const queueNames = ['execution', 'command', 'delivery', 'trigger', 'forge'] as const;
export type QueueName = (typeof queueNames)[number];
/** The queues whose given-up work waits for staff. The others make up for theirs by themselves. */
export const givenUpQueues = ['execution', 'command', 'trigger'] as const satisfies readonly QueueName[];

export type NewJob = {
  id: string;
  /** The jobs of one group share its limit of running jobs. */
  group: string;
  /** The time before the first attempt (ms). */
  delayMs?: number;
};

/** Names one claim of a job: its numbers increase with every claim, also where no attempt is charged. */
export type JobClaim = { id: string; claim: number };

/** What a job keeps from one attempt to the next, also when a process is killed. */
export type JobMemo = {
  /** The active time of the work as the last heartbeat has proved it (ms). */
  activeMs?: number;
  /** How far the work had come when an attempt began. */
  progress?: number;
  /** How often a process has ended beside this work since it last came further; and how often while this work was watched. */
  interruptions?: number;
  strikes?: number;
  /** The claim that is watched, and how often the work was watched and its process lived on. */
  watched?: number;
  watches?: number;
};

/** One attempt at a job. */
export type Job = JobClaim & {
  /** True when all attempts are used up: the work is not retried, only ended with `bury`. */
  isExhausted: boolean;
  /**
   * Aborts when this attempt has lost the job: it was cancelled, another node has taken it over, or this process has waited
   * long enough for its end.
   */
  signal: AbortSignal;
  /** Aborts when this process begins to end: no further work begins. */
  stopping: AbortSignal;
  /** What the sender of a taken job has passed to `begin`. */
  known?: unknown;
  /** As earlier attempts have left it; null for none. */
  memo: JobMemo | null;
  /** Set by the handler: each heartbeat stores what it returns. */
  report: (() => JobMemo) | null;
};

/**
 * How an attempt ended: the job is done, was removed by the handler's own statement (`removeJob`), returns to the queue without counting an
 * attempt, or was buried.
 */
export type JobOutcome = 'done' | 'settled' | 'released' | 'buried';

/** A job that its sender works on from the beginning: its first attempt begins with the statement that stores it. */
export type TakenJob = {
  /** Begins the first attempt, once the job is stored. */
  begin: (known: unknown) => void;
  /** Gives the place back: the job was not stored. */
  release: () => void;
  /** The same when it is not known whether the job was stored. A stored job returns to the queue. */
  abandon: () => void;
};

export type WorkOptions = {
  /** Jobs that this process runs at the same time. */
  maxAtOnce: number;
  /** Running jobs of one group on all processes together; null for any number. */
  maxPerGroup: number | null;
  /** The interval at which running jobs are confirmed (ms), and so the delay in which a cancelled one is noticed. */
  heartbeatMs: number;
  /** Called when the queue may begin to work, and again every few seconds. Sends jobs for work that has none, and ends work of exhausted ones. */
  recover: () => Promise<void>;
  /**
   * SQL of a query of one boolean: whether anything is stored that the queue may ever have work for. While it is false, neither jobs nor work without a job
   * are looked for. Without it both are always looked for.
   */
  inUse?: string;
};

/** A job that has failed in all attempts. */
export type DeadJob = { id: string; queue: (typeof givenUpQueues)[number]; jobId: string; group: string; reason: string; diedAt: Date };

/**
 * Work that is stored until it is done. Another process takes it over when one dies. A job only assigns work to a process. The work
 * itself is in the tables of its module, whose writes are fenced by an epoch. Each attempt increases it, if it still has the job (`holdsJob`).
 */
export type WorkQueue = {
  /** Stores jobs in the caller's transaction. */
  send: (run: RunStatement, queue: QueueName, jobs: readonly NewJob[]) => Promise<void>;
  /**
   * Builds SQL that stores a job as part of a larger statement, when `source`, a table expression of one row, has it. `isTaken`: this
   * process has taken the job.
   */
  insertJob: (queue: QueueName, job: NewJob & { isTaken?: boolean }, at: { source: string; place: BindValue }) => string;
  /**
   * Builds SQL that remembers how far the work of a running job has come, when `source` has a row. `grantsAttempts`: the job has all its attempts
   * again, since the one before has stored progress.
   */
  rememberProgress: (
    queue: QueueName,
    claim: JobClaim,
    remembered: { progress: number; grantsAttempts: boolean },
    at: { source: string; place: BindValue },
  ) => string;
  /** Builds SQL that removes a running job as part of the statement that ends its work, when `source` has a row. */
  removeJob: (queue: QueueName, id: string, at: { source: string; place: BindValue }) => string;
  /**
   * Builds an SQL condition for the statement that begins an attempt: the attempt still has its job. A process that was suspended after it took
   * the job may have lost it to another one.
   */
  holdsJob: (queue: QueueName, claim: JobClaim, place: BindValue) => string;
  /**
   * Takes a place for a job that this process is about to store. Returns null when the job is to be stored for the queue. Then other jobs
   * of its group wait or run at its limit, other processes share the database, or this process starts or ends.
   */
  take: (queue: QueueName, job: NewJob) => TakenJob | null;
  /** Called after the transaction that stores a job: this process fetches the job first, others a moment later. It notes the use, as `noteUse`. */
  wake: (queue: QueueName, delayMs?: number) => void;
  /**
   * Called after the transaction that stores a thing for which a queue may have work, also when it failed: the reply to a stored commit may be lost. This
   * process looks for work from now on. Others are always told: what they know may be another thing than what this process knows.
   */
  markInUse: (queue: QueueName) => void;
  /** The same for a thing that was stored before, for example an event for a stored hook. Others are told only if this process did not know of any use. */
  noteUse: (queue: QueueName) => void;
  /** Whether a queue may have work, as far as this process knows; see `WorkOptions.inUse`. */
  isInUse: (queue: QueueName) => boolean;
  /** Cancels jobs in the caller's transaction, also running ones. */
  cancel: (run: RunStatement, queue: QueueName, ids: readonly string[]) => Promise<void>;
  /** Ends a job without success in the caller's transaction: it becomes a dead letter. */
  bury: (run: RunStatement, queue: QueueName, claim: JobClaim, reason: string) => Promise<void>;
  /** Sets the handler of a queue. A handler that throws fails its attempt. Called before `start`. */
  work: (queue: QueueName, options: WorkOptions, handler: (job: Job) => Promise<JobOutcome>) => void;
  /** SQL of a query of the ids of all unfinished jobs of a queue. */
  unfinishedJobs: (queue: QueueName) => string;
  /**
   * SQL of a query of the ids of all jobs whose attempts are used up. Their work may be unfinished: the process that was to bury it has ended
   * before it did.
   */
  exhaustedJobs: () => string;
  /** Opens the queue and begins to work. */
  start: () => Promise<void>;
  /** Takes no more jobs. */
  stop: () => void;
  /** After `stop`: waits for running jobs at most `graceMs`, aborts the rest and returns them to the queue. */
  drain: (graceMs: number) => Promise<void>;
  close: () => Promise<void>;
  /** Running jobs of this process, and waiting jobs of all nodes at the last count. */
  counts: (queue: QueueName) => { running: number; waiting: number };
  /** Returns the dead letter of this id; null for an unknown one. */
  findDead: (id: string) => Promise<DeadJob | null>;
  /** Removes a dead letter and the rest of its job in the caller's transaction. Returns false when another caller was first. */
  takeDead: (run: RunStatement, dead: DeadJob) => Promise<boolean>;
  /** Removes the dead letters of a queue but those of the jobs that the query `kept` returns. */
  keepDead: (queue: QueueName, kept: string) => Promise<void>;
  /** Removes the dead letters of these jobs in the caller's transaction. */
  forgetDead: (run: RunStatement, jobIds: readonly string[]) => Promise<void>;
  /** Removes dead letters from before a moment, one batch. Returns whether there may be more. */
  removeOldDead: (before: Date) => Promise<boolean>;
  /** Removes all jobs and dead letters of these groups in the caller's transaction, also running jobs: their work is gone. */
  forgetGroups: (run: RunStatement, groups: readonly string[]) => Promise<void>;
  /** Returns the dead letters that wait for staff, newest first. */
  deadJobs: (page: { limit: number; offset: number }) => Promise<{ items: DeadJob[]; total: number }>;
};
