import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Held } from './repository.ts';
import type { CommandRow, Ending } from './rows.ts';
import { agentCommands } from './tables.ts';

/** What is counted before a new command begins at once. */
export type Gate = {
  /** Whether this node would begin with it. */
  open: boolean;
  /** The node whose commands of the agent are `runningHere`, this one among them; the others' are counted. */
  nodeId: string;
  runningHere: number;
  most: number;
};

/** Stores a new command: it is running where its agent is not at its limit, else it waits. Answers one row when it is running. */
export function insertion(row: CommandRow, gate: Gate): SQL {
  const columns = Object.entries(getTableColumns(agentCommands)).filter(([key]) => !decided.has(key));
  const names = columns.map(([, column]) => sql.identifier(column.name));
  const values = columns.map(([key, column]) => {
    const value = row[key as keyof CommandRow];
    return sql`${value === null ? null : sql.param(value, column)}::${sql.raw(column.getSQLType())}`;
  });
  return sql`WITH gate AS (SELECT ${gate.open} AND ${gate.runningHere}::integer + count(*) <= ${gate.most}::integer AS open FROM agent_commands
      WHERE agent_id = ${row.agentId} AND status = 'running' AND execution_id IS NULL AND node_id <> ${gate.nodeId}),
    stored AS (INSERT INTO agent_commands (${sql.join(names, sql`, `)}, status, attempts, started_at)
      SELECT ${sql.join(values, sql`, `)}, CASE WHEN open THEN 'running' ELSE 'pending' END, CASE WHEN open THEN 1 ELSE 0 END,
        CASE WHEN open THEN ${row.createdAt.toISOString()}::timestamptz END FROM gate RETURNING status)
    SELECT 1 FROM stored WHERE status = 'running'`;
}

const decided = new Set(['status', 'attempts', 'startedAt']);

/** Ends a command that is still held, together with what else is written then. Answers one row when it was. */
export function completion({ id, leg }: Held, ending: Ending, now: Date, others: readonly ((changed: SQL) => SQL)[]): SQL {
  const { status, result, finish, error, provider, model, simulated, usage, executionTimeMs } = ending;
  const changed = sql`UPDATE agent_commands SET status = ${status}, result = ${result}, finish = ${finish},
      error = ${error === null ? null : JSON.stringify(error)}::jsonb, provider = ${provider}, model = ${model}, simulated = ${simulated},
      usage = ${usage === null ? null : JSON.stringify(usage)}::jsonb, execution_time_ms = ${executionTimeMs},
      started_at = coalesce(started_at, ${now.toISOString()}::timestamptz), completed_at = ${now.toISOString()}, updated_at = ${now.toISOString()}
    WHERE id = ${id} AND leg = ${leg} AND status IN ('pending', 'running') RETURNING id`;
  const parts = [
    sql`changed AS (${changed})`,
    ...others.map((other, index) => sql`${sql.raw(`other_${index}`)} AS (${other(sql`changed`)})`),
  ];
  return sql`WITH ${sql.join(parts, sql`, `)} SELECT id FROM changed`;
}
