import {
  assignments,
  insertion as insertionOf,
  type SqlFragment,
  type Statement,
  writeStatement,
} from '../../platform/database/statement.ts';
import type { Held } from './repository.ts';
import type { CommandRow, Ending } from './rows.ts';
import { agentCommands } from './tables.ts';

/** Stores a new command where its account has fewer unfinished ones than `maxUnfinished`. Answers one row when it was stored. */
export function insertion(row: CommandRow, maxUnfinished: number): Statement {
  return writeStatement(
    (place) => `WITH room AS (SELECT FROM agent_commands WHERE user_id = ${place(row.userId)}::uuid AND status IN ('pending', 'running')
        HAVING count(*) < ${place(maxUnfinished)}::integer)
      ${insertionOf(agentCommands, row, { source: 'room', place })} RETURNING id`,
  );
}

/** Ends a command whose epoch is still the attempt's, together with what else is written then. Answers one row when it was. */
export function completion({ id, leaseEpoch }: Held, ending: Ending, now: Date, others: readonly SqlFragment[]): Statement {
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
