import { maxPersonButtons, type PersonSettings, testResultKinds } from '../../contract/executions/run-graph.ts';
import { mayFollowLabel } from './choose-links.ts';
import { type CompiledGraph, maxLoopDepth, type Region, type RunGraph, type RunLink, regionsAround } from './run-graph.ts';

/** Why a graph cannot run: a code of the locales, its parameters, and the steps and links that show it. */
export type GraphProblem = { code: string; params?: Record<string, string | number>; nodeIds: string[]; linkIds: string[] };

type Compiled = { ok: true; compiled: CompiledGraph } | { ok: false; problems: GraphProblem[] };

/**
 * Prepares a graph for a run, or returns all reasons why it cannot run. A loop is entered at one step only; loops and groups lie within each
 * other or apart; each case of a test leads somewhere. Takes time in proportion to steps and links.
 */
export function compileRunGraph(graph: RunGraph): Compiled {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const problems = linkProblems(graph);
  if (problems.length > 0) return { ok: false, problems };

  const forward = graph.links.filter(({ maxRounds }) => maxRounds === undefined);
  const back = graph.links.filter(({ maxRounds }) => maxRounds !== undefined);
  const incoming = byEnd(forward, 'to');
  const outgoing = byEnd(forward, 'from');
  const ids = graph.nodes.map(({ id }) => id);
  const sorted = sortedByLinks(ids, incoming, outgoing);
  if (sorted.length < ids.length) return { ok: false, problems: [unmarkedCycle(ids, sorted, forward)] };
  const order = listOrder(ids, incoming);

  const found = findRegions(graph, back, { incoming, outgoing });
  if (!found.ok) return found;
  const { regions, regionOf } = found;
  const waiting = waitingForThemselves(ids, forward, regionOf);
  if (waiting) return { ok: false, problems: [waiting] };
  return { ok: true, compiled: { graph, nodes, incoming, outgoing, backLinks: byEnd(back, 'from'), order, regionOf, regions } };
}

function linkProblems(graph: RunGraph): GraphProblem[] {
  const known = new Set(graph.nodes.map(({ id }) => id));
  const groups = new Set(graph.groups.map(({ id }) => id));
  const problems: GraphProblem[] = [];
  const seen = new Set<string>();
  for (const link of graph.links) {
    const ends = [link.from, link.to].filter((id) => known.has(id));
    if (ends.length < 2) problems.push({ code: 'graph.linkEndMissing', nodeIds: ends, linkIds: [link.id] });
    else if (link.from === link.to) problems.push({ code: 'link.self', nodeIds: [link.from], linkIds: [link.id] });
    if (seen.has(link.id)) problems.push({ code: 'link.idTwice', params: { id: link.id }, nodeIds: ends, linkIds: [link.id] });
    seen.add(link.id);
    if (link.onFailure && (link.label !== undefined || link.test))
      problems.push({ code: 'graph.failureCase', nodeIds: ends, linkIds: [link.id] });
    if (link.onFailure && link.maxRounds !== undefined) problems.push({ code: 'graph.failureBack', nodeIds: ends, linkIds: [link.id] });
  }
  for (const { id, groupId } of graph.nodes)
    if (groupId !== undefined && !groups.has(groupId)) problems.push({ code: 'graph.groupMissing', nodeIds: [id], linkIds: [] });
  for (const { id, person } of graph.nodes) if (person) problems.push(...personProblems(id, person, graph.links));
  for (const [from, links] of Map.groupBy(graph.links, (link) => link.from)) {
    const usual = links.filter(({ onFailure }) => !onFailure);
    const tests = usual.filter(({ test }) => test);
    if (tests.length === 0) continue;
    const untested = usual.filter(({ test, label }) => !test && label !== undefined);
    if (untested.length > 0) problems.push({ code: 'graph.caseWithoutTest', nodeIds: [from], linkIds: untested.map(({ id }) => id) });
    else if (tests.length === usual.length && !areWhole(tests))
      problems.push({ code: 'graph.otherwiseMissing', nodeIds: [from], linkIds: tests.map(({ id }) => id) });
  }
  return problems;
}

/** Whether tests leave out nothing: executed tests pass or fail, and without any the labels of both links count. */
function areWhole(tests: readonly RunLink[]): boolean {
  return tests.every(mayFollowLabel) && testResultKinds.every((kind) => tests.some(({ test }) => test?.is === kind));
}

