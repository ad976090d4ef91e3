import { createHash } from 'node:crypto';
import type { Failure } from '../../../../contract/errors.ts';
import type { ChangedStep } from '../../../../contract/executions/execution-event.ts';
import { maxSteps } from '../../../../contract/executions/pipeline.ts';
import { caseByTests, testsFiles } from '../../../../rules/run-graph/choose-links.ts';
import { compileRunGraph } from '../../../../rules/run-graph/compile-run-graph.ts';
import { type CompiledGraph, type RunGraph, roundOf } from '../../../../rules/run-graph/run-graph.ts';
import { isEnded, RunState, type StepState } from '../../../../rules/run-graph/run-state.ts';
import { type AddedRun, settleRun } from '../../../../rules/run-graph/settle-run.ts';
import { collectSpent } from '../../budgets/index.ts';
import { hashPerson } from '../forks/input-hash.ts';
import { askCard } from '../questions/ask-person.ts';
import { withdrawingQuestions } from '../questions/question-rows.ts';
import type { StepRow } from '../store/rows.ts';
import { closingCalls } from '../tools/tool-call-rows.ts';
import { failureFor } from './failure-texts.ts';
import { type GraphInputs, graphInputs } from './graph-inputs.ts';
import { originOf, toStepState } from './step-states.ts';
import type { Transition } from './transition.ts';

/** A started step, with its input. */
export type BegunStep = { step: StepRow; inputs: GraphInputs; isCutOff?: boolean };

/** The consequences of a change of a graph's steps. */
export type Followed = { begun: BegunStep[]; failed: { step: StepRow; failure: Failure } | null; isDone: boolean };

/** The steps that may start now: the number of agents' steps, and whether persons' steps may. These count only in a run of single steps. */
export type StartCapacity = { agents: number; persons: boolean; isSingle: boolean };

/**
 * Writes everything that follows from the steps of a run: skipped, cancelled and starting steps, runs of other rounds and items, and
 * questions of persons' steps.
 */
export async function followLinks(change: Transition, graph: RunGraph, capacity: StartCapacity): Promise<Followed> {
  const compiled = compiledOf(graph);
  const rows = await change.steps();
  const byId = new Map(rows.map((row) => [row.stepId, row]));
  const settlement = settleRun({
    compiled,
    steps: rows.map(toStepState),
    resultOf: ({ id }) => byId.get(id)?.result ?? '',
    newId: (added) => idOfRun(change.row.id, added),
    maxRuns: maxSteps,
  });
  if (settlement.failure) {
    const { code, nodeId } = settlement.failure;
    const step = rows.find((row) => originOf(row) === nodeId) ?? rows[0];
    if (!step) throw new Error('A run has no steps.');
    return { begun: [], failed: { step, failure: failureFor({ code }, change.row.language, { agent: step.agentTitle }) }, isDone: false };
  }
  await writeItems(change, settlement.itemized, settlement.added);
  const skipped = new Set(settlement.skipped.map(({ id }) => id));
  if (skipped.size > 0)
    await skipSteps(
      change,
      (await change.steps()).filter(({ stepId }) => skipped.has(stepId)),
    );
  for (const { id } of settlement.cancelled) await cut(change, byId.get(id));
  for (const { id } of settlement.withdrawn) await withdraw(change, byId.get(id));
  await countSteps(change);
  if (settlement.isDone) return { begun: [], failed: null, isDone: true };
  const begun: BegunStep[] = [];
  if ((capacity.agents > 0 || capacity.persons) && settlement.ready.length > 0) {
    const now = new Map((await change.steps()).map((row) => [row.stepId, row]));
    const rows = [...now.values()];
    const state = new RunState(compiled, rows.map(toStepState));
    let { agents } = capacity;
    for (const { id } of settlement.ready) {
      const step = now.get(id);
      if (!step) continue;
      const isPerson = compiled.nodes.get(originOf(step))?.person !== undefined;
      if (isPerson && capacity.persons && (!capacity.isSingle || agents > 0))
        await askCard(change, compiled, step, hashPerson(change.row, compiled, step, graphInputs(compiled, state, step, rows)));
      else if (!isPerson && agents > 0)
        begun.push({ step: await beginStep(change, step), inputs: graphInputs(compiled, state, step, rows) });
      else continue;
      if (!isPerson || capacity.isSingle) agents -= 1;
    }
  }
  return { begun, failed: null, isDone: false };
}

