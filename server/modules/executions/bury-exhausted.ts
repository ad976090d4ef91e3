import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { RunEnds } from './transitions/end-run.ts';
import type { RunTransition } from './transitions/transitions.ts';

type BuryDeps = {
  run: RunStatement;
  queue: Pick<WorkQueue, 'exhaustedJobs'>;
  transition: RunTransition;
  runEnds: Pick<RunEnds, 'failExhausted'>;
};

/** Fails active executions whose attempts are used up: the process that was to fail them has ended before it did. */
export function createBuryExhausted({ run, queue, transition, runEnds }: BuryDeps) {
  return async (): Promise<void> => {
    const rows = await run({
      text: `SELECT job_id FROM executions WHERE status IN ('pending', 'running') AND NOT not_started AND job_id IN (${queue.exhaustedJobs()})`,
      values: [],
    });
    for (const { job_id: jobId } of rows) await transition({ jobId: String(jobId) }, (change) => runEnds.failExhausted(change));
  };
}
