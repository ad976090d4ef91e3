import type { RunStatement } from '../database/prepared-statements.ts';
import type { Place } from '../database/statement.ts';

/** The queues, by what their jobs carry. */
export const queueNames = ['execution', 'command', 'joined-command'] as const;
export type QueueName = (typeof queueNames)[number];

export type NewJob = {
  id: string;
  /** Jobs of one group share its limit of jobs at work. */
  group: string;
  /** Time before the first attempt (ms). */
  delayMs?: number;
};

/** One attempt at a job. */
export type Job = {
  id: string;
  /** From 1. */
  attempt: number;
  /** True when every attempt has been used up: the work is not tried any more, only given up with `bury`. */
  isExhausted: boolean;
  /**
   * Aborts when the job is not this attempt's any more: it was cancelled, another node has taken it over, or this process has waited
   * long enough for it to end.
   */
  signal: AbortSignal;
  /** Aborts when this process begins to end: no further piece of work is begun. */
  stopping: AbortSignal;
};

/** How an attempt ended: the job is done with, goes back to the queue without an attempt being charged, or was buried. */
export type JobEnd = 'done' | 'released' | 'buried';

export type WorkOptions = {
  /** Jobs that this process works on at the same time. */
  maxAtOnce: number;
  /** Jobs of one group that all processes together work on at the same time; null for any number. */
  maxPerGroup: number | null;
  /** How often the jobs at work are confirmed (ms), and so how soon a cancelled one is noticed. */
  heartbeatMs: number;
  /** Called when the queue's work may begin, and again every few seconds: sends jobs for work that has none. */
  recover: () => Promise<void>;
};

/** A job that was given up. */
export type DeadJob = { id: string; queue: QueueName; jobId: string; group: string; reason: string; diedAt: Date };

/**
 * Work that is stored until it is done, and that another process does where one dies. A job says only who works on what; what is worked
 * on stays in the tables of its own module, whose writes are fenced by an epoch that each attempt raises.
 */
export type WorkQueue = {
  /** Stores jobs in the caller's transaction. */
  send: (run: RunStatement, queue: QueueName, jobs: readonly NewJob[]) => Promise<void>;
  /** SQL that stores a job as part of a larger statement, when `source`, a table expression of one row, has it. */
  insertJob: (queue: 'execution' | 'command', job: NewJob, at: { source: string; place: Place }) => string;
  /** Called once the transaction that stores a job is done: this process looks for the job first, others a moment later. */
  wake: (queue: QueueName, delayMs?: number) => void;
  /** Ends jobs in the caller's transaction, whatever they are doing. */
  cancel: (run: RunStatement, queue: QueueName, ids: readonly string[]) => Promise<void>;
  /** Gives a job up in the caller's transaction: it joins the dead letters. */
  bury: (run: RunStatement, queue: QueueName, job: Pick<Job, 'id' | 'attempt'>, reason: string) => Promise<void>;
  /** Sets what is done for the jobs of a queue. A handler that throws fails its attempt. Called before `start`. */
  work: (queue: QueueName, options: WorkOptions, handler: (job: Job) => Promise<JobEnd>) => void;
  /** SQL of a query of the ids of all jobs of a queue that are not done with. */
  unfinishedJobs: (queue: QueueName) => string;
  /** Opens the queue and begins to work. */
  start: () => Promise<void>;
  /** Takes no more jobs from now on. */
  stop: () => void;
  /** After `stop`: waits for the jobs at work, at most `graceMs`, cuts off the rest and gives them back. */
  drain: (graceMs: number) => Promise<void>;
  close: () => Promise<void>;
  /** Jobs at work here, and jobs that waited for their turn on any node when it was last looked. */
  counts: (queue: QueueName) => { underWay: number; waiting: number };
  /** The dead letter of this id; null when there is none. */
  findDead: (id: string) => Promise<DeadJob | null>;
  /** Takes a dead letter and what is left of its job away, in the caller's transaction. False when another caller was first. */
  takeDead: (run: RunStatement, dead: DeadJob) => Promise<boolean>;
  /** Removes the dead letters of these jobs in the caller's transaction. */
  forgetDead: (run: RunStatement, jobIds: readonly string[]) => Promise<void>;
  /** The dead letters, newest first. */
  deadJobs: (page: { limit: number; offset: number }) => Promise<{ items: DeadJob[]; total: number }>;
};
