import type { ExecutionEvent } from '../../../../contract/execution.ts';
import {
  assignments,
  insertions,
  type Place,
  type SqlFragment,
  type Statement,
  writeStatement,
} from '../../../platform/database/statement.ts';
import type { ExecutionRow, StepRow } from './rows.ts';
import { withoutAnswer } from './stored-events.ts';
import { executionSteps, executions } from './tables.ts';

/** All that one change of an execution writes. */
export type Changes = {
  /** The execution as it was read: a row that has moved on since is left alone. */
  before: Pick<ExecutionRow, 'id' | 'leaseEpoch' | 'lastSeq'>;
  /** What must hold besides: a condition on the row. */
  condition: ((place: Place) => string) | null;
  row: Partial<ExecutionRow>;
  steps: ReadonlyMap<string, Partial<StepRow>>;
  /** Changes that many steps share. */
  shared: readonly { stepIds: readonly string[]; change: Partial<StepRow> }[];
  /** Runs of steps that begin to exist. */
  added: readonly StepRow[];
  events: readonly ExecutionEvent[];
  /** Writes of other tables. */
  others: readonly SqlFragment[];
  /** What is read with the change: a query of one row with one value. */
  reading: ((place: Place) => string) | null;
};

/**
 * One statement that changes the execution, its steps and its log together, or nothing: it answers one row, with what was `found`,
 * when the execution still was as `before` says (every change of an execution under way moves its `seq` or its epoch), and none when
 * it was not.
 */
export function changeStatement({ before, condition, row, steps, shared, added, events, others, reading }: Changes): Statement {
  return writeStatement((place) => {
    const parts = [
      `changed AS (UPDATE executions SET ${assignments(executions, row, place)}
        WHERE id = ${place(before.id)} AND lease_epoch = ${place(before.leaseEpoch)} AND last_seq = ${place(before.lastSeq)}
        ${condition ? `AND ${condition(place)}` : ''} RETURNING id)`,
    ];
    for (const [stepId, step] of steps)
      parts.push(`step_${parts.length} AS (UPDATE execution_steps SET ${assignments(executionSteps, step, place)}
        FROM changed WHERE execution_id = changed.id AND step_id = ${place(stepId)})`);
    for (const { stepIds, change } of shared)
      parts.push(`step_${parts.length} AS (UPDATE execution_steps SET ${assignments(executionSteps, change, place)}
        FROM changed WHERE execution_id = changed.id AND step_id = ANY(${place(stepIds)}::uuid[]))`);
    if (added.length > 0) parts.push(`added AS (${insertions(executionSteps, added, { source: 'changed', place })})`);
    if (events.length > 0) parts.push(`told AS (${logging('changed', events, place)})`);
    for (const other of others) parts.push(`other_${parts.length} AS (${other('changed', place)})`);
    return `WITH ${parts.join(', ')} SELECT id${reading ? `, (${reading(place)}) AS found` : ''} FROM changed`;
  });
}

/** Adds events to the log of the execution that `source`, a table expression, names by its `id`. */
export function logging(source: string, events: readonly ExecutionEvent[], place: Place): string {
  return `INSERT INTO execution_events (execution_id, seq, event) SELECT ${source}.id, (event->>'seq')::integer, event
    FROM ${source}, jsonb_array_elements(${place(JSON.stringify(events.map(withoutAnswer)))}::jsonb) AS event`;
}