/** Why a person's step cannot ask: too many buttons, a choice without options, or a button that no link has. */
function personProblems(id: string, { inputs, whenDue, buttons: own = [] }: PersonSettings, links: readonly RunLink[]): GraphProblem[] {
  const out = links.filter(({ from, onFailure, test }) => from === id && !onFailure && !test);
  const labels = new Set([...own, ...out.flatMap(({ label }) => label ?? [])]);
  const isFree = own.some((button) => !out.some(({ label }) => label === button));
  const buttons = labels.size + (labels.size > 0 && !isFree && out.some(({ label }) => label === undefined) ? 1 : 0);
  const linkIds = out.map((link) => link.id);
  const problems: GraphProblem[] = [];
  if (buttons > maxPersonButtons)
    problems.push({ code: 'graph.tooManyButtons', params: { most: maxPersonButtons }, nodeIds: [id], linkIds });
  if (inputs.some(({ type, options }) => type === 'choice' && !options?.length))
    problems.push({ code: 'graph.choiceWithoutOptions', nodeIds: [id], linkIds: [] });
  if (new Set(inputs.map((input) => input.id)).size < inputs.length)
    problems.push({ code: 'graph.inputTwice', nodeIds: [id], linkIds: [] });
  const due = typeof whenDue === 'object' ? whenDue.choose : null;
  if (due !== null && !labels.has(due)) problems.push({ code: 'graph.dueButtonMissing', params: { label: due }, nodeIds: [id], linkIds });
  return problems;
}

function byEnd(links: readonly RunLink[], end: 'from' | 'to'): Map<string, RunLink[]> {
  return Map.groupBy(links, (link) => link[end]);
}

type Ends = { incoming: ReadonlyMap<string, readonly RunLink[]>; outgoing: ReadonlyMap<string, readonly RunLink[]> };

/** Ids after all that lead to them; those on a cycle and after it are missing. */
function sortedByLinks(ids: readonly string[], incoming: Ends['incoming'], outgoing: Ends['outgoing']): string[] {
  const left = new Map(ids.map((id) => [id, incoming.get(id)?.length ?? 0]));
  const sorted = ids.filter((id) => left.get(id) === 0);
  for (let at = 0; at < sorted.length; at += 1) {
    for (const { to } of outgoing.get(sorted[at] as string) ?? []) {
      const many = (left.get(to) ?? 0) - 1;
      left.set(to, many);
      if (many === 0) sorted.push(to);
    }
  }
  return sorted;
}

/** Returns the steps in the order of the list, except that each step follows all steps that lead to it. The graph has no cycle. */
function listOrder(ids: readonly string[], incoming: Ends['incoming']): string[] {
  const order = new Set<string>();
  for (const id of ids) {
    const open = [id];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const before = order.has(top) ? [] : (incoming.get(top) ?? []).filter(({ from }) => !order.has(from));
      if (before.length === 0) order.add(open.pop() as string);
      else open.push(...before.map(({ from }) => from).toReversed());
    }
  }
  return [...order];
}

function unmarkedCycle(ids: readonly string[], sorted: readonly string[], forward: readonly RunLink[]): GraphProblem {
  const reached = new Set(sorted);
  const open = new Set(ids.filter((id) => !reached.has(id)));
  const inside = forward.filter(({ from, to }) => open.has(from) && open.has(to));
  // A sort against the links reaches the steps that only follow a cycle.
  const reversed = inside.map((link) => ({ ...link, from: link.to, to: link.from }));
  for (const id of sortedByLinks([...open], byEnd(reversed, 'to'), byEnd(reversed, 'from'))) open.delete(id);
  const links = inside.filter(({ from, to }) => open.has(from) && open.has(to));
  return { code: 'graph.cycle', nodeIds: [...open], linkIds: links.map(({ id }) => id) };
}

/**
 * A region ends as a whole, and a list begins as a whole. A way that leaves a region and leads into it again would therefore wait for
 * itself. So the links between regions and steps, each seen as one, must have no cycle.
 */
function waitingForThemselves(ids: readonly string[], forward: readonly RunLink[], regionOf: ReadonlyMap<string, Region>) {
  const nameOf = ({ kind, id }: Region) => `${kind} ${id}`;
  /** The outermost region around one end that does not hold the other end; else the step. */
  const side = (id: string, other: string) => {
    const region = regionsAround({ regionOf }, id).findLast(({ nodes }) => !nodes.has(other));
    return region ? nameOf(region) : `step ${id}`;
  };
  const between = forward.map((link) => ({ ...link, from: side(link.from, link.to), to: side(link.to, link.from) }));
  const names = new Set(between.flatMap(({ from, to }) => [from, to]));
  const sorted = sortedByLinks([...names], byEnd(between, 'to'), byEnd(between, 'from'));
  if (sorted.length === names.size) return null;
  const { linkIds } = unmarkedCycle([...names], sorted, between);
  const lit = new Set(linkIds);
  const ends = new Set(forward.flatMap(({ id, from, to }) => (lit.has(id) ? [from, to] : [])));
  return { code: 'graph.waitsForItself', nodeIds: ids.filter((id) => ends.has(id)), linkIds };
}

