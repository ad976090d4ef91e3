import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { maxPipelineLinks, type PipelineGroup, type PipelineLink } from '../../../../contract/executions/pipeline.ts';
import { isGroup, nameOf } from '../../../../rules/card.ts';
import type { ValidationProblem } from '../../../../rules/checked-document.ts';
import { compileRunGraph, twoEntries } from '../../../../rules/run-graph/compile-run-graph.ts';
import { areaOf, boxOf, liesIn } from '../../document/annotations.ts';
import { type Cycle, cyclesIn } from '../../document/links/links-back.ts';
import { hasBranches, parallelLimit } from './parallel-limit.ts';
import { type LinkScope, linksBetween, type Path } from './run-links.ts';
import { cyclesWithTwoEntries, isStep, linksForward } from './run-scope.ts';

/** The graph of a run: the parts of the canvas that a list of steps cannot express. */
export type GraphPlan = {
  /** Between the steps, by the ids of the canvas. */
  links: PipelineLink[];
  groups: PipelineGroup[];
  /** The group of each step that is in one, by node id. */
  groupOf: ReadonlyMap<string, string>;
  maxParallel: number;
};

/** What decides a run's graph: its links, the cards that it begins with, and the project's setting. */
type GraphScope = LinkScope & { starterIds: readonly string[]; parallelSteps: number | undefined };

/**
 * Returns the graph of a run. Returns null if its steps run one after another: no node or link has settings, and only one step runs at a
 * time.
 */
export function graphPlan(document: CanvasDocument, scope: GraphScope): GraphPlan | null {
  const { stepIds, starterIds } = scope;
  const steps = stepIds.flatMap((id) => document.nodes[id] ?? []);
  const { groups, groupOf } = listGroups(document, steps);
  const isBranched =
    (scope.parallelSteps ?? 1) !== 1 && hasBranches(linksBetween(document, scope, { sources: [...stepIds, ...starterIds] }));
  const limit = parallelLimit(scope.parallelSteps, isBranched);
  const isGraph = limit > 1 || groups.length > 0 || steps.some(({ step }) => changesRun({ step }));
  // The links of a run have the settings of links of the canvas: a plain canvas is not followed.
  if (!isGraph && !Object.values(document.connections).some(changesRun)) return null;
  const links = linksBetween(document, scope).map(({ link }) => link);
  // Cards that no link orders go by their place.
  const maxParallel = links.length > 0 || isBranched ? limit : 1;
  return isGraph || links.some(hasSettings) ? { links, groups, groupOf, maxParallel } : null;
}

function hasSettings({ id: _id, from: _from, to: _to, ...settings }: PipelineLink): boolean {
  return Object.keys(settings).length > 0;
}

/** Why the graph of a run cannot be carried out. Each reason has the titles of its cards, and the cards and links that show it. */
export function graphPlanProblems(
  document: CanvasDocument,
  { stepIds, cycles }: { stepIds: readonly string[]; cycles: readonly Cycle[] },
  plan: GraphPlan,
): ValidationProblem[] {
  const { links, groups, groupOf, maxParallel } = plan;
  if (links.length > maxPipelineLinks)
    return [{ severity: 'error', code: 'run.tooManyLinks', params: { links: links.length, most: maxPipelineLinks } }];
  const nodes = stepIds.map((id) => {
    const groupId = groupOf.get(id);
    return { id, ...document.nodes[id]?.step, ...(groupId !== undefined && { groupId }) };
  });
  const compiled = compileRunGraph({ nodes, links, groups, maxParallel });
  const found = compiled.ok ? [] : compiled.problems;
  const entered = cyclesWithTwoEntries(document, cycles).map((entries) =>
    twoEntries(entries.map(({ id, to }) => ({ id, to: to.agentId }))),
  );
  const nameOfLink = linkNames(document, links);
  return [...entered, ...found, ...listsInLists(document, groups)].map(({ code, params, nodeIds, linkIds }) => ({
    severity: 'error',
    code,
    params: { ...params, steps: titles(document, nodeIds), ...(code === 'graph.twoEntries' && { links: listed(linkIds.map(nameOfLink)) }) },
    ...(nodeIds[0] !== undefined && { nodeId: nodeIds[0], nodeIds }),
    ...(linkIds[0] !== undefined && { connectionId: linkIds[0], connectionIds: linkIds }),
  }));
}

