import { type Execution, execution, type StepRun } from '../../../../contract/executions/execution.ts';
import type { TestRun } from '../../../../contract/executions/test-run.ts';
import { asc } from '../../../platform/database/drizzle.ts';
import { defaultsOf } from '../../../platform/database/statement.ts';
import { viewOf } from '../../../platform/database/view-of.ts';
import type { StoredTestRun } from './step-answer.ts';
import { executionSteps, type executions } from './tables.ts';

export type ExecutionRow = typeof executions.$inferSelect;
export type StepRow = typeof executionSteps.$inferSelect;

/** What belongs to a step, and not to one run of it. */
const { nodeId, pipelineStepId, round, item, kind, triedModel, ...unsetOfRun } = defaultsOf(executionSteps);
/** What a run of a step holds before it begins. */
export const unbegun = { ...unsetOfRun, status: 'pending' as const };

/** Sorts an execution's steps by the order of the pipeline, then by item, then by round. */
export const inPlace = [asc(executionSteps.orderIndex), asc(executionSteps.item), asc(executionSteps.round)];

type StepPosition = Pick<StepRow, 'orderIndex' | 'item' | 'round'>;

/** Compares two rows by the same order. */
export function byPlace(a: StepPosition, b: StepPosition): number {
  return a.orderIndex - b.orderIndex || a.item - b.item || a.round - b.round;
}

/**
 * Returns rows that take little memory while a run works: equal texts are one text (10,000 steps can have the same prompt), and a row is laid out as a
 * literal is. The query builder fills each row by computed keys, and V8 then keeps it as a hash table of four times the size.
 */
export function compactSteps(rows: readonly StepRow[]): StepRow[] {
  const texts = new Map<string, string>();
  const once = <Text extends string | null>(text: Text): Text => {
    if (text === null) return text;
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text);
    return (known ?? text) as Text;
  };
  return rows.map((row) => ({
    ...row,
    executionId: once(row.executionId),
    agentId: once(row.agentId),
    agentTitle: once(row.agentTitle),
    role: once(row.role),
    name: once(row.name),
    systemPrompt: once(row.systemPrompt),
    pipelineStepId: once(row.pipelineStepId),
    provider: once(row.provider),
    model: once(row.model),
  }));
}

const showExecution = viewOf(execution);

/** Converts a row to the API's execution. `result` is the answer of its last step once it is completed. */
export function toExecution(row: Omit<ExecutionRow, 'input' | 'graph'>, result: string | null = null): Execution {
  return showExecution(row, {
    held: row.notStarted && row.status === 'pending',
    result,
    progress: progressOf(row),
    openQuestions: row.openQuestions || null,
    limited: row.limited && row.status === 'completed' ? true : null,
  });
}

/** Converts a row to the API's step, without `viewOf`: a run has up to 10,000 of them. */
export function toStepRun(row: StepRow): StepRun {
  return {
    stepId: row.stepId,
    orderIndex: row.orderIndex,
    name: row.name,
    agentId: row.agentId,
    nodeId: row.nodeId,
    role: row.role,
    status: row.status,
    attempts: row.attempts,
    startedAt: iso(row.startedAt),
    completedAt: iso(row.completedAt),
    durationMs: row.durationMs,
    provider: row.provider,
    model: row.model,
    simulated: row.simulated,
    usage: row.usage,
    ...(row.cost && { cost: row.cost }),
    result: row.result,
    error: row.error,
    ...(row.round > 0 && { round: row.round }),
    ...(row.item > 0 && { item: row.item }),
    ...(row.pipelineStepId !== null && { pipelineStepId: row.pipelineStepId }),
    ...(row.choice !== null && { choice: row.choice }),
    ...(row.kind === 'person' && { kind: row.kind }),
    ...(row.handOff && { handOff: { state: row.handOff.state, linkIds: row.handOff.linkIds } }),
    ...((row.handOff?.isEdited || row.reusedFrom?.isEdited || row.room?.text !== undefined) && { isEdited: true as const }),
    ...(row.toolUse && { toolUse: row.toolUse }),
    ...(row.readFiles && { readFiles: row.readFiles }),
    ...(row.shortened && { shortened: row.shortened.parts }),
    ...(row.marks && { marks: row.marks }),
    ...(row.testRun && { testRun: shownTestRun(row.testRun, row.status) }),
    ...(row.reusedFrom && { reusedFrom: { executionId: row.reusedFrom.executionId, stepId: row.reusedFrom.stepId } }),
  };
}

/** A step that has ended in another way has ended what it executed. The end of the log is for prompts. */
function shownTestRun({ logEnd: _, ...run }: StoredTestRun, status: StepRow['status']): TestRun {
  return run.state === 'running' && status !== 'running' ? { ...run, state: 'stopped' } : run;
}

/**
 * Returns the final answer, once the execution is completed: of the last agent's step with an answer. Without one, it is a person's. It is
 * stored with that step only.
 */
export function finalAnswer({ status }: Pick<ExecutionRow, 'status'>, steps: readonly Pick<StepRow, 'result' | 'kind'>[]): string | null {
  if (status !== 'completed') return null;
  const answered = steps.filter(({ result }) => result !== null);
  return (answered.findLast(({ kind }) => kind === null) ?? answered.at(-1))?.result ?? null;
}

/** Returns the share of finished steps, 0 to 100. */
export function progressOf(row: Pick<ExecutionRow, 'stepsDone' | 'stepsTotal'>): number {
  return row.stepsTotal === 0 ? 100 : Math.round((row.stepsDone / row.stepsTotal) * 100);
}

function iso(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