type Found = { ok: true; regions: Region[]; regionOf: Map<string, Region> } | { ok: false; problems: GraphProblem[] };

function findRegions(graph: RunGraph, back: readonly RunLink[], ends: Ends): Found {
  const problems: GraphProblem[] = [];
  const made: Region[] = [];
  const told = new Set<string>();
  let room = graph.nodes.length * maxLoopDepth;
  const backTo = byEnd(back, 'to');
  for (const [header, links] of backTo) {
    const before = reach(
      links.map(({ from }) => from),
      (id) => (id === header ? [] : [...(ends.incoming.get(id) ?? []), ...(backTo.get(id) ?? [])].map(({ from }) => from)),
    );
    room -= before.size;
    if (room < 0) {
      const linkIds = links.map(({ id }) => id);
      const tooDeep = { code: 'graph.loopsTooDeep', params: { most: maxLoopDepth }, nodeIds: [header], linkIds };
      return { ok: false, problems: problems.length > 0 ? problems : [tooDeep] };
    }
    const body = reach([header], (id) => (ends.outgoing.get(id) ?? []).flatMap(({ to }) => (before.has(to) ? [to] : [])));
    const straying = links.filter(({ from }) => !body.has(from));
    if (straying.length > 0) {
      problems.push({ code: 'graph.notBack', nodeIds: [header], linkIds: straying.map(({ id }) => id) });
      continue;
    }
    const entries = (id: string) => (ends.incoming.get(id) ?? []).filter(({ from }) => !body.has(from));
    const second = [...body].flatMap((id) => (id === header ? [] : entries(id).filter((link) => !told.has(link.id))));
    if (second.length > 0) {
      // A link into a loop also leads into the loops around it.
      for (const { id } of second) told.add(id);
      problems.push(twoEntries([...entries(header), ...second], header));
    }
    made.push({ kind: 'loop', id: header, nodes: body, parent: null, backLinks: links, onFailure: 'stop' });
  }
  const members = Map.groupBy(graph.nodes, ({ groupId }) => groupId);
  for (const { id, onFailure } of graph.groups) {
    const nodes = new Set(members.get(id)?.map((node) => node.id));
    if (nodes.size > 0) made.push({ kind: 'list', id, nodes, parent: null, backLinks: [], onFailure });
  }
  if (problems.length > 0) return { ok: false, problems };
  return nest(made);
}

/** Why a cycle cannot run that these links lead into. `first`: the card at which its loop begins. */
export function twoEntries(links: readonly Pick<RunLink, 'id' | 'to'>[], first = links[0]?.to ?? ''): GraphProblem {
  const nodeIds = [...new Set([first, ...links.map(({ to }) => to)])];
  const params = { first, second: nodeIds[1] ?? '' };
  return { code: 'graph.twoEntries', params, nodeIds, linkIds: links.map(({ id }) => id) };
}

/** Puts each region into the smallest one around it. */
function nest(made: Region[]): Found {
  // Of two regions with the same steps, the loop lies inside the list.
  const regions = made.toSorted((a, b) => a.nodes.size - b.nodes.size || Number(a.kind === 'list') - Number(b.kind === 'list'));
  const problems: GraphProblem[] = [];
  const outermost = new Map<string, Region>();
  const regionOf = new Map<string, Region>();
  for (const region of regions) {
    const inside = new Set<Region>();
    for (const id of region.nodes) {
      const inner = outermost.get(id);
      if (inner) inside.add(inner);
      else regionOf.set(id, region);
      outermost.set(id, region);
    }
    for (const inner of inside) {
      inner.parent = region;
      const crossing = [...inner.nodes].filter((id) => !region.nodes.has(id));
      const linkIds = [...inner.backLinks, ...region.backLinks].map(({ id }) => id);
      if (crossing.length > 0) problems.push({ code: 'graph.regionsCross', nodeIds: crossing, linkIds });
    }
  }
  for (const region of regions) {
    let depth = 0;
    for (let around: Region | null = region; around; around = around.parent) depth += Number(around.kind === 'loop');
    const linkIds = region.backLinks.map(({ id }) => id);
    if (depth > maxLoopDepth)
      problems.push({ code: 'graph.loopsTooDeep', params: { most: maxLoopDepth }, nodeIds: [...region.nodes], linkIds });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, regions, regionOf };
}

function reach(from: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const seen = new Set(from);
  const open = [...from];
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const other of next(id)) {
      if (seen.has(other)) continue;
      seen.add(other);
      open.push(other);
    }
  return seen;
}
