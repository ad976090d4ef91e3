import type { RunStatement } from '../../platform/database/prepared-statements.ts';

/** Removes the ended commands that had joined a step of these executions. Returns their ids. */
export async function removeJoinedCommands(run: RunStatement, executionIds: readonly string[]): Promise<string[]> {
  const rows = await run({
    text: `DELETE FROM agent_commands WHERE execution_id = ANY ($1::uuid[]) AND status IN ('completed', 'failed', 'cancelled') RETURNING id`,
    values: [executionIds],
  });
  return rows.map(({ id }) => String(id));
}
