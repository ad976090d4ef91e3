import type { LinkSettings, ListSettings, StepSettings } from '../../contract/executions/run-graph.ts';

/** A step of a run. Its id is that of the pipeline's step. */
export type RunNode = StepSettings & { id: string; groupId?: string };
/** `own`: the rounds that its pipeline gives to a link back, where one run has fewer. */
export type RunLink = LinkSettings & { id: string; from: string; to: string; own?: Pick<LinkSettings, 'maxRounds' | 'atLimit'> };
type RunGroup = ListSettings & { id: string };

/** Whether a link is a review loop. */
export function isBackLink({ maxRounds }: LinkSettings): boolean {
  return maxRounds !== undefined;
}

/** The graph of an execution: its steps in order, the links between them, and the groups that process a list. */
export type RunGraph = { nodes: RunNode[]; links: RunLink[]; groups: RunGroup[]; maxParallel: number };

/** Steps that run more than once: a review loop, or a group that works through a list. */
export type Region = {
  kind: 'loop' | 'list';
  /** The step that a loop is entered at, or the id of the group. */
  id: string;
  nodes: ReadonlySet<string>;
  /** The smallest region around this one. */
  parent: Region | null;
  /** Of a loop: the links that lead back to its first step. */
  backLinks: readonly RunLink[];
  /** For a list: the effect of a failed item. */
  onFailure: ListSettings['onFailure'];
};

/** A graph prepared for a run: the lookups at the end of every step. */
export type CompiledGraph = {
  graph: RunGraph;
  nodes: ReadonlyMap<string, RunNode>;
  /** Links by their ends, in order, without back links. */
  incoming: ReadonlyMap<string, readonly RunLink[]>;
  outgoing: ReadonlyMap<string, readonly RunLink[]>;
  backLinks: ReadonlyMap<string, readonly RunLink[]>;
  /** Steps after all steps that lead to them. */
  order: readonly string[];
  /** The innermost region of each step that is in one. */
  regionOf: ReadonlyMap<string, Region>;
  /** Inner regions before those around them. */
  regions: readonly Region[];
};

/** Loops within loops: the maximum. */
export const maxLoopDepth = 3;
/** A round is one digit for each loop around the step: the base leaves room for the most rounds. */
const roundBase = 32;

const none: readonly Region[] = [];
const aroundRegion = new WeakMap<Region, readonly Region[]>();

/** The regions around a step, the innermost first. */
export function regionsAround({ regionOf }: Pick<CompiledGraph, 'regionOf'>, nodeId: string): readonly Region[] {
  const innermost = regionOf.get(nodeId);
  if (!innermost) return none;
  let around = aroundRegion.get(innermost);
  if (!around) {
    const found: Region[] = [];
    for (let region: Region | null = innermost; region; region = region.parent) found.push(region);
    around = found;
    aroundRegion.set(innermost, around);
  }
  return around;
}

/** The loops around a step, the innermost first. */
export function loopsAround(compiled: CompiledGraph, nodeId: string): Region[] {
  return regionsAround(compiled, nodeId).filter(({ kind }) => kind === 'loop');
}

/** The round of one loop, from 0. `depth`: how many loops lie inside it around the same step. */
export function roundOf(round: number, depth: number): number {
  return Math.floor(round / roundBase ** depth) % roundBase;
}

/** The round after this one in the loop at `depth`: loops inside it begin at 0 again. */
export function nextRound(round: number, depth: number): number {
  const unit = roundBase ** depth;
  return (Math.floor(round / unit) + 1) * unit;
}

/** The part of a round that the loops outside the innermost `depth` ones count. */
export function outerRound(round: number, depth: number): number {
  return Math.floor(round / roundBase ** depth);
}
