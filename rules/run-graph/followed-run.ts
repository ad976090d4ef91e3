import { type LinkInRun, linkInRun } from './link-in-run.ts';
import { type CompiledGraph, isBackLink, type Region, type RunLink, regionsAround } from './run-graph.ts';
import { RunState, type StepState } from './run-state.ts';

/**
 * Follows the links of a run that goes on. A change of steps costs time in proportion to the links that it can change: those of the steps, and
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

  /** Applies changed and added steps. Returns the links whose state has changed. */
  change(steps: readonly StepState[]): Map<RunLink, LinkInRun> {
    for (const step of steps) this.#add(step);
    return this.#update(this.#touchedBy(steps));
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

  #touchedBy(steps: readonly StepState[]): Set<RunLink> {
    const { incoming, outgoing, backLinks } = this.#compiled;
    const touched = new Set<RunLink>();
    const regions = new Set<Region>();
    for (const nodeId of new Set(steps.map((step) => step.nodeId))) {
      for (const links of [incoming, outgoing, backLinks]) for (const link of links.get(nodeId) ?? []) touched.add(link);
      for (const region of regionsAround(this.#compiled, nodeId)) regions.add(region);
    }
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