/** Marks a step as running, for the first time or after an attempt that was cut off. */
export async function beginStep(change: Transition, step: StepRow): Promise<StepRow> {
  const isCutOff = step.status === 'running';
  // The calls of the earlier attempt may not be stored with the step yet.
  const spent = isCutOff ? await collectSpent(change.tx(), step) : null;
  const running = await change.setStep(step, {
    ...{ status: 'running', startedAt: step.startedAt ?? change.now, attempts: step.attempts + 1, error: null },
    ...{ leaseEpoch: change.row.leaseEpoch, ...spent },
  });
  change.record(isCutOff ? 'step.retrying' : 'step.started', { step: running });
  return running;
}

/** Returns the steps that can start now, in order. */
export async function readySteps(change: Transition, graph: RunGraph): Promise<StepRow[]> {
  const rows = await change.steps();
  const byId = new Map(rows.map((row) => [row.stepId, row]));
  const { ready } = settleRun({
    compiled: compiledOf(graph),
    steps: rows.map(toStepState),
    resultOf: ({ id }) => byId.get(id)?.result ?? '',
    newId: (added) => idOfRun(change.row.id, added),
    maxRuns: maxSteps,
  });
  return ready.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Returns the input of a step, from all steps of its execution: of a running step the same as at its start. */
export function inputsOfStep(graph: RunGraph, step: StepRow, steps: readonly StepRow[]): GraphInputs {
  const compiled = compiledOf(graph);
  return graphInputs(compiled, new RunState(compiled, steps.map(toStepState)), step, steps);
}

/** The end of a step: the files of its answer, and how to read the earlier ones of the run. */
type EndedWith = {
  result: string;
  label: string | null;
  files: readonly { path: string }[];
  held: () => Promise<readonly { path: string }[]>;
};

/**
 * Returns the case that a step's answer chooses: by its tests of data, else the label that the agent named. Reads the files of the run
 * only where a link tests for one.
 */
export async function choiceOf(graph: RunGraph, step: StepRow, { result, label, files, held }: EndedWith): Promise<string | null> {
  const compiled = compiledOf(graph);
  const nodeId = originOf(step);
  const existing = testsFiles(compiled, nodeId) ? [...(await held()), ...files] : [];
  const paths = new Set(existing.map(({ path }) => path));
  const byTests = caseByTests(compiled, nodeId, { result, hasFile: (path) => paths.has(path) });
  return byTests === undefined ? label : byTests;
}

/** Whether a failure of this step ends the run. */
export function failureEndsRun(graph: RunGraph, step: StepRow): boolean {
  return new RunState(compiledOf(graph), []).endsRun(originOf(step));
}

const compiledGraphs = new WeakMap<RunGraph, CompiledGraph>();

export function compiledOf(graph: RunGraph): CompiledGraph {
  const known = compiledGraphs.get(graph);
  if (known) return known;
  const made = compileRunGraph(graph);
  if (!made.ok) throw new Error(`The graph of a run is broken: ${made.problems[0]?.code}`);
  compiledGraphs.set(graph, made.compiled);
  return made.compiled;
}

/** Returns the id of a run of a step. It is a hash of round and item, so a repeated change writes the same row. */
export function idOfRun(executionId: string, { nodeId, round, item }: AddedRun): string {
  const hash = createHash('sha256').update(`${executionId}:${nodeId}:${round}:${item}`).digest('hex');
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

async function writeItems(change: Transition, itemized: readonly StepState[], added: readonly AddedRun[]): Promise<void> {
  if (itemized.length === 0 && added.length === 0) return;
  await change.setSteps(
    itemized.map(({ id }) => id),
    { item: 1 },
  );
  const origins = new Map((await change.steps()).map((row) => [row.stepId, row]));
  const rows = added.flatMap((run) => {
    const origin = origins.get(run.nodeId);
    return origin ? [newRun(change.row.id, origin, run)] : [];
  });
  await change.addSteps(rows);
  const places = (steps: readonly StepRow[]): ChangedStep[] =>
    steps.map((row) => ({ stepId: row.stepId, pipelineStepId: originOf(row), round: row.round, item: row.item, status: row.status }));
  const first = itemized.flatMap(({ id }) => origins.get(id) ?? []);
  if (first.length > 0) {
    const nodes = new Set(first.map(originOf));
    const ofList = rows.filter((row) => row.item > 0 && nodes.has(originOf(row)));
    const items = Math.max(1, ...ofList.map(({ item }) => item));
    change.record('step.items', { text: String(items), changedSteps: places([...first, ...ofList]) });
  }
  const ofRounds = rows.filter((row) => !first.some((one) => originOf(one) === originOf(row) && one.round === row.round));
  if (ofRounds.length > 0) {
    const newest = Math.max(...ofRounds.map(({ round }) => roundOf(round, 0) || roundOf(round, 1) || roundOf(round, 2)));
    change.record('step.round', { text: String(newest + 1), changedSteps: places(ofRounds) });
  }
}

function newRun(executionId: string, origin: StepRow, run: AddedRun): StepRow {
  return {
    ...origin,
    ...{ stepId: idOfRun(executionId, run), pipelineStepId: run.nodeId, round: run.round, item: run.item, choice: null },
    ...{ handOff: null, revision: null, turns: 0, turnsFrom: 0, toolSeq: 0, readFiles: null, toolUse: null, testRun: null },
    ...{ inputHash: null, reusedFrom: null, leaseEpoch: null },
    ...{ status: 'pending', attempts: 0, startedAt: null, completedAt: null, durationMs: null, provider: null, model: null },
    ...{ simulated: false, usage: null, cost: null, result: null, error: null, refusedFiles: null },
  };
}

/** Marks steps as skipped: nothing is handed on from them. */
export async function skipSteps(change: Transition, skipped: readonly StepRow[]): Promise<void> {
  if (skipped.length === 0) return;
  const ids = skipped.map(({ stepId }) => stepId);
  await change.setSteps(ids, { status: 'skipped', completedAt: change.now });
  const changedSteps = skipped.map(
    (row): ChangedStep => ({ stepId: row.stepId, pipelineStepId: originOf(row), round: row.round, item: row.item, status: 'skipped' }),
  );
  change.record('step.skipped', { changedSteps });
}

async function cut(change: Transition, row: StepRow | undefined): Promise<void> {
  if (!row) return;
  if (row.status === 'waiting') await withdraw(change, row);
  if (row.turns > 0) change.addWrite(closingCalls(row.stepId, change.now));
  const step = await change.setStep(row, { status: 'cancelled', completedAt: change.now });
  change.record('step.cancelled', { step });
}

/** Withdraws the open question of a step. Its hand-off leads nowhere. */
async function withdraw(change: Transition, row: StepRow | undefined): Promise<void> {
  if (!row) return;
  change.addWrite(withdrawingQuestions([row.stepId]));
  change.set({ openQuestions: change.row.openQuestions - 1, ...(change.row.budgetHold === row.stepId && { budgetHold: null }) });
  const step = row.handOff ? await change.setStep(row, { handOff: { ...row.handOff, state: 'skipped' } }) : row;
  change.record('question.withdrawn', { step });
}

/** Updates the execution's counts, from which its progress is computed. */
async function countSteps(change: Transition): Promise<void> {
  const steps = await change.steps();
  const stepsDone = steps.filter(({ status }) => isEnded(status)).length;
  if (stepsDone !== change.row.stepsDone || steps.length !== change.row.stepsTotal) change.set({ stepsDone, stepsTotal: steps.length });
}
