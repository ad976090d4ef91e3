import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { ExecutionEvent } from '../../../contract/execution.ts';
import type { ExecutionRow, StepRow } from './rows.ts';
import { executionEvents, executionSteps, executions } from './tables.ts';

/** All that one change of an execution writes. */
export type Changes = {
  /** The execution as it was read: a row that has moved on since is left alone. */
  before: Pick<ExecutionRow, 'id' | 'leg' | 'lastSeq'>;
  row: Partial<ExecutionRow>;
  steps: ReadonlyMap<string, Partial<StepRow>>;
  events: readonly ExecutionEvent[];
  /** Writes of other tables, each given the table expression that has a row exactly when the execution is changed. */
  others: readonly ((changed: SQL) => SQL)[];
};

/**
 * One statement that changes the execution, its steps and its log together, or nothing: it answers one row when the execution
 * still was as `before` says (every change of an execution under way moves its `seq` or its leg), and none when it was not.
 */
export function changeStatement({ before, row, steps, events, others }: Changes): SQL {
  const changed = sql`changed`;
  const parts = [
    sql`changed AS (UPDATE ${executions} SET ${assignments(executions, row)}
      WHERE id = ${before.id} AND leg = ${before.leg} AND last_seq = ${before.lastSeq} RETURNING id)`,
    ...[...steps].map(
      ([stepId, step], index) =>
        sql`${sql.raw(`step_${index}`)} AS (UPDATE ${executionSteps} SET ${assignments(executionSteps, step)}
          FROM changed WHERE execution_id = changed.id AND step_id = ${stepId})`,
    ),
    ...(events.length === 0
      ? []
      : [
          sql`told AS (INSERT INTO ${executionEvents} (execution_id, seq, event)
            SELECT changed.id, (event->>'seq')::integer, event FROM changed, jsonb_array_elements(${JSON.stringify(events)}::jsonb) AS event)`,
        ]),
    ...others.map((other, index) => sql`${sql.raw(`other_${index}`)} AS (${other(changed)})`),
  ];
  return sql`WITH ${sql.join(parts, sql`, `)} SELECT id FROM changed`;
}

function assignments(table: PgTable, values: object): SQL {
  const columns = getTableColumns(table);
  const sets = Object.entries(values).flatMap(([key, value]) => {
    const column = columns[key];
    return column === undefined ? [] : [sql`${sql.identifier(column.name)} = ${value === null ? null : sql.param(value, column)}`];
  });
  return sql.join(sets, sql`, `);
}
