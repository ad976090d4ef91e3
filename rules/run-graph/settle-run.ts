import { listItemsAtOnce } from '../../contract/executions/run-graph.ts';
import { linksOutOf } from './choose-links.ts';
import { listItems } from './list-items.ts';
import { type CompiledGraph, nextRound, type Region, type RunLink, regionsAround } from './run-graph.ts';
import { isEnded, isTooLong, RunState, type StepState } from './run-state.ts';
import { hasResult } from './step-count.ts';

/** A run of a step that begins to exist: of another round, or of an item of a list. */
export type AddedRun = { nodeId: string; round: number; item: number };

/** The reason why a run cannot continue: a code, and its step. */
export type RunFailure = {
  code: 'list_missing' | 'list_too_long' | 'loop_limit' | 'too_many_steps';
  nodeId: string;
  params: Record<string, number>;
};

/** What follows from the steps of a run. */
export type Settlement = {
  /** Steps that will not run, since all links to them are dead. */
  skipped: StepState[];
  /** Steps that are cut off: another link was first. */
  cancelled: StepState[];
  added: AddedRun[];
  /** Steps with an open hand-off along links that lead to no waiting step any more. */
  withdrawn: StepState[];
  /** Steps whose run becomes that of the first item of a list. */
  itemized: StepState[];
  /** Steps that may begin now, in order, without running ones. */
  ready: StepState[];
  failure: RunFailure | null;
  /** All steps have ended. */
  isDone: boolean;
};

type Settling = {
  compiled: CompiledGraph;
  steps: readonly StepState[];
  /** The answer of a step that has ended. */
  resultOf: (step: StepState) => string;
  /** The id of a run that is added. */
  newId: (added: AddedRun) => string;
  /** Runs of steps that one execution may have. */
  maxRuns: number;
  /** Items of a list that are worked on at the same time. */
  itemsAtOnce?: number;
};

/**
 * Computes the consequences of a run's steps: which are skipped, cancelled or run again, and which may begin. The same steps always give
 * the same answer. It takes time in proportion to steps and links, for each round that begins.
 */
