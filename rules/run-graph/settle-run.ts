import { listItemsAtOnce } from '../../contract/executions/run-graph.ts';
import { linksOutOf } from './choose-links.ts';
import { entriesOf, type ItemSources, listFor } from './list-for.ts';
import { type CompiledGraph, nextRound, type Region, regionsAround } from './run-graph.ts';
import { isEnded, isTooLong, RunState, type StepState } from './run-state.ts';

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

type Settling = ItemSources & {
  compiled: CompiledGraph;
  steps: readonly StepState[];
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
export function settleRun(settling: Settling): Settlement {
  return new Settler(settling).settle();
}

/** Computes one settlement, in rounds until nothing changes any more. */
class Settler {
  readonly #of: Settling;
  readonly #state: RunState;
  readonly #settlement: Settlement = {
    skipped: [],
    cancelled: [],
    added: [],
    withdrawn: [],
    itemized: [],
    ready: [],
    failure: null,
    isDone: false,
  };
  readonly #addedById = new Map<string, AddedRun>();
  #runs: number;

  constructor(settling: Settling) {
    this.#of = settling;
    this.#state = new RunState(settling.compiled, settling.steps);
    this.#runs = settling.steps.length;
  }

  settle(): Settlement {
    const settlement = this.#settlement;
    const { compiled, maxRuns, itemsAtOnce = listItemsAtOnce } = this.#of;
    const loops = compiled.regions.filter(({ kind }) => kind === 'loop');
    const lists = compiled.regions.filter(({ kind }) => kind === 'list');
    if (this.#runs > maxRuns) this.#fail('too_many_steps', compiled.order[0] ?? '', { most: maxRuns });
    for (let changed = true; changed && !settlement.failure; ) {
      changed = false;
      // Loops first: a region around a loop has not ended while the loop begins another round.
      for (const loop of loops) if (this.#repeat(loop)) changed = true;
      for (const list of lists) if (this.#open(list)) changed = true;
      if (this.#begin()) changed = true;
      if (this.#cutOff()) changed = true;
      if (this.#withdraw()) changed = true;
    }
    settlement.ready = settlement.failure ? [] : itemsInTurn(this.#state, settlement.ready, itemsAtOnce);
    settlement.isDone =
      !settlement.failure &&
      compiled.order.every((nodeId) =>
        this.#state.runsOf(nodeId).every(({ status, handOff }) => isEnded(status) && handOff?.state !== 'open'),
      );
    return settlement;
  }

  #change(run: StepState, status: StepState['status'], into: StepState[]): void {
    const changed = { ...run, status };
    this.#state.add(changed);
    into.push(changed);
  }

  #add(added: AddedRun): void {
    const { maxRuns, newId } = this.#of;
    if (this.#runs >= maxRuns) {
      this.#fail('too_many_steps', added.nodeId, { most: maxRuns });
      return;
    }
    this.#runs += 1;
    this.#settlement.added.push(added);
    const id = newId(added);
    this.#addedById.set(id, added);
    this.#state.add({ ...added, id, status: 'pending', choice: null });
  }

  /** A run that was there becomes that of the first item; one that is added is added as such. */
  #itemize(run: StepState): void {
    const added = this.#addedById.get(run.id);
    const ofFirst = { ...run, item: 1 };
    if (added) {
      added.item = 1;
      ofFirst.id = this.#of.newId(added);
    } else this.#settlement.itemized.push(ofFirst);
    this.#state.replace(run, ofFirst);
  }

  #fail(code: RunFailure['code'], nodeId: string, params: Record<string, number> = {}): void {
    this.#settlement.failure ??= { code, nodeId, params };
  }

  #repeat(loop: Region): boolean {
    const state = this.#state;
    let changed = false;
    for (const item of itemsOf(state, loop.id)) {
      if (!state.hasEnded(loop, item)) continue;
      if (state.repeatedBy(loop, item)) {
        for (const nodeId of loop.nodes) for (const added of nextRuns(state, loop, nodeId, item)) this.#add(added);
        changed = true;
      } else {
        const used = state.takenBackLinks(loop, item);
        const failing = used.find(({ atLimit }) => atLimit === 'fail');
        if (failing) this.#fail('loop_limit', failing.from, { rounds: failing.maxRounds ?? 1 });
      }
    }
    return changed;
  }

  #open(list: Region): boolean {
    const state = this.#state;
    const runsInside = [...list.nodes].flatMap((id) => state.runsOf(id));
    if (!runsInside.some(({ item, status }) => item === 0 && status === 'pending')) return false;
    const entries = entriesOf(this.#of.compiled, list);
    const states = entries.map((link) => state.linkState(link, 0));
    if (states.includes('pending')) return false;
    const pending = runsInside.filter(({ status }) => status === 'pending');
    const first = entries.find((_, at) => states[at] === 'taken');
    const items = entries.length > 0 && !first ? [] : listFor(state, list, this.#of);
    const writer = first?.from ?? pending[0]?.nodeId ?? '';
    if (!items) this.#fail('list_missing', writer);
    else if (isTooLong(items)) this.#fail('list_too_long', writer, { items: items.length });
    else if (items.length === 0) {
      for (const run of pending) this.#change(run, 'skipped', this.#settlement.skipped);
      return true;
    }
    if (!items || this.#settlement.failure) return false;
    for (const run of pending) {
      this.#itemize(run);
      for (let item = 2; item <= items.length && !this.#settlement.failure; item += 1)
        this.#add({ nodeId: run.nodeId, round: run.round, item });
    }
    return true;
  }

  #begin(): boolean {
    this.#settlement.ready = [];
    let changed = false;
    for (const nodeId of this.#of.compiled.order)
      for (const run of this.#state.runsOf(nodeId)) {
        if (run.status !== 'pending') continue;
        const begins = beginning(this.#state, run);
        if (begins === 'ready') this.#settlement.ready.push(run);
        else if (begins === 'skipped') {
          this.#change(run, 'skipped', this.#settlement.skipped);
          changed = true;
        }
      }
    return changed;
  }

  #cutOff(): boolean {
    let changed = false;
    for (const run of overtaken(this.#state, this.#settlement.ready)) {
      if (run.status === 'pending') this.#change(run, 'skipped', this.#settlement.skipped);
      else this.#change(run, 'cancelled', this.#settlement.cancelled);
      changed = true;
    }
    return changed;
  }

  #withdraw(): boolean {
    let changed = false;
    for (const nodeId of this.#of.compiled.order)
      for (const run of this.#state.runsOf(nodeId)) {
        if (run.handOff?.state !== 'open' || isAwaited(this.#state, run, run.handOff.linkIds)) continue;
        const changedRun: StepState = { ...run, handOff: { ...run.handOff, state: 'skipped' } };
        this.#state.add(changedRun);
        this.#settlement.withdrawn.push(changedRun);
        changed = true;
      }
    return changed;
  }
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
