import type { StepRun } from '../../contract/executions/execution.ts';
import type { RunState } from './workspace-state.ts';

/** `stopped`: its step was interrupted; `skipped`: the run ended before its step began. */
export type CardState = 'idle' | 'waiting' | 'active' | 'paused' | 'done' | 'failed' | 'stopped' | 'skipped';

/** The progress of a node's work. */
export type CardView = {
  state: CardState;
  /** The place in the queue, from 1, while waiting. */
  position: number | null;
  /** ISO 8601, while active. */
  startedAt: string | null;
  durationMs: number | null;
  totalTokens: number | null;
  simulated: boolean;
  step: StepRun | null;
  /** The round of its innermost review loop, from 1; null in the first one. */
  round: number | null;
  /** The most rounds of that loop; null where it is not known. */
  rounds: number | null;
  /** Of a step that works through a list: items that have ended, and all. */
  items: { done: number; total: number } | null;
  /** Of a card at rest: the next run leaves it out. */
  isLeftOut?: true;
  /** Of such a card: another start begins it, or it has no step in the shown run. */
  isOutside?: true;
};

export const idleCard: CardView = {
  state: 'idle',
  position: null,
  startedAt: null,
  durationMs: null,
  totalTokens: null,
  simulated: false,
  step: null,
  round: null,
  rounds: null,
  items: null,
};

/** A card that the next run leaves out. */
export const leftOutCard: CardView = { ...idleCard, isLeftOut: true };

/** A card that is not part of the shown run, or of the next one since another start begins it. */
export const outsideCard: CardView = { ...leftOutCard, isOutside: true };

type Known = {
  views: Record<string, CardView>;
  /** The places of each node's steps in the run. */
  places: ReadonlyMap<string, readonly number[]>;
  /** The run that these views were made from, and the nodes that differ from it; null where all were made anew. */
  change: { from: RunState; nodes: readonly string[] } | null;
};

/** A cache, since scene, outline and minimap ask for the views of the same run. */
const known = new WeakMap<RunState, Known>();
let newest: RunState | null = null;

/** Returns the state of every node in the run, by node id; all other nodes are idle. The record of a run lasts until the next run is read. */
export function cardViews(run: RunState): Readonly<Record<string, CardView>> {
  return knownOf(run).views;
}

/** Whether a card shows that its work is done: a person may read its result. */
export function isDone(run: RunState, nodeId: string): boolean {
  return cardViews(run)[nodeId]?.state === 'done';
}

/** Returns the steps of a node in the run: each round and item. */
export function stepsOfCard(run: RunState, nodeId: string): readonly StepRun[] {
  return (knownOf(run).places.get(nodeId) ?? []).map((at) => run.steps[at] as StepRun);
}

/** Returns the nodes whose view differs between two runs that were read one after the other; null where that is not known. */
export function changedCards(from: RunState, to: RunState): readonly string[] | null {
  const { change } = knownOf(to);
  return change?.from === from ? change.nodes : null;
}

function knownOf(run: RunState): Known {
  let found = known.get(run);
  if (!found) {
    found = (newest && changedViews(newest, run)) ?? allViews(run);
    known.set(run, found);
    newest = run;
  }
  return found;
}

function allViews(run: RunState): Known {
  const places = new Map<string, number[]>();
  for (const [at, { nodeId }] of run.steps.entries()) {
    if (!nodeId) continue;
    const known = places.get(nodeId);
    if (known) known.push(at);
    else places.set(nodeId, [at]);
  }
  return { views: viewsOf(run, places, places.keys()), places, change: null };
}

/**
 * Makes the views of a run from those of the run before it, where only single steps have changed. A copy of 10,000 views would cost more
 * than the rest of such a change. So the record is changed in place, and the run before loses it.
 */
