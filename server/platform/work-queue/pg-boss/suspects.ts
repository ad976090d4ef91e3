import type { RunStatement } from '../../database/prepared-statements.ts';
import { retryOnOutage } from '../../database/retry-on-outage.ts';
import type { Job, JobMemo, JobOutcome, QueueName } from '../work-queue.ts';
import { clearingSuspect, watchingSuspect } from './job-table.ts';

/** Ends of its process, without progress between them, after which a job is suspected to be their cause. */
const maxInterruptions = 5;

export type SuspectIntervals = {
  /** How long a suspect is watched the first time (ms); twice as long each further time. */
  suspectWatchMs: number;
  /** The pause after the first end of a process while a suspect was watched (ms); six times as long after the second. */
  suspectPauseMs: number;
};
export const usualSuspectIntervals: SuspectIntervals = { suspectWatchMs: 30_000, suspectPauseMs: 10_000 };

/** A suspect is watched for so many times as long at most. */
const maxTimesAsLong = 32;
/** Suspects that are watched together at most. */
const maxGroup = 64;

/** Whether the jobs of a queue take seconds. Suspects of these are watched first: behind runs of minutes, schedules and deliveries would wait for all of them. */
const isShort: Readonly<Record<QueueName, boolean>> = { execution: false, command: false, delivery: true, trigger: true, forge: true };

/** Lets a suspect begin that waits. */
type Begin = (isAlone: boolean) => void;

/**
 * The suspects of one process. The first one is watched alone: when the process ends, it is seen to be the cause, and the jobs beside it are charged with
 * nothing. A suspect that its process outlives is one no longer. After each group that the process has outlived, twice as many are watched together: a
 * hundred that a storm of kills has met are cleared in minutes. When the process ends beside several, the next one begins with one of them alone. All
 * queues share this watch: beside a suspect of another queue none would be alone.
 */
export class Suspects {
  readonly #run: RunStatement;
  readonly #watchMs: number;
  readonly #waiting = new Map<Begin, QueueName>();
  #watched = 0;
  #size = 1;

  constructor(run: RunStatement, { suspectWatchMs }: Pick<SuspectIntervals, 'suspectWatchMs'>) {
    this.#run = run;
    this.#watchMs = suspectWatchMs;
  }

  /** Runs the handler of a job: that of a suspect when it is its turn to be watched. */
  async handle(queue: QueueName, job: Job, handler: (job: Job) => Promise<JobOutcome>): Promise<JobOutcome> {
    if (job.isExhausted || !isSuspect(job.memo)) return handler(job);
    const isAlone = await this.#turn(queue, AbortSignal.any([job.signal, job.stopping]));
    if (isAlone === null) return 'released';
    let isOver = false;
    let watch: NodeJS.Timeout | undefined;
    const leave = () => {
      if (!isOver) this.#leave();
      isOver = true;
    };
    const values = [job.id, job.claim];
    try {
      if (isAlone && (await this.#run({ text: watchingSuspect(queue), values })).length === 0) return 'released';
      const clear = () => this.#run({ text: clearingSuspect(queue), values });
      const outlive = () => void retryOnOutage(clear, job.signal).then(leave, leave);
      watch = setTimeout(outlive, this.#watchMs * timesAsLong(job.memo));
      return await handler(job);
    } finally {
      clearTimeout(watch);
      leave();
    }
  }

  /** Resolves when a suspect may begin: whether it is watched alone. Null when its signal aborts before. */
  #turn(queue: QueueName, signal: AbortSignal): Promise<boolean | null> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(null);
      const begin: Begin = (isAlone) => {
        signal.removeEventListener('abort', leave);
        resolve(isAlone);
      };
      const leave = () => {
        this.#waiting.delete(begin);
        resolve(null);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.set(begin, queue);
      this.#beginGroup();
    });
  }

  #beginGroup(): void {
    if (this.#watched > 0) return;
    const short = ([, queue]: [Begin, QueueName]) => Number(isShort[queue]);
    const inTurn = [...this.#waiting].sort((one, other) => short(other) - short(one));
    const group = inTurn.slice(0, this.#size).map(([begin]) => begin);
    this.#watched = group.length;
    for (const begin of group) {
      this.#waiting.delete(begin);
      begin(group.length === 1);
    }
  }

  #leave(): void {
    this.#watched -= 1;
    if (this.#watched > 0) return;
    this.#size = Math.min(2 * this.#size, maxGroup);
    this.#beginGroup();
  }
}

const isSuspect = (memo: JobMemo | null) => (memo?.interruptions ?? 0) >= maxInterruptions;

const timesAsLong = (memo: JobMemo | null) => Math.min(2 ** (memo?.watches ?? 0), maxTimesAsLong);
