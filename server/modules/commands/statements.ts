import {
  assignments,
  insertion as insertionOf,
  type SqlFragment,
  type Statement,
  writeStatement,
} from '../../platform/database/statement.ts';
import type { LeasedCommand } from './repository.ts';
import type { CommandRow, Ending } from './rows.ts';
import { agentCommands } from './tables.ts';

/** Stores a new command if its account has fewer unfinished ones than `maxUnfinished`. Returns one row when it was stored. */
export function insertion(row: CommandRow, maxUnfinished: number): Statement {
  return writeStatement(
    (place) => `WITH room AS (SELECT FROM agent_commands WHERE user_id = ${place(row.userId)}::uuid AND status IN ('pending', 'running')
        HAVING count(*) < ${place(maxUnfinished)}::integer)
      ${insertionOf(agentCommands, row, { source: 'room', place })} RETURNING id`,
  );
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
