import {
  assignments,
  insertion as insertionOf,
  type SqlFragment,
  type Statement,
  writeStatement,
} from '../../platform/database/statement.ts';
import { hasBudget } from '../budgets/index.ts';
import type { LeasedCommand } from './repository.ts';
import type { CommandRow, Ending } from './rows.ts';
import { agentCommands } from './tables.ts';

/**
 * Stores a new command with its job, if it needs one and if its account has fewer unfinished commands than `maxUnfinished`. Returns one row
 * when it was stored: whether budgets may apply to it.
 */
export function insertion(row: CommandRow, job: SqlFragment | null, maxUnfinished: number): Statement {
  return writeStatement((place) => {
    const parts = [
      `room AS (SELECT FROM agent_commands WHERE user_id = ${place(row.userId)}::uuid AND status IN ('pending', 'running')
        HAVING count(*) < ${place(maxUnfinished)}::integer)`,
      `stored AS (${insertionOf(agentCommands, row, { source: 'room', place })} RETURNING user_id, project_id)`,
      ...(job ? [`job AS (${job('stored', place)})`] : []),
    ];
    return `WITH ${parts.join(', ')} SELECT ${hasBudget('stored')} AS "hasBudget" FROM stored`;
  });
}

/** Ends a command if it still has the attempt's epoch, with further writes. Returns one row when it was ended. */
export function completion({ id, leaseEpoch }: LeasedCommand, ending: Ending, now: Date, others: readonly SqlFragment[]): Statement {
  return writeStatement((place) => {
    const sets = assignments(agentCommands, { ...ending, completedAt: now, updatedAt: now }, place);
    const parts = [
      `changed AS (UPDATE agent_commands SET ${sets}, started_at = coalesce(started_at, ${place(now.toISOString())}::timestamptz)
        WHERE id = ${place(id)} AND lease_epoch = ${place(leaseEpoch)} AND status IN ('pending', 'running') RETURNING id)`,
      ...others.map((other, index) => `other_${index} AS (${other('changed', place)})`),
    ];
    return `WITH ${parts.join(', ')} SELECT id FROM changed`;
  });
}