export function settleRun({ compiled, steps, resultOf, newId, maxRuns, itemsAtOnce = listItemsAtOnce }: Settling): Settlement {
  const state = new RunState(compiled, steps);
  const settlement: Settlement = {
    skipped: [],
    cancelled: [],
    added: [],
    withdrawn: [],
    itemized: [],
    ready: [],
    failure: null,
    isDone: false,
  };
  let runs = steps.length;
  const addedById = new Map<string, AddedRun>();

  const change = (run: StepState, status: StepState['status'], into: StepState[]): StepState => {
    const changed = { ...run, status };
    state.add(changed);
    into.push(changed);
    return changed;
  };
  const add = (added: AddedRun) => {
    if (runs >= maxRuns) return fail('too_many_steps', added.nodeId, { most: maxRuns });
    runs += 1;
    settlement.added.push(added);
    const id = newId(added);
    addedById.set(id, added);
    state.add({ ...added, id, status: 'pending', choice: null });
  };
  /** A run that was there becomes that of the first item; one that is added is added as such. */
  const itemize = (run: StepState) => {
    const added = addedById.get(run.id);
    const ofFirst = { ...run, item: 1 };
    if (added) {
      added.item = 1;
      ofFirst.id = newId(added);
    } else settlement.itemized.push(ofFirst);
    state.replace(run, ofFirst);
  };
  const fail = (code: RunFailure['code'], nodeId: string, params: Record<string, number> = {}) => {
    settlement.failure ??= { code, nodeId, params };
  };

  const repeat = (loop: Region): boolean => {
    let changed = false;
    for (const item of itemsOf(state, loop.id)) {
      if (!state.hasEnded(loop, item)) continue;
      if (state.repeatedBy(loop, item)) {
        for (const nodeId of loop.nodes) for (const added of nextRuns(state, loop, nodeId, item)) add(added);
        changed = true;
      } else {
        const used = state.takenBackLinks(loop, item);
        const failing = used.find(({ atLimit }) => atLimit === 'fail');
        if (failing) fail('loop_limit', failing.from, { rounds: failing.maxRounds ?? 1 });
      }
    }
    return changed;
  };

  const open = (list: Region): boolean => {
    const runsInside = [...list.nodes].flatMap((id) => state.runsOf(id));
    if (!runsInside.some(({ item, status }) => item === 0 && status === 'pending')) return false;
    const entries = entriesOf(compiled, list);
    const states = entries.map((link) => state.linkState(link, 0));
    if (states.includes('pending')) return false;
    const pending = runsInside.filter(({ status }) => status === 'pending');
    const skipAll = () => {
      for (const run of pending) change(run, 'skipped', settlement.skipped);
      return true;
    };
    const sources = entries.filter((_, at) => states[at] === 'taken');
    const [first] = sources;
    if (!first) return skipAll();
    const items = listFor(state, list, resultOf);
    if (!items) fail('list_missing', first.from);
    else if (isTooLong(items)) fail('list_too_long', first.from, { items: items.length });
    else if (items.length === 0) return skipAll();
    if (!items || settlement.failure) return false;
    for (const run of pending) {
      itemize(run);
      for (let item = 2; item <= items.length && !settlement.failure; item += 1) add({ nodeId: run.nodeId, round: run.round, item });
    }
    return true;
  };

  const begin = (): boolean => {
    settlement.ready = [];
    let changed = false;
    for (const nodeId of compiled.order) {
      for (const run of state.runsOf(nodeId)) {
        if (run.status !== 'pending') continue;
        const begins = beginning(state, run);
        if (begins === 'ready') settlement.ready.push(run);
        else if (begins === 'skipped') {
          change(run, 'skipped', settlement.skipped);
          changed = true;
        }
      }
    }
    return changed;
  };

  const cutOff = (): boolean => {
    let changed = false;
    for (const run of overtaken(state, settlement.ready)) {
      change(run, run.status === 'pending' ? 'skipped' : 'cancelled', run.status === 'pending' ? settlement.skipped : settlement.cancelled);
      changed = true;
    }
    return changed;
  };

  const withdraw = (): boolean => {
    let changed = false;
    for (const nodeId of compiled.order)
      for (const run of state.runsOf(nodeId)) {
        if (run.handOff?.state !== 'open' || isAwaited(state, run, run.handOff.linkIds)) continue;
        const changedRun: StepState = { ...run, handOff: { ...run.handOff, state: 'skipped' } };
        state.add(changedRun);
        settlement.withdrawn.push(changedRun);
        changed = true;
      }
    return changed;
  };

  const loops = compiled.regions.filter(({ kind }) => kind === 'loop');
  const lists = compiled.regions.filter(({ kind }) => kind === 'list');
  if (runs > maxRuns) fail('too_many_steps', compiled.order[0] ?? '', { most: maxRuns });
  for (let changed = true; changed && !settlement.failure; ) {
    changed = false;
    // Loops first: a region around a loop has not ended while the loop begins another round.
    for (const loop of loops) if (repeat(loop)) changed = true;
    for (const list of lists) if (open(list)) changed = true;
    if (begin()) changed = true;
    if (cutOff()) changed = true;
    if (withdraw()) changed = true;
  }
  settlement.ready = settlement.failure ? [] : itemsInTurn(state, settlement.ready, itemsAtOnce);
  settlement.isDone =
    !settlement.failure &&
    compiled.order.every((nodeId) => state.runsOf(nodeId).every(({ status, handOff }) => isEnded(status) && handOff?.state !== 'open'));
  return settlement;
}

/** Returns the next state of a pending run: it begins, never begins, or waits. */
export function beginning(state: RunState, run: StepState): 'ready' | 'skipped' | 'waits' {
  const { compiled } = state;
  const { nodeId, item } = run;
  const around = regionsAround(compiled, nodeId);
  const list = around.find(({ kind }) => kind === 'list');
  if (list && item === 0) return 'waits';
  const loop = around.find(({ kind, id }) => kind === 'loop' && id === nodeId);
  if (loop && state.roundOf(loop, item) > 0) return 'ready';
  const incoming = compiled.incoming.get(nodeId) ?? [];
  if (incoming.length === 0) return 'ready';
  const states = incoming.map((link) => state.linkState(link, item));
  if (compiled.nodes.get(nodeId)?.firstWins && states.includes('taken')) return 'ready';
  if (states.includes('pending')) return 'waits';
  return states.includes('taken') ? 'ready' : 'skipped';
}

