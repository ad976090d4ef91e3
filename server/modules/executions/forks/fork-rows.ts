import type { ChangedStep, ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import { noCost } from '../../../../rules/cost/cost-of.ts';
import type { PlannedRun } from '../../../../rules/run-graph/plan-fork.ts';
import { type CompiledGraph, loopsAround, type RunGraph, type RunLink, roundOf } from '../../../../rules/run-graph/run-graph.ts';
import { isEnded } from '../../../../rules/run-graph/run-state.ts';
import type { CallerKey } from '../../../http/call.ts';
import { originOf } from '../graph/step-states.ts';
import { startedBy } from '../store/new-execution.ts';
import { byPlace, type ExecutionRow, progressOf, type StepRow, unbegun } from '../store/rows.ts';
import type { ReusedFrom } from '../store/tables.ts';
import { isFromOutside, wordsOfCaller } from '../store/word-sources.ts';
import type { ForkRequest } from './forked-pipeline.ts';
import type { PlannedFork } from './plan-of-fork.ts';

/** A fork as it is stored: `kept` are the rows that come from the original, by their ids there. */
export type MadeFork = {
  row: ExecutionRow;
  steps: StepRow[];
  kept: { from: StepRow; to: StepRow; isEdited: boolean }[];
  /** The step that goes on with the cut text of its original; null without one. */
  continued: { from: StepRow; to: StepRow } | null;
  event: ExecutionEvent;
};

type Making = {
  asked: Pick<ForkRequest, 'edits' | 'onlyStep' | 'endsThere' | 'graph' | 'continues' | 'begunWith'>;
  jobId: string;
  /** The API key of the program that asks, whatever has started the original. */
  key: CallerKey | undefined;
  now: Date;
};

/** Makes the rows of a fork. Kept steps have the results of the original, and cost nothing. */
export function makeFork({ id, original, pipeline, earlier, plan }: PlannedFork, { asked, jobId, key, now }: Making): MadeFork {
  const kept: MadeFork['kept'] = [];
  let continued: MadeFork['continued'] = null;
  const runs = asked.endsThere ? plan.runs.map(withoutFollowing) : plan.runs;
  const steps = runs
    .flatMap((planned): StepRow[] => {
      const base = pipeline.bases.get(planned.run.nodeId);
      if (!base) return [];
      const from = isKept(planned) && planned.earlier ? earlier.rowOf(planned.earlier) : null;
      const to = from ? keptRow(id, base, planned, { from, now }) : pendingRow(id, base, planned, now);
      if (from) kept.push({ from, to, isEdited: planned.edit !== null });
      if (!asked.continues || planned.reason !== 'chosen' || !planned.earlier) return [to];
      const cut = earlier.rowOf(planned.earlier);
      continued = { from: cut, to: continuingRow(to, cut) };
      return [continued.to];
    })
    .sort(byPlace);
  const stepsDone = steps.filter(({ status }) => isEnded(status)).length;
  const row: ExecutionRow = {
    ...original.row,
    id,
    parentId: original.row.id,
    ...startedBy(key),
    forkedAt: now,
    pipelineId: pipeline.pipelineId,
    ...pipeline.team,
    graph: asked.endsThere && pipeline.graph ? withoutRepeats(pipeline.graph, pipeline.compiled, plan.runs) : pipeline.graph,
    ...(asked.begunWith && { input: { ...original.row.input, begunWith: asked.begunWith } }),
    ...(asked.graph === 'now' && { canvasVersion: null }),
    status: 'pending',
    pauseRequested: false,
    leaseEpoch: 0,
    jobId,
    singleStep: asked.onlyStep,
    notStarted: false,
    openQuestions: 0,
    error: null,
    stepsTotal: steps.length,
    stepsDone,
    activeMs: 0,
    lastSeq: 1,
    // What a budget has decided holds for the original only.
    budgetHold: null,
    unpricedAllowed: false,
    limited: false,
    hasFiles: original.row.hasFiles && (kept.length > 0 || continued !== null),
    // Kept results, texts and files of the original may hold the words from outside, and its task. A program may add others.
    hasOutside:
      original.row.hasOutsideTask ||
      (asked.edits.length > 0 && isFromOutside(wordsOfCaller(key))) ||
      (original.row.hasOutside &&
        (kept.length > 0 || continued !== null || original.contexts.length > 0 || original.row.inputSetId !== null)),
    // A person has approved the calls of the original only.
    approvedTools: null,
    installHosts: null,
    startedAt: null,
    completedAt: null,
    failedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  return { row, steps, kept, continued, event: beginning(row, steps) };
}

/** What a run that ends with its chosen step does not reach. */
function withoutFollowing(planned: PlannedRun): PlannedRun {
  if (planned.run.status !== 'pending' || planned.reason === 'chosen') return planned;
  return { ...planned, run: { ...planned.run, status: 'skipped' } };
}

/** The links back out of the chosen step begin no further round. They keep their labels, of which the step chooses one, and their own rounds. */
function withoutRepeats(graph: RunGraph, compiled: CompiledGraph, runs: readonly PlannedRun[]): RunGraph {
  const chosen = runs.find(({ reason }) => reason === 'chosen')?.run;
  if (!chosen) return graph;
  const around = loopsAround(compiled, chosen.nodeId);
  const links = graph.links.map((link): RunLink => {
    if (link.from !== chosen.nodeId || link.maxRounds === undefined) return link;
    const depth = around.findIndex(({ backLinks }) => backLinks.some(({ id }) => id === link.id));
    const { maxRounds, atLimit } = link;
    const own = { maxRounds, ...(atLimit !== undefined && { atLimit }) };
    return { ...link, maxRounds: roundOf(chosen.round, Math.max(depth, 0)) + 1, atLimit: 'handOn', own };
  });
  return { ...graph, links };
}

function isKept({ reason }: PlannedRun): boolean {
  return reason === 'same' || reason === 'edited';
}

function keptRow(executionId: string, base: StepRow, planned: PlannedRun, { from, now }: { from: StepRow; now: Date }): StepRow {
  const { run, edit } = planned;
  const { startedAt, completedAt } = from;
  const origin = {
    executionId: from.executionId,
    stepId: from.stepId,
    begunAt: startedAt?.getTime() ?? 0,
    endedAt: completedAt?.getTime() ?? 0,
    ...timesOf(from.reusedFrom),
  };
  return {
    ...placed(executionId, base, planned),
    status: run.status,
    choice: run.choice,
    handOff: edit ? null : from.handOff,
    result: edit?.result ?? from.result,
    completedAt: now,
    provider: from.provider,
    model: from.model,
    simulated: from.simulated,
    cost: noCost,
    error: from.error,
    refusedFiles: from.refusedFiles,
    readFiles: from.readFiles,
    inputHash: from.inputHash,
    testRun: from.testRun,
    shortened: from.shortened,
    // An edited result is whole as its person wrote it.
    marks: edit ? null : from.marks,
    reusedFrom: edit ? { ...origin, isEdited: true } : (from.reusedFrom ?? origin),
  };
}

function timesOf(reused: ReusedFrom | null): Partial<Pick<ReusedFrom, 'begunAt' | 'endedAt'>> {
  return reused ? { begunAt: reused.begunAt, endedAt: reused.endedAt } : {};
}

/** A step that has not begun, or that never will. */
function pendingRow(executionId: string, base: StepRow, planned: PlannedRun, now: Date): StepRow {
  const { status } = planned.run;
  return { ...placed(executionId, base, planned), status, completedAt: isEnded(status) ? now : null };
}

/** A step whose first turn is the cut text. Its files, and what it has done with tools, stay. */
function continuingRow(to: StepRow, { toolUse, readFiles }: StepRow): StepRow {
  return { ...to, turns: 1, toolUse: toolUse && { ...toolUse, current: null }, readFiles };
}

function placed(executionId: string, base: StepRow, { run }: PlannedRun): StepRow {
  return {
    ...base,
    ...unbegun,
    executionId,
    stepId: run.id,
    pipelineStepId: run.id === run.nodeId ? null : run.nodeId,
    round: run.round,
    item: run.item,
  };
}

/** The first event of a fork: what it keeps. */
function beginning(row: ExecutionRow, steps: readonly StepRow[]): ExecutionEvent {
  const { status, pauseRequested, createdAt } = row;
  const changedSteps = steps.flatMap((step): ChangedStep[] => {
    const { stepId, round, item } = step;
    const isBase = step.pipelineStepId === null && round === 0 && item === 0;
    return isBase && step.status === 'pending' ? [] : [{ stepId, pipelineStepId: originOf(step), round, item, status: step.status }];
  });
  return {
    executionId: row.id,
    seq: row.lastSeq,
    at: createdAt.toISOString(),
    type: 'step.reused',
    status,
    pauseRequested,
    progress: progressOf(row),
    step: null,
    text: null,
    error: null,
    changedSteps,
  };
}