/** The same of all agents of the canvas, for the check while it is edited. */
export function canvasGraphProblems(document: CanvasDocument): ValidationProblem[] {
  const nodes = Object.values(document.nodes);
  const stepIds = nodes.filter(isStep).map(({ id }) => id);
  const cycles = cyclesIn(Object.keys(document.nodes), linksForward(document), null);
  const plan = graphPlan(document, { stepIds, leftOut: idsOfBack(cycles), starterId: null, starterIds: [], parallelSteps: 1 });
  return plan ? graphPlanProblems(document, { stepIds, cycles }, plan) : [];
}

/** The ids of the links that lead back without rounds. */
function idsOfBack(cycles: readonly Cycle[]): Set<string> {
  return new Set(cycles.flatMap(({ back }) => back.map(({ id }) => id)));
}

/** Whether a card or a link has settings that change a run. */
export function changesRun({ run, step, forEach }: { run?: object | undefined; step?: object | undefined; forEach?: object | undefined }) {
  return forEach !== undefined || [run, step].some((settings) => settings && Object.keys(settings).length > 0);
}

/**
 * Finds the links of a run by links of the canvas. A link between two steps is its own, and one at another card belongs to each path
 * through it. `stepIds` are the cards of the run's steps.
 */
export function runLinksThrough(
  document: CanvasDocument,
  linkIds: ReadonlySet<string>,
  { stepIds, starterId }: Omit<LinkScope, 'leftOut'>,
): { linkId: string; link: PipelineLink }[] {
  const leftOut = idsOfBack(cyclesIn(Object.keys(document.nodes), linksForward(document, starterId), null));
  const found: { linkId: string; link: PipelineLink }[] = [];
  for (const { link, path } of linksBetween(document, { stepIds, leftOut, starterId }))
    for (let at: Path | null = path; at; at = at.before) if (linkIds.has(at.linkId)) found.push({ linkId: at.linkId, link });
  return found;
}

/** The groups with a list that hold steps; a step belongs to the smallest group around it. */
function listGroups({ nodes }: CanvasDocument, steps: readonly CanvasNode[]): Pick<GraphPlan, 'groups' | 'groupOf'> {
  const lists = Object.values(nodes)
    .filter((node) => isGroup(node) && node.forEach)
    .map((group) => ({ group, box: boxOf(group) }))
    .sort((a, b) => areaOf(a.box) - areaOf(b.box) || (a.group.id < b.group.id ? -1 : 1));
  const groupOf = new Map<string, string>();
  if (lists.length === 0) return { groups: [], groupOf };
  for (const step of steps) {
    const home = lists.find(({ box }) => liesIn(step, box));
    if (home) groupOf.set(step.id, home.group.id);
  }
  const used = new Set(groupOf.values());
  const groups = lists.flatMap(({ group: { id, forEach } }) => (used.has(id) && forEach ? [{ id, ...forEach }] : []));
  return { groups, groupOf };
}

function listsInLists({ nodes }: CanvasDocument, groups: readonly PipelineGroup[]) {
  const lists = Object.values(nodes).filter((node) => isGroup(node) && node.forEach);
  return groups.flatMap(({ id }) => {
    const inner = nodes[id];
    const outer = inner && lists.find((other) => other !== inner && liesIn(inner, boxOf(other)));
    return outer ? [{ code: 'graph.listInList', params: {}, nodeIds: [id, outer.id], linkIds: [] }] : [];
  });
}

/** Cards or links that one problem names. */
const namedAtMost = 5;

/** The names of cards, of many the first ones. */
export function titles({ nodes }: CanvasDocument, ids: readonly string[]): string {
  return listed(ids.map((id) => (nodes[id] ? nameOf(nodes[id]) : id)));
}

function linkNames(document: CanvasDocument, links: readonly PipelineLink[]): (id: string) => string {
  return (id) => {
    const link = document.connections[id];
    const ends = link ? [link.from.agentId, link.to.agentId] : links.flatMap((one) => (one.id === id ? [one.from, one.to] : []));
    return ends.map((end) => titles(document, [end])).join(' → ');
  };
}

function listed(names: readonly string[]): string {
  return [...names.slice(0, namedAtMost), ...(names.length > namedAtMost ? ['…'] : [])].join(', ');
}