function changedViews(from: RunState, run: RunState): Known | null {
  const before = known.get(from);
  const isLike =
    from.execution?.id === run.execution?.id &&
    from.steps.length === run.steps.length &&
    from.outcome === run.outcome &&
    from.phase === run.phase &&
    from.graph?.rounds === run.graph?.rounds;
  // During a pause the view of the next step depends on those before it.
  if (!before || !isLike || run.phase === 'paused') return null;
  const nodes = new Set<string>();
  for (let at = 0; at < run.steps.length; at++) {
    const step = run.steps[at] as StepRun;
    const earlier = from.steps[at] as StepRun;
    if (step === earlier) continue;
    if (step.nodeId !== earlier.nodeId) return null;
    if (step.nodeId) nodes.add(step.nodeId);
  }
  const { views, places } = before;
  Object.assign(views, viewsOf(run, places, nodes));
  known.delete(from);
  return { views, places, change: { from, nodes: [...nodes] } };
}

function viewsOf(run: RunState, places: Known['places'], nodes: Iterable<string>): Record<string, CardView> {
  const views: Record<string, CardView> = {};
  const next = run.phase === 'paused' ? run.steps.find((step) => step.status === 'pending') : null;
  for (const nodeId of nodes) {
    const newestOnes = newestRuns((places.get(nodeId) ?? []).map((at) => run.steps[at] as StepRun));
    const step = shownOf(newestOnes);
    views[nodeId] = {
      state: cardState(step, run, step === next),
      position: step.status === 'pending' ? step.orderIndex + 1 : null,
      startedAt: step.status === 'running' ? step.startedAt : null,
      durationMs: step.durationMs,
      totalTokens: step.usage?.totalTokens ?? null,
      simulated: step.simulated,
      step,
      round: step.round ? innermostRound(step.round) + 1 : null,
      rounds: run.graph?.rounds[nodeId] ?? null,
      items: step.item ? { done: newestOnes.filter(({ status }) => hasEnded(status)).length, total: newestOnes.length } : null,
    };
  }
  return views;
}

/** The newest round of each item. A step whose list is not yet known in its newest round has no items. */
function newestRuns(runs: readonly StepRun[]): StepRun[] {
  if (runs.length === 1) return [...runs];
  const newest = new Map<number, StepRun>();
  for (const step of runs) {
    const known = newest.get(step.item ?? 0);
    if (!known || (step.round ?? 0) >= (known.round ?? 0)) newest.set(step.item ?? 0, step);
  }
  const alone = newest.get(0);
  newest.delete(0);
  const items = [...newest.values()];
  return alone && items.every(({ round = 0 }) => round < (alone.round ?? 0)) ? [alone] : items;
}

/** Returns the newest run to show: a running one, else a failed one, else a pending one, else the last. */
function shownOf(runs: readonly StepRun[]): StepRun {
  const of = (status: StepRun['status']) => runs.find((step) => step.status === status);
  const done = runs.findLast(({ status }) => status === 'completed' || status === 'reused');
  return of('waiting') ?? of('running') ?? of('failed') ?? of('pending') ?? done ?? (runs.at(-1) as StepRun);
}

function hasEnded(status: StepRun['status']): boolean {
  return status !== 'pending' && status !== 'running' && status !== 'waiting';
}

/** Rounds of loops within loops are digits of one number. */
const roundBase = 32;

/** The round of the innermost loop, from 0. */
export function innermostRound(round: number): number {
  return round % roundBase;
}

function cardState(step: StepRun, run: RunState, isNext: boolean): CardState {
  if (step.status === 'pending' && isNext && run.phase === 'paused' && !run.outcome) return 'paused';
  // The steps of a removed run that had not begun are removed with it.
  if (step.status === 'cancelled' && !step.startedAt) return 'skipped';
  return stepState(step.status, run.outcome !== null);
}

/** Returns the state in which a step is shown; `hasEnded`: whether its run has. */
export function stepState(status: StepRun['status'], hasEnded: boolean): Exclude<CardState, 'idle' | 'paused'> {
  switch (status) {
    case 'pending':
    case 'waiting':
      return hasEnded ? 'skipped' : 'waiting';
    case 'running':
      return 'active';
    case 'completed':
    case 'reused':
      return 'done';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'stopped';
    case 'skipped':
      return 'skipped';
  }
}
