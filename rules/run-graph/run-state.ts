import type { HandOff } from '../../contract/executions/execution.ts';
import { maxListItems } from '../../contract/executions/run-graph.ts';
import { caseOf, isUnconditional, linksOutOf } from './choose-links.ts';
import { type CompiledGraph, loopsAround, outerRound, type Region, type RunLink, regionsAround, roundOf } from './run-graph.ts';
import { hasResult } from './step-count.ts';

export type StepStatus = 'pending' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'skipped' | 'reused';

/** One run of a step: in a round of its loops, for an item of a list (0 for none). */
export type StepState = {
  id: string;
  nodeId: string;
  round: number;
  item: number;
  status: StepStatus;
  /** The label, or the id of the link whose test held and that has none to follow; null without a choice. */
  choice: string | null;
  /** Links that wait for a person, or do not get the result. */
  handOff?: HandOff | null;
};

/** `taken`: the target may begin with the source's result; `dead`: the target never gets it. */
type LinkState = 'pending' | 'taken' | 'dead';

/**
 * The state of a run as it follows from its steps. Which links are taken is never stored: it is computed from the steps, so it cannot
 * differ from them.
 */
export class RunState {
  readonly compiled: CompiledGraph;
  /** The newest runs of each step, in the order of items. The arrays are never changed. */
  readonly #current = new Map<string, readonly StepState[]>();
  /** Whether each step has cases; cached, since a step can have many links. */
  readonly #cases = new Map<string, ReadonlySet<string>>();
  readonly #finished = new Map<Region, Map<number, boolean>>();

  constructor(compiled: CompiledGraph, steps: Iterable<StepState>) {
    this.compiled = compiled;
    for (const step of steps) this.add(step);
  }

  /** Adds a run of a step, or changes a known one. */
  add(step: StepState): void {
    const { nodeId, round, item } = step;
    const around = regionsAround(this.compiled, nodeId);
    for (const region of around) this.#finished.delete(region);
    const runs = this.#current.get(nodeId);
    const [known] = runs ?? [];
    const isNewer = known && this.#generation(around, round) - this.#generation(around, known.round);
    if (isNewer !== undefined && isNewer < 0) return;
    if (!runs || isNewer) {
      this.#current.set(nodeId, [step]);
      return;
    }
    const at = runs.findIndex((run) => run.item >= item);
    const same = at >= 0 && runs[at]?.item === item ? runs[at] : undefined;
    if (same && same.round > round) return;
    const place = at < 0 ? runs.length : at;
    this.#current.set(nodeId, runs.toSpliced(place, same ? 1 : 0, step));
  }

  /** Gives a run another item. */
  replace(run: StepState, other: StepState): void {
    const runs = (this.#current.get(run.nodeId) ?? []).filter(({ item }) => item !== run.item);
    if (runs.length > 0) this.#current.set(run.nodeId, runs);
    else this.#current.delete(run.nodeId);
    this.add(other);
  }

  /** The newest runs of a step, by item; one with item 0 outside a list and before a list is known. */
  runsOf(nodeId: string): readonly StepState[] {
    return this.#current.get(nodeId) ?? [];
  }

  /** The newest run of a step for an item, or outside of a list. */
  runOf(nodeId: string, item: number): StepState | undefined {
    const runs = this.runsOf(nodeId);
    const [first] = runs;
    if (first?.item === 0 && (item === 0 || runs.length === 1)) return first;
    return runs.find((run) => run.item === item) ?? (first?.item === 0 ? first : undefined);
  }

  /** The state of a link as the target's run for this item sees it. */
  linkState(link: RunLink, item: number): LinkState {
    const left = this.#leftRegion(link);
    if (left && !this.isFinished(left, item)) return 'pending';
    const runs = this.sourceRuns(link, item);
    if (runs.length === 0) return 'pending';
    let state: LinkState = 'dead';
    for (const run of runs) {
      const after = this.stateAfter(link, run);
      if (after === 'taken') return after;
      if (after === 'pending') state = after;
    }
    return state;
  }

  /** The runs of the source that take a link, as the target's run for this item sees it; none before the link is taken. */
  takingRuns(link: RunLink, item: number): StepState[] {
    if (this.linkState(link, item) !== 'taken') return [];
    return this.sourceRuns(link, item).filter((run) => this.stateAfter(link, run) === 'taken');
  }

  /** The newest runs of a link's source, as the target's run for this item sees them. */
  sourceRuns(link: RunLink, item: number): readonly StepState[] {
    if (this.#leavesList(link)) return this.runsOf(link.from);
    const run = this.runOf(link.from, item);
    return run ? [run] : [];
  }

  /** The state of a link from one run of its source. */
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

  /** Returns whether all steps of a region have ended for an item, and no other round follows. */
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
      for (const run of this.runsIn(region, id, item)) if (!isEnded(run.status) || run.handOff?.state === 'open') return false;
    }
    return true;
  }

