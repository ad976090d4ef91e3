import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { StepOutcomes } from './work/step-outcomes.ts';
import type { RunTransition } from './work/transitions.ts';

type BuryDeps = {
  run: RunStatement;
  queue: Pick<WorkQueue, 'exhaustedJobs'>;
  transition: RunTransition;
  outcomes: Pick<StepOutcomes, 'failExhausted'>;
};

/** Fails active executions whose attempts are used up: the process that was to fail them has ended before it did. */
export function createBuryExhausted({ run, queue, transition, outcomes }: BuryDeps) {
  return async (): Promise<void> => {
    const rows = await run({
      text: `SELECT job_id FROM executions WHERE status IN ('pending', 'running') AND NOT not_started AND job_id IN (${queue.exhaustedJobs()})`,
      values: [],
    });
    for (const { job_id: jobId } of rows) await transition({ jobId: String(jobId) }, (change) => outcomes.failExhausted(change));
  };
}
