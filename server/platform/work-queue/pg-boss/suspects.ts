import { setTimeout as wait } from 'node:timers/promises';
import type { RunStatement } from '../../database/prepared-statements.ts';
import { FairQueue } from '../../fair-queue.ts';
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

/**
 * The suspects of one process: one at a time is watched. So when the process ends, it is seen which of them ended it, and those beside it are charged
 * with nothing. A suspect that its process outlives is one no longer.
 */
export class Suspects {
  readonly #run: RunStatement;
  readonly #watchMs: number;
  readonly #places = new FairQueue({ inTotal: 1, ofAccount: 1 });

  constructor(run: RunStatement, { suspectWatchMs }: Pick<SuspectIntervals, 'suspectWatchMs'>) {
    this.#run = run;
    this.#watchMs = suspectWatchMs;
  }

  /** Runs the handler of a job: that of a suspect when it is its turn to be watched. */
  async handle(queue: QueueName, job: Job, handler: (job: Job) => Promise<JobOutcome>): Promise<JobOutcome> {
    if (job.isExhausted || !isSuspect(job.memo)) return handler(job);
    const signal = AbortSignal.any([job.signal, job.stopping]);
    const place = await this.#places.admit('suspects', { signal }).catch(() => null);
    if (!place) return 'released';
    const { id, claim } = job;
    const values = [id, claim];
    const over = new AbortController();
    const clear = () => this.#run({ text: clearingSuspect(queue), values });
    try {
      if ((await this.#run({ text: watchingSuspect(queue), values })).length === 0) return 'released';
      const watched = { signal: over.signal, ref: false };
      // A suspicion that could not be ended now lasts until the next claim.
      void wait(this.#watchMs * timesAsLong(job.memo), undefined, watched)
        .then(clear)
        .then(place.release, place.release);
      return await handler(job);
    } finally {
      over.abort();
      place.release();
    }
  }
}

const isSuspect = (memo: JobMemo | null) => (memo?.interruptions ?? 0) >= maxInterruptions;

const timesAsLong = (memo: JobMemo | null) => Math.min(2 ** (memo?.watches ?? 0), maxTimesAsLong);