/** Runs that lead only to steps that begin with the first result and have it. */
function* overtaken(state: RunState, ready: readonly StepState[]): Iterable<StepState> {
  const { compiled } = state;
  const begun = new Set(ready.map(({ id }) => id));
  const closed = new Set<string>();
  const runOf = (nodeId: string, item: number) => state.runOf(nodeId, item);
  for (const [nodeId, { firstWins }] of compiled.nodes) {
    if (!firstWins) continue;
    for (const run of state.runsOf(nodeId)) if (run.status !== 'pending' || begun.has(run.id)) closed.add(run.id);
  }
  if (closed.size === 0) return;
  for (const nodeId of compiled.order.toReversed()) {
    const outgoing = compiled.outgoing.get(nodeId) ?? [];
    if (outgoing.length === 0) continue;
    for (const run of state.runsOf(nodeId)) {
      if (isEnded(run.status) || closed.has(run.id)) continue;
      if (!outgoing.every(({ to }) => closed.has(runOf(to, run.item)?.id ?? ''))) continue;
      closed.add(run.id);
      yield run;
    }
  }
}

/** Whether a step waits for the hand-off along one of these links, or a review loop for its end. */
function isAwaited(state: RunState, { nodeId }: StepState, linkIds: readonly string[]): boolean {
  return linksOutOf(state.compiled, nodeId).some(
    ({ id, to, maxRounds }) =>
      linkIds.includes(id) && (maxRounds !== undefined || state.runsOf(to).some(({ status }) => status === 'pending')),
  );
}

function itemsOf(state: RunState, nodeId: string): number[] {
  return state.runsOf(nodeId).map(({ item }) => item);
}

/** Returns the runs of a step in the next round of a loop: one for each item. If the list is created again, one without an item. */
function nextRuns(state: RunState, loop: Region, nodeId: string, item: number): AddedRun[] {
  const depth = state.depthIn(loop, nodeId);
  const runs = state.runsOf(nodeId);
  const aroundLoop = regionsAround(state.compiled, loop.id);
  const loopIsInList = aroundLoop.slice(aroundLoop.indexOf(loop)).some(({ kind }) => kind === 'list');
  const newest = loopIsInList ? state.runOf(nodeId, item) : runs[0];
  if (!newest) return [];
  return [{ nodeId, round: nextRound(newest.round, depth), item: loopIsInList ? item : 0 }];
}

/** The links that lead into a list from outside. */
export function entriesOf({ incoming }: CompiledGraph, { nodes }: Region): RunLink[] {
  return [...nodes].flatMap((id) => (incoming.get(id) ?? []).filter(({ from }) => !nodes.has(from)));
}

/**
 * Returns the items of a list region: those of the first step that leads into it and wrote a list. The results of another list are its
 * items unchanged. Null if no step wrote a list.
 */
export function listFor(state: RunState, list: Region, resultOf: (step: StepState) => string): string[] | null {
  for (const link of entriesOf(state.compiled, list)) {
    const runs = state.takingRuns(link, 0).filter(({ status }) => hasResult(status));
    if (runs.length === 0) continue;
    if (runs.some(({ item }) => item > 0)) return runs.toSorted((a, b) => a.item - b.item).map(resultOf);
    const items = runs.map((run) => listItems(resultOf(run)))[0];
    if (items) return items;
  }
  return null;
}

/** Selects the runs that may begin with at most so many items of each list at a time. */
function itemsInTurn(state: RunState, ready: readonly StepState[], atOnce: number): StepState[] {
  const atWork = new Map<Region, Set<number>>();
  for (const list of state.compiled.regions) {
    if (list.kind !== 'list') continue;
    const items = new Set<number>();
    const running = new Set<number>();
    const ended = new Map<number, boolean>();
    for (const nodeId of list.nodes)
      for (const { item, status } of state.runsOf(nodeId)) {
        if (status !== 'pending' && status !== 'skipped') items.add(item);
        if (status === 'running' || status === 'waiting') running.add(item);
        ended.set(item, (ended.get(item) ?? true) && isEnded(status));
      }
    for (const item of items) if (ended.get(item)) items.delete(item);
    // A fork can begin with more items that are worked on than take turns.
    const inTurn = [...items].sort((a, b) => Number(running.has(b)) - Number(running.has(a)) || a - b);
    atWork.set(list, new Set(inTurn.slice(0, Math.max(atOnce, running.size))));
  }
  return ready.filter(({ nodeId, item }) => {
    const list = regionsAround(state.compiled, nodeId).find(({ kind }) => kind === 'list');
    const items = list && atWork.get(list);
    if (!items || items.has(item)) return true;
    if (items.size >= atOnce) return false;
    items.add(item);
    return true;
  });
}
