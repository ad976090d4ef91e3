import { maxListItems } from '../../contract/run-graph.ts';
import { isUnconditional } from './choose-links.ts';
import { type CompiledGraph, loopsAround, outerRound, type Region, type RunLink, regionsAround, roundOf } from './run-graph.ts';

export type StepStatus = 'pending' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'skipped' | 'reused';

/** One run of a step: in a round of its loops, for an item of a list (0 for none). */
export type StepState = {
  id: string;
  nodeId: string;
  round: number;
  item: number;
  status: StepStatus;
  /** The label, or the id of the link whose test held; null where nothing was chosen. */
  choice: string | null;
};

/** `taken`: the target may begin with the source's result; `dead`: the target never gets it. */
export type LinkState = 'pending' | 'taken' | 'dead';

/**
 * The state of a run as it follows from its steps. Which links are taken is never stored: it is computed from the steps, so it cannot
 * differ from them.
 */
export class RunState {
  readonly compiled: CompiledGraph;
  /** The newest run of each step, by step and item. */
  readonly #current = new Map<string, Map<number, StepState>>();
  readonly #finished = new Map<Region, Map<number, boolean>>();

  constructor(compiled: CompiledGraph, steps: Iterable<StepState>) {
    this.compiled = compiled;
    for (const step of steps) this.add(step);
  }

  /** Adds a run of a step, or changes a known one. */
  add(step: StepState): void {
    this.#finished.clear();
    const { nodeId, round, item } = step;
    const generation = this.#generation(nodeId, round);
    let items = this.#current.get(nodeId);
    const known = items?.values().next().value;
    const knownGeneration = known ? this.#generation(nodeId, known.round) : -1;
    if (generation < knownGeneration) return;
    if (!items || generation > knownGeneration) {
      items = new Map();
      this.#current.set(nodeId, items);
    }
    if ((items.get(item)?.round ?? -1) <= round) items.set(item, step);
  }

  /** Gives a run another item. */
  replace(run: StepState, other: StepState): void {
    this.#current.get(run.nodeId)?.delete(run.item);
    this.add(other);
  }

  /** The newest runs of a step, by item; one with item 0 outside a list and before a list is known. */
  runsOf(nodeId: string): StepState[] {
    return [...(this.#current.get(nodeId)?.values() ?? [])];
  }

  /** The newest run of a step for an item, or outside of a list. */
  runOf(nodeId: string, item: number): StepState | undefined {
    const items = this.#current.get(nodeId);
    return items?.get(item) ?? items?.get(0);
  }

  /** The state of a link as the target's run for this item sees it. */
  linkState(link: RunLink, item: number): LinkState {
    const left = this.#leftRegion(link);
    if (left && !this.isFinished(left, item)) return 'pending';
    const across = left !== null && this.#leavesList(link);
    const runs = across ? this.runsOf(link.from) : [this.runOf(link.from, item)].filter((run) => run !== undefined);
    if (runs.length === 0) return 'pending';
    const states = runs.map((run) => this.stateAfter(link, run));
    if (states.includes('taken')) return 'taken';
    return states.includes('pending') ? 'pending' : 'dead';
  }

  /** What one run of the source says of a link. */
  stateAfter(link: RunLink, run: StepState): LinkState {
    switch (run.status) {
      case 'pending':
      case 'running':
      case 'waiting':
        return 'pending';
      case 'skipped':
      case 'cancelled':
        return 'dead';
      case 'failed':
        return this.#stateAfterFailure(link, run);
      case 'completed':
      case 'reused':
        return this.#stateAfterAnswer(link, run);
    }
  }

  /** Whether a failure of a step ends the run. */
  endsRun(nodeId: string): boolean {
    const { nodes, outgoing } = this.compiled;
    if (nodes.get(nodeId)?.onFailure === 'goOn') return false;
    if (outgoing.get(nodeId)?.some(({ onFailure }) => onFailure)) return false;
    const list = regionsAround(this.compiled, nodeId).find(({ kind }) => kind === 'list');
    return list === undefined || list.onFailure === 'stop';
  }

  /** Whether all steps of a region have ended for an item, and no other round follows. */
  isFinished(region: Region, item: number): boolean {
    const ofItem = region.kind === 'list' ? 0 : item;
    let known = this.#finished.get(region);
    if (!known) {
      known = new Map();
      this.#finished.set(region, known);
    }
    let finished = known.get(ofItem);
    if (finished === undefined) {
      finished = this.hasEnded(region, ofItem) && (region.kind === 'list' || this.repeatedBy(region, ofItem) === null);
      known.set(ofItem, finished);
    }
    return finished;
  }

  /** Whether all steps of a region have ended for an item. */
  hasEnded(region: Region, item: number): boolean {
    for (const id of region.nodes) {
      const runs = region.kind === 'list' ? this.runsOf(id) : [this.runOf(id, item)];
      for (const run of runs) if (!run || !isEnded(run.status)) return false;
    }
    return true;
  }

  /** The taken link that leads an ended loop to another round; null where none is taken or the rounds are used up. */
  repeatedBy(loop: Region, item: number): RunLink | null {
    const taken = this.takenBackLinks(loop, item);
    const done = this.roundOf(loop, item) + 1;
    return taken.find(({ maxRounds }) => done < (maxRounds ?? 1)) ?? null;
  }

  /** The links back that a loop's newest round took. */
  takenBackLinks(loop: Region, item: number): RunLink[] {
    return loop.backLinks.filter((link) => {
      const run = this.runOf(link.from, item);
      return run !== undefined && this.stateAfter(link, run) === 'taken';
    });
  }

  /** The number of the loop's newest round, from 0. */
  roundOf(loop: Region, item: number): number {
    const header = this.runOf(loop.id, item);
    return header ? roundOf(header.round, this.depthIn(loop, loop.id)) : 0;
  }

  /** How many loops lie around the step inside this loop. */
  depthIn(loop: Region, nodeId: string): number {
    return loopsAround(this.compiled, nodeId).indexOf(loop);
  }

  #stateAfterFailure(link: RunLink, { nodeId }: StepState): LinkState {
    const { nodes, outgoing } = this.compiled;
    if (outgoing.get(nodeId)?.some(({ onFailure }) => onFailure)) return link.onFailure ? 'taken' : 'dead';
    return nodes.get(nodeId)?.onFailure === 'goOn' && isUnconditional(link) && link.maxRounds === undefined ? 'taken' : 'dead';
  }

  #stateAfterAnswer(link: RunLink, { choice, item, nodeId }: StepState): LinkState {
    if (link.onFailure) return 'dead';
    if (this.#isHandedOnAtLimit(link, nodeId, item)) return 'taken';
    if (isUnconditional(link)) return this.#hasCases(nodeId) && choice !== null ? 'dead' : 'taken';
    return choice !== null && (link.test ? link.id === choice : link.label === choice) ? 'taken' : 'dead';
  }

  #hasCases(nodeId: string): boolean {
    const { outgoing, backLinks } = this.compiled;
    return [...(outgoing.get(nodeId) ?? []), ...(backLinks.get(nodeId) ?? [])].some(({ label, test }) => label !== undefined || test);
  }

