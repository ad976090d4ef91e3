import { listItemsAtOnce } from '../../../contract/executions/run-graph.ts';
import { linksOutOf } from '../../../rules/run-graph/choose-links.ts';
import { inputsOf } from '../../../rules/run-graph/inputs-of.ts';
import type { CompiledGraph } from '../../../rules/run-graph/run-graph.ts';
import { isEnded, RunState, type StepState } from '../../../rules/run-graph/run-state.ts';
import { settleRun } from '../../../rules/run-graph/settle-run.ts';
import { type HandOffOutcome, numberFrom, type Outcome } from './random-run.ts';
import { keyOf } from './reference-run.ts';

type Driving = {
  compiled: CompiledGraph;
  task?: string;
  outcomeOf: (nodeId: string, round: number, item: number) => Outcome;
  /** Decides which steps begin and which end next. */
  order: string;
  maxParallel: number;
  maxRuns?: number;
  /** The steps at the start; all pending unless given. */
  initial?: readonly StepState[];
  /** Called with all steps after each change. */
  onChange?: (steps: readonly StepState[]) => void;
};

export type Driven = {
  steps: StepState[];
  /** What each run was given when it began. */
  inputs: Map<string, string[][]>;
  items: Map<string, string>;
  /** The order in which steps began. */
  begun: string[];
  failure: string | null;
};

/** A run of a graph with outcomes that are known. At each change it knows only the stored states of its steps, in any order. */
export function driveRun({ compiled, task = '', outcomeOf, order, maxParallel, maxRuns = 10_000, initial, onChange }: Driving): Driven {
  let drawn = 0;
  const draw = (below: number) => numberFrom(`${order} ${drawn++}`, below);
  const fresh = () =>
    compiled.graph.nodes.map(({ id }): StepState => ({ id, nodeId: id, round: 0, item: 0, status: 'pending', choice: null }));
  let steps: StepState[] = initial ? [...initial] : fresh();
  const driven: Driven = { steps, inputs: new Map(), items: new Map(), begun: [], failure: null };
  const resultOf = ({ nodeId, round, item }: StepState) => outcomeOf(nodeId, round, item).result;
  const newId = (run: { nodeId: string; round: number; item: number }) => keyOf(run.nodeId, run.round, run.item);
  const set = (id: string, changes: Partial<StepState>) => {
    steps = steps.map((step) => (step.id === id ? { ...step, ...changes } : step));
  };

  for (let calls = 0; ; calls += 1) {
    if (calls > 50_000) throw new Error('The run does not end.');
    onChange?.(steps);
    steps = shuffled(structuredClone(steps), draw);
    const settled = settleRun({ compiled, steps, task, resultOf, newId, maxRuns });
    if (settled.failure) return { ...driven, steps, failure: settled.failure.code };
    for (const { id } of settled.itemized) set(id, { item: 1 });
    steps.push(...settled.added.map((run): StepState => ({ ...run, id: newId(run), status: 'pending', choice: null })));
    for (const { id } of settled.skipped) set(id, { status: 'skipped' });
    for (const { id } of settled.cancelled) set(id, { status: 'cancelled' });
    for (const { id, handOff } of settled.withdrawn) set(id, { handOff });
    onChange?.(steps);
    const running = steps.filter(({ status }) => status === 'running');
    if (settled.isDone) {
      if (running.length > 0 || settled.ready.length > 0) throw new Error('A run is done with steps at work.');
      return { ...driven, steps };
    }
    const again = settleRun({ compiled, steps, task, resultOf, newId, maxRuns });
    if (again.added.length + again.skipped.length + again.cancelled.length + again.itemized.length > 0)
      throw new Error('A settled run is not settled.');
    const room = Math.max(0, maxParallel - running.length);
    const state = new RunState(compiled, steps);
    const beginning = settled.ready.slice(0, maxParallel === 1 ? room : draw(room + 1));
    if (beginning.length === 0 && running.length === 0) beginning.push(...settled.ready.slice(0, 1));
    const asked = steps.some(({ handOff }) => handOff?.state === 'open');
    if (beginning.length === 0 && running.length === 0 && !asked) throw new Error(`The run is stuck: ${JSON.stringify(steps)}`);
    for (const run of beginning) {
      const key = keyOf(run.nodeId, run.round, run.item);
      const inputs = inputsOf(state, run, steps, { task, resultOf });
      driven.inputs.set(
        key,
        inputs.results.map((runs) => runs.map((one) => keyOf(one.nodeId, one.round, one.item))),
      );
      if (inputs.item) driven.items.set(key, inputs.item.text);
      driven.begun.push(key);
      set(run.id, { status: 'running' });
    }
    checkItemsAtOnce(compiled, steps);
    const atWork = steps.filter(({ status, handOff }) => status === 'running' || handOff?.state === 'open');
    const ending = atWork[draw(atWork.length)];
    if (!ending) continue;
    const { status, choice, handOff } = outcomeOf(ending.nodeId, ending.round, ending.item);
    if (ending.handOff) {
      set(ending.id, { handOff: { ...ending.handOff, state: handOff?.state ?? 'sent' } });
      continue;
    }
    set(ending.id, { status, choice: status === 'failed' ? null : choice });
    if (handOff && status === 'completed') set(ending.id, { handOff: openHandOff(compiled, steps, ending.id, handOff) });
    if (status === 'failed' && new RunState(compiled, []).endsRun(ending.nodeId)) return { ...driven, steps, failure: 'step' };
  }
}

/** The hand-off of a step that has ended, along its taken links that hold; null where none does. */
function openHandOff(compiled: CompiledGraph, steps: readonly StepState[], id: string, { holds }: HandOffOutcome): StepState['handOff'] {
  const state = new RunState(compiled, steps);
  const step = steps.find((one) => one.id === id);
  if (!step) return null;
  const taken = linksOutOf(compiled, step.nodeId).filter((link) => state.stateAfter(link, step) === 'taken');
  const linkIds = taken.flatMap((link) => (holds(link.id) ? [link.id] : []));
  return linkIds.length > 0 ? { state: 'open', linkIds } : null;
}

function checkItemsAtOnce(compiled: CompiledGraph, steps: readonly StepState[]): void {
  for (const { id, kind, nodes } of compiled.regions) {
    if (kind !== 'list') continue;
    const running = steps.filter(({ nodeId, item, status }) => nodes.has(nodeId) && item > 0 && !isEnded(status) && status !== 'pending');
    if (new Set(running.map(({ item }) => item)).size > listItemsAtOnce) throw new Error(`Too many items of ${id} at once.`);
  }
}

function shuffled<T>(list: T[], draw: (below: number) => number): T[] {
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = draw(at + 1);
    [list[at], list[other]] = [list[other] as T, list[at] as T];
  }
  return list;
}
