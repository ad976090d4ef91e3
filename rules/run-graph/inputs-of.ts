import { type ItemSources, listFor } from './list-for.ts';
import { loopsAround, outerRound, type Region, regionsAround } from './run-graph.ts';
import type { RunState, StepState } from './run-state.ts';
import { hasResult } from './step-count.ts';

/** The inputs of a step: results in order, those of its own links last and in their order. */
export type StepInputs = {
  results: StepState[][];
  /** The item of the list that the step works on. */
  item: { text: string; number: number; of: number } | null;
  /** The results that reached the step because the rounds of their loop were used up. */
  notAccepted: { nodeId: string; rounds: number }[];
};

/**
 * The results that one run of a step gets: of all steps that led to it along taken links. In a review loop also those of the round before.
 * The runs of a step in a list that has ended are one result, in the order of the items. Never in the order of finishing.
 */
export function inputsOf(state: RunState, run: StepState, earlierRounds: readonly StepState[], sources: ItemSources): StepInputs {
  const { compiled } = state;
  const place = new Map(compiled.order.map((id, at) => [id, at]));
  const around = regionsAround(compiled, run.nodeId);
  const loop = around.find((region) => region.kind === 'loop' && state.roundOf(region, run.item) > 0) ?? null;

  const incoming = compiled.incoming.get(run.nodeId) ?? [];
  const direct = new Set(incoming.flatMap((link) => state.takingRuns(link, run.item)));
  const reached = new Set(direct);
  for (const one of reached)
    for (const link of compiled.incoming.get(one.nodeId) ?? []) for (const source of state.takingRuns(link, one.item)) reached.add(source);
  const before = [...reached].filter((one) => !direct.has(one));

  const byPlace = (a: StepState[], b: StepState[]) => (place.get(a[0]?.nodeId ?? '') ?? 0) - (place.get(b[0]?.nodeId ?? '') ?? 0);
  const earlier = byStep(before).toSorted(byPlace);
  const ofRound = loop ? byStep(roundBefore(state, loop, run, earlierRounds)).toSorted(byPlace) : [];
  const own = byStep(direct);
  return {
    // The first step of a loop receives the result that the previous round sent back.
    results: loop?.id === run.nodeId ? [...earlier, ...own, ...ofRound] : [...earlier, ...ofRound, ...own],
    item: itemOf(state, run, around, sources),
    notAccepted: notAccepted(state, run, reached),
  };
}

/** Runs that have a result: those of one step together, in the order of the items; steps in the order given. */
function byStep(runs: Iterable<StepState>): StepState[][] {
  const withResult = [...runs].filter(({ status }) => hasResult(status));
  return [...Map.groupBy(withResult, ({ nodeId }) => nodeId).values()].map((ofStep) => ofStep.toSorted((a, b) => a.item - b.item));
}

/** Returns the steps before this one that passed on their result because the rounds of their loop were used up. */
function notAccepted(state: RunState, run: StepState, reached: ReadonlySet<StepState>): StepInputs['notAccepted'] {
  const rounds = new Map<string, number>();
  for (const { nodeId, item } of reached) {
    const used = state.usedUpAt(nodeId, item);
    if (used && !used.nodes.has(run.nodeId)) rounds.set(nodeId, state.roundOf(used, item) + 1);
  }
  return [...rounds].map(([nodeId, many]) => ({ nodeId, rounds: many }));
}

/** The newest runs of the loop's round before: of this step too, and of lists in the loop all items. */
function roundBefore(state: RunState, loop: Region, run: StepState, earlierRounds: readonly StepState[]): StepState[] {
  const { compiled } = state;
  const header = state.runOf(loop.id, run.item);
  const depthOf = (nodeId: string) => loopsAround(compiled, nodeId).indexOf(loop);
  const now = outerRound(header?.round ?? 0, depthOf(loop.id));
  const listAround = regionsAround(compiled, run.nodeId).find(({ kind }) => kind === 'list');
  const newest = new Map<string, StepState>();
  for (const one of earlierRounds) {
    if (!loop.nodes.has(one.nodeId)) continue;
    if (outerRound(one.round, depthOf(one.nodeId)) !== now - 1) continue;
    if (listAround?.nodes.has(one.nodeId) && one.item !== run.item && one.item !== 0) continue;
    const key = `${one.nodeId} ${one.item}`;
    if ((newest.get(key)?.round ?? -1) < one.round) newest.set(key, one);
  }
  return [...newest.values()];
}

function itemOf(state: RunState, run: StepState, around: readonly Region[], sources: ItemSources): StepInputs['item'] {
  const list = around.find(({ kind }) => kind === 'list');
  if (!list || run.item === 0) return null;
  const items = listFor(state, list, sources);
  const text = items?.[run.item - 1];
  return text === undefined ? null : { text, number: run.item, of: items?.length ?? 0 };
}