  /** Where the rounds are used up, the result is handed on along "otherwise", else along the first case that leaves the loop. */
  #isHandedOnAtLimit(link: RunLink, nodeId: string, item: number): boolean {
    if (link.maxRounds !== undefined) return false;
    const used = this.usedUpAt(nodeId, item);
    if (!used || used.nodes.has(link.to)) return false;
    const leaving = (this.compiled.outgoing.get(nodeId) ?? []).filter(({ to, onFailure }) => !onFailure && !used.nodes.has(to));
    return (leaving.find(isUnconditional) ?? leaving[0]) === link;
  }

  /** The loop whose rounds this step's newest answer used up: it took a link back, and there is no round left. */
  usedUpAt(nodeId: string, item: number): Region | null {
    const back = this.compiled.backLinks.get(nodeId);
    const run = back && this.runOf(nodeId, item);
    if (!run || (run.status !== 'completed' && run.status !== 'reused')) return null;
    for (const link of back) {
      const loop = loopsAround(this.compiled, nodeId).find(({ id }) => id === link.to);
      if (loop && this.stateAfter(link, run) === 'taken' && this.roundOf(loop, item) + 1 >= (link.maxRounds ?? 1)) return loop;
    }
    return null;
  }

  /** The outermost region that a link leaves. */
  #leftRegion({ from, to }: RunLink): Region | null {
    return regionsAround(this.compiled, from).findLast(({ nodes }) => !nodes.has(to)) ?? null;
  }

  #leavesList({ from, to }: RunLink): boolean {
    return regionsAround(this.compiled, from).some(({ kind, nodes }) => kind === 'list' && !nodes.has(to));
  }

  /** Runs of an earlier round of a loop around a list count no more: the list is another one. */
  #generation(nodeId: string, round: number): number {
    const around = regionsAround(this.compiled, nodeId);
    const list = around.findIndex(({ kind }) => kind === 'list');
    if (list < 0) return 0;
    return outerRound(round, around.slice(0, list).filter(({ kind }) => kind === 'loop').length);
  }
}

export function isEnded(status: StepStatus): boolean {
  return status !== 'pending' && status !== 'running' && status !== 'waiting';
}

/** Whether a list is too long to be worked through. */
export function isTooLong(items: readonly string[]): boolean {
  return items.length > maxListItems;
}
