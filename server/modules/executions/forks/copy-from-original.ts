import type { SqlFragment } from '../../../platform/database/statement.ts';
import { distinct, lastOfEach, mapRows, recordset, type UniqueRows } from '../../../platform/database/unique-rows.ts';
import type { FileBlock } from '../../files/index.ts';
import type { ExecutionRow, StepRow } from '../store/rows.ts';

/** A step of the original, and the same step of the fork. */
type KeptStep = { from: Pick<StepRow, 'executionId' | 'stepId'>; to: Pick<StepRow, 'stepId' | 'round' | 'item' | 'nodeId'> };

/** Copies the texts that users added to the original. */
export function copyContexts(parentId: string): SqlFragment {
  return (stored, place) => `INSERT INTO execution_contexts
    (execution_id, position, type, content, source, dialog_node_id, dialog_node_title, created_at)
    SELECT ${stored}.id, position, type, content, source, dialog_node_id, dialog_node_title, execution_contexts.created_at
    FROM ${stored}, execution_contexts WHERE execution_id = ${place(parentId)}::uuid`;
}

/** Copies the answered questions of kept steps. Links of persons without an account stay with the original. */
export function copyQuestions(row: Pick<ExecutionRow, 'pipelineId'>, kept: readonly KeptStep[]): SqlFragment {
  const steps = mapRows(distinctKept(kept), ({ from, to }) => ({
    run: from.executionId,
    source: from.stepId,
    target: to.stepId,
    node: to.nodeId,
  }));
  const shape = 'run uuid, source uuid, target uuid, node text';
  return (
    stored,
    place,
  ) => `INSERT INTO questions (id, execution_id, user_id, project_id, pipeline_id, step_id, node_id, round, item, kind, reason,
      asked, draft, state, answer, answered_by, answered_at, opened_at, due_at, when_due)
    SELECT gen_random_uuid(), ${stored}.id, q.user_id, q.project_id, ${place(row.pipelineId)}::uuid, kept.target, kept.node, q.round, q.item, q.kind,
      q.reason, q.asked, q.draft, q.state, q.answer, q.answered_by, q.answered_at, q.opened_at, q.due_at, q.when_due
    FROM ${stored}, questions AS q, ${recordset(steps, { name: 'kept', shape, place })}
    WHERE q.execution_id = kept.run AND q.step_id = kept.source AND q.state IN ('answered', 'expired')`;
}

/** The files of a step with an edited result: those of the old text go, those of the new one come. */
export type EditedFiles = { to: Pick<StepRow, 'stepId'>; removed: readonly FileBlock[]; added: readonly FileBlock[] };

/** Copies the files of kept steps, and stores those of edited results. Files of several runs are in the order of their times. */
export function copyFiles(parentId: string, kept: readonly KeptStep[], edited: readonly EditedFiles[]): SqlFragment {
  const steps = mapRows(distinctKept(kept), ({ from, to }) => ({ run: from.executionId, source: from.stepId, target: to.stepId }));
  const gone = lastOfEach(
    edited.flatMap(({ to, removed, added }) => [...removed, ...added].map(({ path }) => ({ step: to.stepId, path }))),
    keyOfFile,
  );
  const come = distinct(
    edited.flatMap(({ to, added }) =>
      added.map(({ path, content, size, language }) => ({ step: to.stepId, path, content, size, language })),
    ),
    keyOfFile,
  );
  const [ofKept, ofGone] = ['run uuid, source uuid, target uuid', 'step uuid, path text'];
  const ofCome = `${ofGone}, content text, size integer, language text`;
  const isOneRun = new Set(kept.map(({ from }) => from.executionId)).size < 2;
  const order = isOneRun ? 'f.order_index' : 'row_number() OVER (ORDER BY f.created_at, f.order_index)';
  return (stored, place) => `INSERT INTO execution_files
      (execution_id, path, step_id, order_index, content, size, language, removed, moved_from, executable, created_at)
    SELECT ${stored}.id, f.path, kept.target, ${order}, f.content, f.size, f.language, f.removed, f.moved_from, f.executable, f.created_at
    FROM ${stored}, execution_files AS f, ${recordset(steps, { name: 'kept', shape: ofKept, place })}
    WHERE f.execution_id = kept.run AND f.step_id = kept.source AND (kept.target, f.path) NOT IN
      (SELECT step, path FROM ${recordset(gone, { name: 'gone', shape: ofGone, place })})
    UNION ALL
    SELECT ${stored}.id, come.path, come.step, (SELECT coalesce(max(order_index), 0) FROM execution_files WHERE execution_id = ${place(parentId)}::uuid),
      come.content, come.size, come.language, false, NULL, NULL, now()
    FROM ${stored}, ${recordset(come, { name: 'come', shape: ofCome, place })}`;
}

function distinctKept(kept: readonly KeptStep[]): UniqueRows<KeptStep> {
  return distinct(
    kept,
    ({ from }) => from.stepId,
    ({ to }) => to.stepId,
  );
}

function keyOfFile({ step, path }: { step: string; path: string }): string {
  return `${step} ${path}`;
}
