import { assignments, type PartOfChange, type Statement, writeStatement } from '../../platform/database/statement.ts';
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

/** Stores a new command that has joined no step: it is running where its agent is not at its limit, else it waits. Answers one row when it is running. */
export function insertion(row: CommandRow, { open, nodeId, runningHere, most }: Gate): Statement {
  const { id, userId, projectId, agentId, kind, request, initialTask, task, parameters, data, messages, sentAt, language } = row;
  return writeStatement((place) => {
    const created = `${place(row.createdAt.toISOString())}::timestamptz`;
    const uuid = (value: string | null) => `${place(value)}::uuid`;
    const text = (value: string | null) => `${place(value)}::text`;
    const json = (value: unknown) => `${place(jsonOrNull(value))}::jsonb`;
    return `WITH gate AS (SELECT ${place(open)} AND ${place(runningHere)}::integer + count(*) <= ${place(most)}::integer AS open FROM agent_commands
        WHERE agent_id = ${uuid(agentId)} AND status = 'running' AND execution_id IS NULL AND node_id <> ${uuid(nodeId)}),
      stored AS (INSERT INTO agent_commands (id, user_id, project_id, agent_id, kind, request, initial_task, task, parameters, data, messages,
          sent_at, language, node_id, created_at, updated_at, status, attempts, started_at)
        SELECT ${uuid(id)}, ${uuid(userId)}, ${uuid(projectId)}, ${uuid(agentId)}, ${text(kind)}, ${text(request)}, ${text(initialTask)},
          ${text(task)}, ${json(parameters)}, ${json(data)}, ${json(messages)}, ${place(sentAt?.toISOString() ?? null)}::timestamptz,
          ${text(language)}, ${uuid(nodeId)}, ${created}, ${created},
          CASE WHEN open THEN 'running' ELSE 'pending' END, CASE WHEN open THEN 1 ELSE 0 END, CASE WHEN open THEN ${created} END
        FROM gate RETURNING status)
      SELECT 1 FROM stored WHERE status = 'running'`;
  });
}

function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** Ends a command that is still held, together with what else is written then. Answers one row when it was. */
export function completion({ id, leg }: Held, ending: Ending, now: Date, others: readonly PartOfChange[]): Statement {
  return writeStatement((place) => {
    const sets = assignments(agentCommands, { ...ending, completedAt: now, updatedAt: now }, place);
    const parts = [
      `changed AS (UPDATE agent_commands SET ${sets}, started_at = coalesce(started_at, ${place(now.toISOString())}::timestamptz)
        WHERE id = ${place(id)} AND leg = ${place(leg)} AND status IN ('pending', 'running') RETURNING id)`,
      ...others.map((other, index) => `other_${index} AS (${other('changed', place)})`),
    ];
    return `WITH ${parts.join(', ')} SELECT id FROM changed`;
  });
}
