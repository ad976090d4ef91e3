import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import {
  assignments,
  type BindValue,
  insertions,
  type SqlFragment,
  type Statement,
  writeStatement,
} from '../../../platform/database/statement.ts';
import { distinct, mapRows, recordset } from '../../../platform/database/unique-rows.ts';
import { distinctSteps } from './distinct-steps.ts';
import type { ExecutionRow, StepRow } from './rows.ts';
import { withoutAnswer } from './stored-events.ts';
import { executionSteps, executions } from './tables.ts';

/** All writes of one change of an execution. */
type Changes = {
  /** The execution as it was read. A row that has changed since is not written. */
  before: Pick<ExecutionRow, 'id' | 'leaseEpoch' | 'lastSeq'>;
  /** A further condition on the row. */
  condition: ((place: BindValue) => string) | null;
  row: Partial<ExecutionRow>;
  steps: ReadonlyMap<string, Partial<StepRow>>;
  /** Changes that several steps share. */
  shared: readonly { stepIds: readonly string[]; change: Partial<StepRow> }[];
  /** New runs of steps. */
  added: readonly StepRow[];
  events: readonly ExecutionEvent[];
  /** Writes to other tables. */
  others: readonly SqlFragment[];
  /** Writes of deliveries, which return a row for each. */
  deliveries: readonly SqlFragment[];
  /** A query of one value that is read with the change. */
  reading: ((place: BindValue) => string) | null;
};

/**
 * Builds one statement that changes the execution, its steps and its log together, or nothing. It returns one row with `found` when the
 * execution still was as `before` says, and no row otherwise. With `deliveries`, `told` is how many of them were stored. Every change of an active execution increases its `seq` or its epoch.
 *
 * The id of the changed execution is a scalar subquery. With a join, PostgreSQL 18 may read the step of every run of the pipeline and
 * filter afterwards.
 */
export function changeStatement({ before, condition, row, steps, shared, added, events, others, deliveries, reading }: Changes): Statement {
  return writeStatement((place) => {
    const parts = [
      `changed AS (UPDATE executions SET ${assignments(executions, row, place)}
        WHERE id = ${place(before.id)} AND lease_epoch = ${place(before.leaseEpoch)} AND last_seq = ${place(before.lastSeq)}
        ${condition ? `AND ${condition(place)}` : ''} RETURNING id)`,
    ];
    for (const [stepId, step] of steps)
      parts.push(`step_${parts.length} AS (UPDATE execution_steps SET ${assignments(executionSteps, step, place)}
        WHERE execution_id = (SELECT id FROM changed) AND step_id = ${place(stepId)})`);
    for (const { stepIds, change } of shared)
      parts.push(`step_${parts.length} AS (UPDATE execution_steps SET ${assignments(executionSteps, change, place)}
        WHERE execution_id = (SELECT id FROM changed) AND step_id = ANY(${place(stepIds)}::uuid[]))`);
    if (added.length > 0) parts.push(`added AS (${insertions(executionSteps, distinctSteps(added), { source: 'changed', place })})`);
    if (events.length > 0) parts.push(`told AS (${logging('changed', events, place)})`);
    for (const other of others) parts.push(`other_${parts.length} AS (${other('changed', place)})`);
    const stored = deliveries.map((delivery, at) => {
      parts.push(`delivery_${at} AS (${delivery('changed', place)})`);
      return `(SELECT count(*) FROM delivery_${at})`;
    });
    const told = stored.length === 0 ? '' : `, (${stored.join(' + ')})::integer AS told`;
    return `WITH ${parts.join(', ')} SELECT id${reading ? `, (${reading(place)}) AS found` : ''}${told} FROM changed`;
  });
}

/** Inserts events into the log of the execution whose id is in the table expression `source`. */
export function logging(source: string, events: readonly ExecutionEvent[], place: BindValue): string {
  return `INSERT INTO execution_events (execution_id, seq, event) SELECT ${source}.id, (event->>'seq')::integer, event
    FROM ${source}, ${recordset(
      mapRows(
        distinct(events, ({ seq }) => seq),
        (event) => ({ event: withoutAnswer(event) }),
      ),
      { name: 'one', shape: 'event jsonb', place },
    )}`;
}
