import { type Place, type Statement, writeStatement } from '../../../platform/database/statement.ts';

/** A condition: the job's execution has begun, or no waiting execution of its owner has a higher priority. */
export function isHighestPriority({ jobId, userId, priority }: { jobId: string; userId: string; priority: number }, place: Place): string {
  return `job_id = ${place(jobId)}::uuid AND (status <> 'pending' OR NOT EXISTS (SELECT 1 FROM executions AS other
    WHERE other.user_id = ${place(userId)}::uuid AND other.status = 'pending' AND NOT other.not_started AND other.priority > ${place(priority)}))`;
}

/** Swaps the jobs of the job's execution and of its owner's waiting execution with the highest priority. */
export function swapJobWithHighestPriority(jobId: string): Statement {
  return writeStatement(
    (place) => `WITH own AS (SELECT id, job_id, user_id, priority FROM executions
        WHERE job_id = ${place(jobId)}::uuid AND status = 'pending' AND NOT not_started FOR UPDATE),
      urgent AS (SELECT other.id, other.job_id FROM own JOIN executions AS other ON other.user_id = own.user_id
        WHERE other.status = 'pending' AND NOT other.not_started AND other.job_id IS NOT NULL AND other.priority > own.priority
        ORDER BY other.priority DESC, other.created_at LIMIT 1 FOR UPDATE OF other SKIP LOCKED)
      UPDATE executions SET job_id = CASE WHEN executions.id = own.id THEN urgent.job_id ELSE own.job_id END
      FROM own, urgent WHERE executions.id IN (own.id, urgent.id)`,
  );
}
