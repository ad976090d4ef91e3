import { type Region, regionsAround, roundOf } from './run-graph.ts';
import type { RunState, StepState } from './run-state.ts';
import { entriesOf, itemsFrom } from './settle-run.ts';

/** What a step is given: results in order, those of its own links last and in their order. */
export type StepInputs = {
  results: StepState[][];
  /** The item of the list that the step works on. */
  item: { text: string; number: number; of: number } | null;
  /** The results that reached the step because the rounds of their loop were used up. */
  notAccepted: { nodeId: string; rounds: number }[];
};

/**
 * The results that one run of a step gets: those of all steps that led to it along taken links, and those of the round before in a review
 * loop. The runs of a step in a list that has ended are one result, in the order of the items. Never in the order of finishing.
 */
export function inputsOf(
  state: RunState,
  run: StepState,
  earlierRounds: readonly StepState[],
  resultOf: (step: StepState) => string,
): StepInputs {
  const { compiled } = state;
  const place = new Map(compiled.order.map((id, at) => [id, at]));
  const around = regionsAround(compiled, run.nodeId);
  const loop = around.find((region) => region.kind === 'loop' && state.roundOf(region, run.item) > 0) ?? null;
  const direct = directInputs(state, run, loop);
  const before = new Set<string>();
  const open = [...direct];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const link of compiled.incoming.get(id) ?? []) {
      if (before.has(link.from) || state.linkState(link, run.item) !== 'taken') continue;
      before.add(link.from);
      open.push(link.from);
    }
  }
  for (const id of direct) before.delete(id);

  const newest = (id: string): StepState[] => {
    const inside = around.find(({ kind }) => kind === 'list')?.nodes.has(id);
    const runs = inside ? [state.runOf(id, run.item)] : state.runsOf(id);
    return runs.flatMap((one) => (one && one.id !== run.id && hasResult(one) ? [one] : [])).toSorted((a, b) => a.item - b.item);
  };
  const byPlace = (a: string, b: string) => (place.get(a) ?? 0) - (place.get(b) ?? 0);
  const earlier = [...before].toSorted(byPlace).map(newest);
  const lastRound = loop ? roundBefore(state, loop, run, earlierRounds).toSorted((a, b) => byPlace(a.nodeId, b.nodeId)) : [];
  const own = direct.map(newest);
  const ofRound = lastRound.map((one) => [one]);
  // The first step of a loop answers what the round before led back to it.
  const results = loop?.id === run.nodeId ? [...earlier, ...own, ...ofRound] : [...earlier, ...ofRound, ...own];
  return {
    results: results.filter((runs) => runs.length > 0),
    item: itemOf(state, run, around, resultOf),
    notAccepted: [...direct, ...before].flatMap((nodeId) => {
      const used = state.usedUpAt(nodeId, run.item);
      return used && !used.nodes.has(run.nodeId) ? [{ nodeId, rounds: state.roundOf(used, run.item) + 1 }] : [];
    }),
  };
}

/** The sources of the step's own taken links, in the order of the links. */
function directInputs(state: RunState, { nodeId, item }: StepState, loop: Region | null): string[] {
  if (loop?.id === nodeId) {
    // In a later round only what lies outside of the loop; the round before comes beside it.
    return sources(state, nodeId, item).filter((id) => !loop.nodes.has(id));
  }
  return sources(state, nodeId, item);
}

function sources(state: RunState, nodeId: string, item: number): string[] {
  const taken = (state.compiled.incoming.get(nodeId) ?? []).filter((link) => state.linkState(link, item) === 'taken');
  return [...new Set(taken.map(({ from }) => from))];
}

/** The results of the loop's round before, and of this step in it. */
function roundBefore(state: RunState, loop: Region, run: StepState, earlierRounds: readonly StepState[]): StepState[] {
  const now = state.roundOf(loop, run.item);
  const newestOf = new Map<string, StepState>();
  for (const one of earlierRounds) {
    if (!loop.nodes.has(one.nodeId) || !hasResult(one) || (one.item !== run.item && one.item !== 0)) continue;
    if (roundOf(one.round, state.depthIn(loop, one.nodeId)) !== now - 1) continue;
    const known = newestOf.get(one.nodeId);
    if (!known || known.round < one.round) newestOf.set(one.nodeId, one);
  }
  return [...newestOf.values()];
}

function itemOf(state: RunState, run: StepState, around: readonly Region[], resultOf: (step: StepState) => string): StepInputs['item'] {
  const list = around.find(({ kind }) => kind === 'list');
  if (!list || run.item === 0) return null;
  const source = entriesOf(state.compiled, list).find((link) => state.linkState(link, 0) === 'taken');
  const items = source && itemsFrom(state, source, resultOf);
  const text = items?.[run.item - 1];
  return text === undefined ? null : { text, number: run.item, of: items?.length ?? 0 };
}

function hasResult({ status }: StepState): boolean {
  return status === 'completed' || status === 'reused';
}
