import type pg from 'pg';
import { type RunStatement, transact } from '../../platform/database/prepared-statements.ts';

/** SQL of the jobs of instants that were given up and can be retried: no later event of their schedule has started a run. */
export const retriableInstants = `SELECT fire.job_id FROM fires AS fire WHERE fire.job_id IS NOT NULL AND fire.outcome = 'failed'
  AND NOT EXISTS (SELECT FROM fires AS newer WHERE newer.trigger_id = fire.trigger_id AND newer.at > fire.at AND newer.outcome = 'started')`;

/**
 * Lets an instant that was given up wait for its run. `take` removes the dead letter in the same transaction; it returns false when another caller has
 * removed it, and then nothing changes. Returns the id of the trigger; null when its schedule has moved on or is gone.
 */
export function createRetryDeadInstant({ pool, tend }: { pool: pg.Pool; tend: () => Promise<void> }) {
  return async (jobId: string, take: (run: RunStatement) => Promise<boolean>): Promise<string | null> => {
    const triggerId = await transact(pool, async (run) => {
      const text = `SELECT trigger_id AS id, key FROM fires WHERE job_id = $1::uuid AND job_id IN (${retriableInstants}) FOR UPDATE`;
      const [fire] = await run({ text, values: [jobId] });
      if (!fire || !(await take(run))) return null;
      const waiting = `UPDATE fires SET outcome = 'waiting', reason = 'busy', job_id = NULL WHERE trigger_id = $1::uuid AND key = $2`;
      await run({ text: waiting, values: [fire.id, fire.key] });
      return String(fire.id);
    });
    if (triggerId !== null) await tend();
    return triggerId;
  };
}
