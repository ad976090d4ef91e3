import { ApiError } from '../../../http/api-error.ts';
import type { Db } from '../../../platform/database/database.ts';
import { runIn } from '../../../platform/database/prepared-statements.ts';
import { type BindValue, writeStatement } from '../../../platform/database/statement.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';

/** How many executions of one account may only wait for people, for each that it may have started. */
const waitingPerStarted = 20;

/**
 * A condition: the account has fewer active executions than its maximum. Those that only wait for people have a larger maximum of their own.
 */
export function isBelowRunLimit(userId: OwnerId, maxStarted: number, place: BindValue): string {
  return `(SELECT count(*) FILTER (WHERE job_id IS NOT NULL OR open_questions = 0) < ${place(maxStarted)}::integer
      AND count(*) < ${place(maxStarted * waitingPerStarted)}::bigint
    FROM executions WHERE user_id = ${place(userId)}::uuid AND status IN ('pending', 'running') AND NOT not_started)`;
}

/**
 * Throws `too_many_runs` when the account may have no further active execution. A paused execution is not active, so that it keeps no other one
 * from starting: it is counted when it goes on.
 */
export async function assertBelowRunLimit(tx: Db, userId: OwnerId, maxStarted: number): Promise<void> {
  const [found] = await runIn(tx)(writeStatement((place) => `SELECT ${isBelowRunLimit(userId, maxStarted, place)} AS room`));
  if (found?.room !== true) throw tooManyRuns();
}

/** The refusal for an account with too many active executions. */
export function tooManyRuns(): ApiError {
  return new ApiError('too_many_runs', { retryAfterSeconds: 10 });
}
