import { maxTrialWaitMs } from '../../../../rules/trial-wait.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { RunStatement } from '../../../platform/database/prepared-statements.ts';
import { asOwner, type OwnerId } from '../../../platform/owner-id.ts';
import type { ExecutionRow } from '../store/rows.ts';

type LeftTrialsDeps = {
  run: RunStatement;
  /** Stops a run, if it still fits under its lock. */
  executions: { stop: (userId: OwnerId, id: string, fits: (row: ExecutionRow) => boolean) => Promise<unknown> };
  now: () => Date;
  log: { warn: (about: object, line: string) => void };
};

/**
 * Stops runs with which a step was tried, and that were not chosen for a day. Their page was closed or killed, and they would wait for
 * ever. Their results stay. A run that went on after the step is chosen. One that cannot be stopped does not keep the others waiting.
 */
export function createStopLeftTrials({ run, executions, now, log }: LeftTrialsDeps): () => Promise<void> {
  return async () => {
    const leftBefore = new Date(now().getTime() - maxTrialWaitMs);
    const rows = await run({
      text: `SELECT id, user_id FROM executions AS one
        WHERE status = 'paused' AND forked_at IS NOT NULL AND updated_at < $1
          AND EXISTS (SELECT FROM execution_steps WHERE execution_id = one.id AND tried_model IS NOT NULL)
          AND NOT EXISTS (SELECT FROM execution_steps WHERE execution_id = one.id AND tried_model IS NULL AND status IN ('completed', 'failed'))
          AND NOT EXISTS (SELECT FROM execution_events WHERE execution_id = one.id AND event->>'type' = 'execution.resumed')
        ORDER BY updated_at`,
      values: [leftBefore],
    });
    for (const row of rows) {
      const id = String(row.id);
      // A person may choose it while this waits for the lock of the run: then it works again.
      await executions
        .stop(asOwner(String(row.user_id)), id, ({ status, updatedAt }) => status === 'paused' && updatedAt < leftBefore)
        .catch((error: unknown) => {
          // It was chosen, stopped or removed meanwhile.
          if (!(error instanceof ApiError)) log.warn({ err: error, executionId: id }, 'A trial that was left could not be stopped');
        });
    }
  };
}
