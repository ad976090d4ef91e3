import type pg from 'pg';
import { v7 } from 'uuid';
import { type RunStatement, transact } from '../../platform/database/prepared-statements.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { sendClockJob } from './clock-jobs.ts';
import { retriableInstants } from './schedule-clock.ts';

/**
 * Makes the schedule of an instant that was given up due now, with a job that has all attempts. `take` removes the dead letter in the same transaction; it
 * returns false when another caller has removed it, and then nothing changes. Returns the id of the trigger; null when its schedule is paused, has moved on or is
 * gone.
 */
export function createRetryDeadInstant({ pool, queue }: { pool: pg.Pool; queue: Pick<WorkQueue, 'send' | 'wake'> }) {
  return async (jobId: string, take: (run: RunStatement) => Promise<boolean>): Promise<string | null> => {
    const triggerId = await transact(pool, async (run) => {
      // As for a fire: the trigger first.
      const [trigger] = await run({
        text: `SELECT id, run_as FROM triggers WHERE id = (SELECT trigger_id FROM fires WHERE job_id = $1::uuid)
          AND paused_at IS NULL FOR NO KEY UPDATE`,
        values: [jobId],
      });
      const [fire] = await run({
        text: `SELECT key FROM fires WHERE job_id = $1::uuid AND job_id IN (${retriableInstants})`,
        values: [jobId],
      });
      if (!trigger || !fire || !(await take(run))) return null;
      const [id, following] = [String(trigger.id), v7()];
      await run({ text: 'UPDATE fires SET job_id = NULL WHERE trigger_id = $1::uuid AND key = $2', values: [id, fire.key] });
      await run({ text: 'UPDATE triggers SET next_at = now(), job_id = $2::uuid WHERE id = $1::uuid', values: [id, following] });
      await sendClockJob({ queue, run }, { id: following, runAs: String(trigger.run_as), ms: 0 });
      return id;
    });
    if (triggerId !== null) queue.wake('trigger');
    return triggerId;
  };
}
