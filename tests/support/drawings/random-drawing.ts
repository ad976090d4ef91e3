import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';
import { agentNode, agentOf, dialogNode, documentOf, link } from '../engine/samples.ts';
import { type MadeGraph, numberFrom } from '../run-graph/random-run.ts';

/** A drawing of a graph that can run, with cards beside it that no run has. */
type RandomDrawing = {
  made: MadeGraph;
  document: CanvasDocument;
  /** Null: start cards begin the run. */
  dialog: CanvasNode | null;
  /** The links that the run leaves out. */
  leftOutLinks: string[];
};

const user = (id: string, more: Partial<CanvasNode> = {}): CanvasNode => ({
  ...{ id, type: 'agent', isUser: true, title: id, role: 'user', serverAgentId: id, x: 0, y: 600 },
  ...more,
});

/**
 * Draws a graph: some of its steps are people that ask, and some of its links lead through cards that are only shown or left out. The run
 * begins at a dialog or at several start cards.
 */
export function randomDrawing(given: MadeGraph): RandomDrawing {
  const made = withCycle(given);
  const { graph, seed } = made;
  let count = 0;
  const draw = (below: number) => numberFrom(`${seed} drawing ${count++}`, below);
  const nodes: CanvasNode[] = [];
  const links: Connection[] = [];
  const agent = (id: string, x: number, y: number, more: Partial<CanvasNode> = {}) => {
    nodes.push(agentNode(id, agentOf(nodes.length + 1, id, 'Developer'), x, y, more));
  };
  const connect = (id: string, from: string, to: string, run: LinkSettings = {}) =>
    links.push({ ...link(from, to), id, ...(Object.keys(run).length > 0 && { run }) });
  const rows = new Map(graph.groups.map(({ id }, at) => [id, (at + 1) * 1_000]));
  for (const [at, { id, groupId, ...step }] of graph.nodes.entries()) {
    const place = { x: at * 400, y: rows.get(groupId ?? '') ?? 0 };
    // A run needs an agent: the first step is one.
    if (at > 0 && draw(4) === 0) nodes.push(user(id, { ...place, step: { ...step, person: { question: 'Ready?', inputs: [] } } }));
    else agent(id, place.x, place.y, Object.keys(step).length > 0 ? { step } : {});
  }
  for (const { id, ...forEach } of graph.groups) {
    const size = { width: graph.nodes.length * 400, height: 400 };
    nodes.push({ id, type: 'group', title: id, x: -50, y: (rows.get(id) ?? 0) - 50, ...size, forEach });
  }
  for (const { id, from, to, ...run } of graph.links) {
    const kind = draw(5);
    if (kind > 1) connect(id, from, to, run);
    else {
      if (kind === 0) nodes.push(user(`u ${id}`, { y: -900 }));
      else agent(`u ${id}`, 0, -900, { disabled: true });
      connect(`${id} first`, from, `u ${id}`, run);
      // A disabled card chooses nothing.
      connect(id, `u ${id}`, to, kind === 1 ? { label: 'chosen by no card' } : {});
    }
  }
  const dialog = draw(3) > 0 ? dialogNode('d', -400, 0) : null;
  const starters: [string, ...string[]] = dialog ? ['d'] : ['start a', 'start b'];
  if (dialog) nodes.push(dialog, dialogNode('z', -400, 9_000));
  else for (const id of starters) nodes.push({ id, type: 'start', title: id, x: -400, y: 0 });
  const led = new Set(graph.links.flatMap(({ to, maxRounds }) => (maxRounds === undefined ? to : [])));
  for (const { id } of graph.nodes) if (!led.has(id)) connect(`to ${id}`, starters[draw(starters.length)] ?? starters[0], id);
  const any = () => graph.nodes[draw(graph.nodes.length)]?.id as string;
  agent('alone', -900, 0);
  agent('before', -900, 300);
  connect('before a step', 'before', any());
  nodes.push(user('watches', { y: -1_500 }));
  connect('a step watches', any(), 'watches');
  const leftOutLinks = ['a step watches', 'before a step'];
  if (dialog) {
    agent('of z', -900, 600);
    connect('z of z', 'z', 'of z');
    leftOutLinks.push('z of z');
  }
  if (graph.nodes.some(({ id }) => id === 'x')) {
    connect('c3', 'y', 'x');
    leftOutLinks.push('c3');
  }
  return { made, document: documentOf(nodes, links), dialog, leftOutLinks };
}

/** The same graph with two cards behind one of its steps. The drawing links them in a circle, without rounds. */
function withCycle({ graph, blocks, seed }: MadeGraph): MadeGraph {
  const at = graph.nodes.filter(({ groupId }) => groupId === undefined);
  const source = at[numberFrom(`${seed} cycle`, at.length)]?.id;
  if (source === undefined) return { graph, blocks, seed };
  const links = [...graph.links, { id: 'c1', from: source, to: 'x' }, { id: 'c2', from: 'x', to: 'y' }];
  const more = ['x', 'y'].map((id) => ({ kind: 'step' as const, id, blocks: [] }));
  return { graph: { ...graph, nodes: [...graph.nodes, { id: 'x' }, { id: 'y' }], links }, blocks: [...blocks, ...more], seed };
}
