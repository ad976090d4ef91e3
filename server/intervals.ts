import { z } from 'zod';
import { usualQueueIntervals } from './platform/work-queue/pg-boss/pg-boss-queue.ts';

const intervals = z.strictObject({
  /** A job with an older heartbeat has lost its process (s). */
  heartbeatSeconds: z.int().positive().default(usualQueueIntervals.heartbeatSeconds),
  /** How often lost jobs are looked for (ms). */
  superviseMs: z.int().positive().default(usualQueueIntervals.superviseMs),
  /** How often work without a job is looked for (ms). */
  recoverMs: z.int().positive().default(usualQueueIntervals.recoverMs),
  /** How long work is watched that may have ended its process, and the pause after it has (ms). */
  suspectWatchMs: z.int().positive().default(usualQueueIntervals.suspectWatchMs),
  suspectPauseMs: z.int().positive().default(usualQueueIntervals.suspectPauseMs),
  /** How often due questions and emails are looked for (ms). Their times are in the database: a backup restored elsewhere has them. */
  questionWatchMs: z.int().positive().default(5_000),
  /** How often deleted accounts are looked for whose time to be taken back is over (ms). */
  leavingWatchMs: z.int().positive().default(60_000),
  /** The pause before another node looks whether it may read the updates of the Telegram bot, and before a failed call is repeated (ms). */
  telegramPauseMs: z.int().positive().default(5_000),
});

/** How often a server looks for work that was lost, and for questions that are due. */
export type Intervals = z.infer<typeof intervals>;

/** Returns the intervals. Servers of tests shorten them by the JSON of `ARTEL_TEST_INTERVALS`; it is no setting of an operator. */
export function readIntervals({ NODE_ENV, ARTEL_TEST_INTERVALS }: Record<string, string | undefined>): Intervals {
  return intervals.parse(NODE_ENV === 'test' && ARTEL_TEST_INTERVALS ? JSON.parse(ARTEL_TEST_INTERVALS) : {});
}
