import { type SQL, sql } from 'drizzle-orm';
import type { Held } from './repository.ts';
import type { CommandRow, Ending } from './rows.ts';

/** What is counted before a new command begins at once. */
export type Gate = {
  /** Whether this node would begin with it. */
  open: boolean;
  /** The node whose commands of the agent are `runningHere`, this one among them; the others' are counted. */
  nodeId: string;
  runningHere: number;
  most: number;
};

/** Stores a new command that has joined no step: it is running where its agent is not at its limit, else it waits. Answers one row when it is running. */
export function insertion(row: CommandRow, { open, nodeId, runningHere, most }: Gate): SQL {
  const { id, userId, projectId, agentId, kind, request, initialTask, task, parameters, data, messages, sentAt, language } = row;
  const created = row.createdAt.toISOString();
  return sql`WITH gate AS (SELECT ${open} AND ${runningHere}::integer + count(*) <= ${most}::integer AS open FROM agent_commands
      WHERE agent_id = ${agentId} AND status = 'running' AND execution_id IS NULL AND node_id <> ${nodeId}),
    stored AS (INSERT INTO agent_commands (id, user_id, project_id, agent_id, kind, request, initial_task, task, parameters, data, messages,
        sent_at, language, node_id, created_at, updated_at, status, attempts, started_at)
      SELECT ${id}::uuid, ${userId}::uuid, ${projectId}::uuid, ${agentId}::uuid, ${kind}::text, ${request}::text, ${initialTask}::text,
        ${task}::text, ${JSON.stringify(parameters)}::jsonb, ${jsonOrNull(data)}::jsonb, ${jsonOrNull(messages)}::jsonb,
        ${sentAt?.toISOString() ?? null}::timestamptz, ${language}::text, ${nodeId}::uuid, ${created}::timestamptz, ${created}::timestamptz,
        CASE WHEN open THEN 'running' ELSE 'pending' END, CASE WHEN open THEN 1 ELSE 0 END, CASE WHEN open THEN ${created}::timestamptz END
      FROM gate RETURNING status)
    SELECT 1 FROM stored WHERE status = 'running'`;
}

function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

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
