import type { Failure } from '../../../../contract/errors.ts';
import type { ChangedStep } from '../../../../contract/executions/execution-event.ts';
import { roundOf } from '../../../../rules/run-graph/run-graph.ts';
import type { StepState } from '../../../../rules/run-graph/run-state.ts';
import type { AddedRun } from '../../../../rules/run-graph/settle-run.ts';
import { hashPerson } from '../forks/input-hash.ts';
import { compiledOf, idOfRun, inputsOfSteps, settleSteps } from '../graph/compiled-graph.ts';
import { originOf } from '../graph/step-states.ts';
import { askCard } from '../questions/ask-person.ts';
import { failureFor } from '../store/failure-texts.ts';
import { type StepRow, unbegun } from '../store/rows.ts';
import { beginStep, countSteps, cutOffStep, skipSteps, withdrawQuestion } from '../transitions/change-steps.ts';
import type { Transition } from '../transitions/transition.ts';

/** The consequences of a change of a run's steps. */
type Followed = { begun: readonly StepRow[]; failure: Failure | null; isDone: boolean };

/** The steps that may start now: the number of agents' steps, and whether persons' steps may. These count only in a run of single steps. */
type StartCapacity = { agents: number; persons: boolean; isSingle: boolean };

/**
 * Writes everything that follows from the steps of a run: skipped, cancelled and starting steps, runs of other rounds and items, and
 * questions of persons' steps.
 */
export async function followLinks(change: Transition, capacity: StartCapacity): Promise<Followed> {
  const rows = await change.steps();
  const settlement = settleSteps(change.row, rows);
  if (settlement.failure) {
    const { code, nodeId } = settlement.failure;
    const step = rows.find((row) => originOf(row) === nodeId) ?? rows[0];
    const failure = failureFor({ code }, change.row.language, { agent: step?.agentTitle ?? '' });
    return { begun: [], failure, isDone: false };
  }
  await writeItems(change, settlement.itemized, settlement.added);
  await skipSteps(change, await rowsOf(change, settlement.skipped));
  for (const step of await rowsOf(change, settlement.cancelled)) {
    if (step.status === 'waiting') await withdrawQuestion(change, step);
    await cutOffStep(change, step);
  }
  for (const step of await rowsOf(change, settlement.withdrawn)) await withdrawQuestion(change, step);
  await countSteps(change);
  const begun = settlement.isDone ? [] : await beginReady(change, settlement.ready, capacity);
  return { begun, failure: null, isDone: settlement.isDone };
}

/** Begins as many ready steps as there is room for, and asks the persons among them. */
async function beginReady(
  change: Transition,
  ready: readonly StepState[],
  { persons, isSingle, ...room }: StartCapacity,
): Promise<StepRow[]> {
  if (room.agents <= 0 && !persons) return [];
  const begun: StepRow[] = [];
  for (const step of await rowsOf(change, ready)) {
    const isPerson = step.kind === 'person';
    if (isPerson ? !persons || (isSingle && room.agents <= 0) : room.agents <= 0) continue;
    if (isPerson) await askPerson(change, step);
    else begun.push(await beginStep(change, step));
    if (!isPerson || isSingle) room.agents -= 1;
  }
  return begun;
}

async function askPerson(change: Transition, step: StepRow): Promise<void> {
  const { row } = change;
  if (row.graph === null) throw new Error('A chain has no step of a person.');
  const compiled = compiledOf(row.graph);
  const inputs = inputsOfSteps(row.graph, row.initialTask, await change.steps())(step);
  await askCard(change, compiled, step, hashPerson(row, compiled, step, inputs));
}

/** Returns the rows of some steps as the change has left them, in the order of `states`. */
async function rowsOf(change: Transition, states: readonly StepState[]): Promise<StepRow[]> {
  if (states.length === 0) return [];
  const steps = await change.steps();
  if (states.length === 1) return steps.filter(({ stepId }) => stepId === states[0]?.id);
  const byId = new Map(steps.map((row) => [row.stepId, row]));
  return states.flatMap(({ id }) => byId.get(id) ?? []);
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
    ...unbegun,
    stepId: idOfRun(executionId, run),
    pipelineStepId: run.nodeId,
    round: run.round,
    item: run.item,
  };
}
