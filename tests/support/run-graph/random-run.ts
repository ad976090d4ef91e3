import fc from 'fast-check';
import type { RunGraph, RunLink, RunNode } from '../../../rules/run-graph/run-graph.ts';

/** The parts of a graph as they were made: steps, loops and lists in order, those in each other nested. */
export type Block = { kind: 'step' | 'loop' | 'list'; id: string; blocks: Block[] };
export type MadeGraph = { graph: RunGraph; blocks: Block[]; seed: number };

/** How a run of a step ends. The same run always ends in the same way. */
export type Outcome = { status: 'completed' | 'failed'; choice: string | null; result: string; handOff?: HandOffOutcome };

/** What a person does with a result along links that hold. */
export type HandOffOutcome = { state: 'sent' | 'skipped'; holds: (linkId: string) => boolean };

/** A number from 0 to below `below` that follows from a text. */
export function numberFrom(text: string, below: number): number {
  let hash = 2_166_136_261;
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519);
  return ((hash ^ (hash >>> 13)) >>> 0) % below;
}

/** Graphs that can run, with branches, joins, choices, loops in loops, lists and links for failures. */
export function madeGraph({ firstWins }: { firstWins: boolean }): fc.Arbitrary<MadeGraph> {
  return fc.integer().map((seed) => makeGraph(seed, firstWins));
}

function makeGraph(seed: number, firstWins: boolean): MadeGraph {
  let drawn = 0;
  const draw = (below: number) => numberFrom(`${seed} ${drawn++}`, below);
  const graph: RunGraph = { nodes: [], links: [], groups: [], maxParallel: 4 };
  const backSources = new Set<string>();

  const step = (groupId?: string): Block => {
    const id = `s${graph.nodes.length}`;
    const node: RunNode = { id, ...(groupId && { groupId }), ...(draw(4) === 0 && { onFailure: 'goOn' as const }) };
    if (firstWins && draw(4) === 0) node.firstWins = true;
    graph.nodes.push(node);
    return { kind: 'step', id, blocks: [] };
  };
  const link = (from: string, to: string, more: Partial<RunLink> = {}) => {
    if (graph.links.some((one) => one.from === from && one.to === to)) return;
    graph.links.push({ id: `l${graph.links.length}`, from, to, ...more });
  };
  const stepsIn = (block: Block): string[] => (block.kind === 'step' ? [block.id] : block.blocks.flatMap(stepsIn));
  const entriesOf = (block: Block): string[] => {
    if (block.kind === 'step') return [block.id];
    return block.kind === 'loop' ? [block.id] : block.blocks.flatMap(entriesOf);
  };
  const any = <T>(from: T[]): T => from[draw(from.length)] as T;
  const fill = (blocks: Block[], many: number, loops: number, groupId: string | undefined) => {
    while (blocks.length < many) {
      const kind = draw(6);
      const before = [...blocks];
      let made: Block;
      if (kind === 0 && loops < 3) {
        const header = step(groupId);
        made = { kind: 'loop', id: header.id, blocks: [header] };
        fill(made.blocks, 2 + draw(2), loops + 1, groupId);
        const tail = step(groupId);
        for (const id of made.blocks.flatMap(stepsIn)) {
          const body = new Set(made.blocks.flatMap(stepsIn));
          if (!graph.links.some(({ from, to, maxRounds }) => from === id && body.has(to) && maxRounds === undefined)) link(id, tail.id);
        }
        made.blocks.push(tail);
        backSources.add(tail.id);
        link(tail.id, header.id, { maxRounds: 1 + draw(3), ...(draw(8) === 0 && { atLimit: 'fail' as const }) });
      } else if (kind === 1 && groupId === undefined) {
        const id = `g${graph.groups.length}`;
        graph.groups.push({ id, onFailure: any(['stop', 'goOn', 'skip']) });
        made = { kind: 'list', id, blocks: [] };
        fill(made.blocks, 1 + draw(3), loops, id);
      } else made = step(groupId);
      const entries =
        made.kind === 'list'
          ? entriesOf(made).filter((id) => !graph.links.some(({ to, maxRounds }) => to === id && maxRounds === undefined))
          : [];
      for (const id of entries) if (before.length > 0) link(any(stepsIn(any(before))), id);
      const least = loops > 0 || made.kind === 'list' ? 1 : 0;
      for (let left = before.length > 0 ? least + draw(3) : 0; left > 0; left -= 1) link(any(stepsIn(any(before))), any(entriesOf(made)));
      blocks.push(made);
    }
  };
  const blocks: Block[] = [];
  fill(blocks, 3 + draw(5), 0, undefined);
  for (const { id } of graph.nodes) addCases(graph, id, backSources.has(id), draw);
  return { graph, blocks, seed };
}

/** Makes some links out of a step cases, and some links for its failure. */
function addCases(graph: RunGraph, id: string, isBackSource: boolean, draw: (below: number) => number): void {
  const out = graph.links.filter(({ from }) => from === id);
  const [first] = out.filter(({ maxRounds }) => maxRounds === undefined);
  if (first && out.length > 1 && draw(5) === 0) first.onFailure = true;
  const usual = out.filter(({ onFailure }) => !onFailure);
  if (usual.length < 2 && !isBackSource) return;
  const kind = draw(isBackSource ? 5 : 3);
  if (kind === 0) return;
  const otherwise = draw(2) === 0 ? draw(usual.length) : -1;
  usual.forEach((link, at) => {
    if (kind === 1 && usual.length > 1) {
      if (at !== Math.max(0, otherwise)) link.test = { is: 'contains', value: String(at) };
    } else if (at !== otherwise) link.label = `case ${draw(3)}`;
  });
}

/** The same outcomes in a run with people: some links hold, and their results are handed on or not. */
export function outcomeWithPeople(made: MadeGraph, nodeId: string, round: number, item: number): Outcome {
  const outcome = outcomeOf(made, nodeId, round, item);
  const key = `${made.seed} ${nodeId} ${round} ${item} person`;
  if (outcome.status !== 'completed' || numberFrom(key, 2) === 0) return outcome;
  const state = numberFrom(`${key} state`, 3) === 0 ? 'skipped' : 'sent';
  return { ...outcome, handOff: { state, holds: (linkId) => numberFrom(`${made.seed} holds ${linkId}`, 2) === 0 } };
}

/** The task of a run: a list of at most seven items. */
export function taskOf({ seed }: MadeGraph): string {
  return Array.from({ length: numberFrom(`${seed} task`, 8) }, (_, at) => `${at + 1}. task-${at + 1}`).join('\n');
}

/** The outcome of a run of a step, from the seed alone. */
export function outcomeOf({ graph, seed }: MadeGraph, nodeId: string, round: number, item: number): Outcome {
  const key = `${seed} ${nodeId} ${round} ${item}`;
  const cases = graph.links.filter(({ from, onFailure }) => from === nodeId && !onFailure);
  const names = cases.flatMap(({ id, label, test }) => (test ? [id] : (label ?? [])));
  const hasOtherwise = cases.some(({ label, test }) => label === undefined && !test);
  const choices: (string | null)[] = hasOtherwise || names.length === 0 ? [...names, null] : names;
  const many = numberFrom(`${key} items`, 8);
  const items = Array.from({ length: many }, (_, at) => `${at + 1}. ${nodeId}-${round}-${item}-${at + 1}`);
  return {
    status: numberFrom(`${key} status`, 10) === 0 ? 'failed' : 'completed',
    choice: choices[numberFrom(`${key} choice`, choices.length)] ?? null,
    result: many === 0 ? '[]' : items.join('\n'),
  };
}