  /** The newest runs of a step in a region: for the item that the region works on, or for all items of a list within it. */
  runsIn(region: Region, nodeId: string, item: number): readonly StepState[] {
    const list = regionsAround(this.compiled, nodeId).find(({ kind }) => kind === 'list');
    if (list && (list === region || isInside(list, region))) return this.runsOf(nodeId);
    const run = this.runOf(nodeId, item);
    return run ? [run] : [];
  }

  /** Returns the taken back link of an ended loop; null if none is taken or the rounds are used up. */
  repeatedBy(loop: Region, item: number): RunLink | null {
    const taken = this.takenBackLinks(loop, item);
    const done = this.roundOf(loop, item) + 1;
    return taken.find((link) => done < (link.maxRounds ?? 1) || this.#isGrantedAgain(link, item)) ?? null;
  }

  /** Whether a person granted another round at the limit. */
  #isGrantedAgain(link: RunLink, item: number): boolean {
    return this.sourceRuns(link, item).some(({ handOff }) => handOff?.state === 'again');
  }

  /** The links back that a loop's newest round took. */
  takenBackLinks(loop: Region, item: number): RunLink[] {
    return loop.backLinks.filter((link) => this.runsIn(loop, link.from, item).some((run) => this.stateAfter(link, run) === 'taken'));
  }

  /** The number of the loop's newest round, from 0. */
  roundOf(loop: Region, item: number): number {
    // A list may lie within the loop and hold its first step: all items are in the same round then.
    const [header] = this.runsIn(loop, loop.id, item);
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

  #stateAfterAnswer(link: RunLink, run: StepState): LinkState {
    const { handOff } = run;
    const state = this.#stateWithoutHandOff(link, run);
    if (state !== 'taken' || !handOff?.linkIds.includes(link.id)) return state;
    return handOff.state === 'open' ? 'pending' : handOff.state === 'skipped' ? 'dead' : 'taken';
  }

  #stateWithoutHandOff(link: RunLink, { choice, item, nodeId }: StepState): LinkState {
    if (link.onFailure) return 'dead';
    if (this.#isHandedOnAtLimit(link, nodeId, item)) return 'taken';
    // A choice that is no case is a button of a person that no link has.
    if (isUnconditional(link)) return choice !== null && this.#casesOf(nodeId).has(choice) ? 'dead' : 'taken';
    return choice !== null && caseOf(link) === choice ? 'taken' : 'dead';
  }

  #casesOf(nodeId: string): ReadonlySet<string> {
    let cases = this.#cases.get(nodeId);
    if (!cases) {
      cases = new Set(linksOutOf(this.compiled, nodeId).flatMap((link) => caseOf(link) ?? []));
      this.#cases.set(nodeId, cases);
    }
    return cases;
  }

  /** Returns whether a link passes on the result of a loop without rounds left: "otherwise", else the first case that leaves the loop. */
  #isHandedOnAtLimit(link: RunLink, nodeId: string, item: number): boolean {
    if (link.maxRounds !== undefined) return false;
    const used = this.usedUpAt(nodeId, item);
    if (!used || used.nodes.has(link.to)) return false;
    const leaving = (this.compiled.outgoing.get(nodeId) ?? []).filter(({ to, onFailure }) => !onFailure && !used.nodes.has(to));
    return (leaving.find(isUnconditional) ?? leaving[0]) === link;
  }

  /** Returns the loop whose rounds this step's newest answer used up: it took a back link, and no round is left. */
  usedUpAt(nodeId: string, item: number): Region | null {
    const back = this.compiled.backLinks.get(nodeId);
    const run = back && this.runOf(nodeId, item);
    if (!run || !hasResult(run.status)) return null;
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
  #generation(around: readonly Region[], round: number): number {
    const list = around.findIndex(({ kind }) => kind === 'list');
    return list < 0 ? 0 : outerRound(round, list);
  }
}

export function isEnded(status: StepStatus): boolean {
  return status !== 'pending' && status !== 'running' && status !== 'waiting';
}

function isInside(region: Region, other: Region): boolean {
  for (let around = region.parent; around; around = around.parent) if (around === other) return true;
  return false;
}

/** Whether a list is too long to be worked through. */
export function isTooLong(items: readonly string[]): boolean {
  return items.length > maxListItems;
}
