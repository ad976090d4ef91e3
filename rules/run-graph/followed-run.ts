import { type LinkInRun, linkInRun } from './link-in-run.ts';
import { type CompiledGraph, isBackLink, type Region, type RunLink, regionsAround } from './run-graph.ts';
import { isEnded, RunState, type StepState } from './run-state.ts';

/** The items of a list that have ended, and all. */
export type ListProgress = { done: number; total: number };

/** What a change of a run changes of what is shown of its graph; lists by the ids of their groups. */
export type FollowedChange = { links: Map<RunLink, LinkInRun>; lists: Map<string, ListProgress> };

/**
 * Follows the links of an active run. The cost of a change depends on the number of links that it can change: those of the steps, and
 * those that leave the regions around them.
 */
export class FollowedRun {
  readonly #compiled: CompiledGraph;
  readonly #state: RunState;
  readonly #byId = new Map<string, StepState>();
  readonly #runs = new Map<string, StepState[]>();
  readonly #states = new Map<RunLink, LinkInRun>();
  readonly #leaving = new Map<Region, readonly RunLink[]>();
  #hasEnded = false;

  constructor(compiled: CompiledGraph, steps: Iterable<StepState>) {
    this.#compiled = compiled;
    this.#state = new RunState(compiled, []);
    for (const step of steps) this.#add(step);
    for (const link of compiled.graph.links) this.#states.set(link, this.#stateOf(link));
  }

  /** The state of every link, in the order of the graph. */
  states(): LinkInRun[] {
    return this.#compiled.graph.links.map((link) => this.#states.get(link) ?? 'pending');
  }

  /** The progress of all lists that are known, by the ids of their groups. */
  lists(): Record<string, ListProgress> {
    return Object.fromEntries(this.#compiled.regions.flatMap((region) => this.#progressOf(region)));
  }

  /** Applies changed and added steps. */
  change(steps: readonly StepState[]): FollowedChange {
    for (const step of steps) this.#add(step);
    const regions = new Set(steps.flatMap(({ nodeId }) => regionsAround(this.#compiled, nodeId)));
    return {
      links: this.#update(this.#linksTouchedBy(steps, regions)),
      lists: new Map([...regions].flatMap((region) => this.#progressOf(region))),
    };
  }

  /** Ends the run, or continues it: in a run that has ended no link is still open. Returns the links whose state has changed. */
  end(hasEnded: boolean): Map<RunLink, LinkInRun> {
    if (hasEnded === this.#hasEnded) return new Map();
    this.#hasEnded = hasEnded;
    return this.#update(this.#compiled.graph.links);
  }

  #update(links: Iterable<RunLink>): Map<RunLink, LinkInRun> {
    const changed = new Map<RunLink, LinkInRun>();
    for (const link of links) {
      const state = this.#stateOf(link);
      if (this.#states.get(link) === state) continue;
      this.#states.set(link, state);
      changed.set(link, state);
    }
    return changed;
  }

  #stateOf(link: RunLink): LinkInRun {
    const state = linkInRun(this.#state, link, (nodeId) => this.#runs.get(nodeId) ?? []);
    if (!this.#hasEnded) return state;
    return state === 'pending' || state === 'waiting' ? 'dead' : state;
  }

  #add(step: StepState): void {
    const known = this.#byId.get(step.id);
    this.#byId.set(step.id, step);
    const runs = this.#runs.get(step.nodeId) ?? [];
    this.#runs.set(step.nodeId, known ? runs.map((run) => (run === known ? step : run)) : [...runs, step]);
    if (known && known.item !== step.item) this.#state.replace(known, step);
    else this.#state.add(step);
  }

  /** Empty for a loop, and for a list whose items are not known. */
  #progressOf({ kind, id, nodes }: Region): [string, ListProgress][] {
    if (kind === 'loop') return [];
    const ended = new Map<number, boolean>();
    for (const nodeId of nodes)
      for (const { item, status } of this.#state.runsOf(nodeId))
        if (item > 0) ended.set(item, (ended.get(item) ?? true) && isEnded(status));
    const done = [...ended.values()].filter(Boolean).length;
    return ended.size === 0 ? [] : [[id, { done, total: ended.size }]];
  }

  #linksTouchedBy(steps: readonly StepState[], regions: Iterable<Region>): Set<RunLink> {
    const { incoming, outgoing, backLinks } = this.#compiled;
    const touched = new Set<RunLink>();
    for (const nodeId of new Set(steps.map((step) => step.nodeId)))
      for (const links of [incoming, outgoing, backLinks]) for (const link of links.get(nodeId) ?? []) touched.add(link);
    for (const region of regions) for (const link of this.#leavingOf(region)) touched.add(link);
    return touched;
  }

  /** The links whose state depends on all steps of a region. */
  #leavingOf(region: Region): readonly RunLink[] {
    let links = this.#leaving.get(region);
    if (!links) {
      links = this.#compiled.graph.links.filter((link) => region.nodes.has(link.from) && (isBackLink(link) || !region.nodes.has(link.to)));
      this.#leaving.set(region, links);
    }
    return links;
  }
}
