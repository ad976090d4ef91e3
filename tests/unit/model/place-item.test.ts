import { enablePatches } from 'immer';
import { expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import { featureReviewFlow, fullCycleFlow } from '../../../contract/flow-templates.ts';
import { findFreePlace } from '../../../src/model/document/auto-placement.ts';
import { nodeSize } from '../../../src/model/document/node-size.ts';
import { canvasGraphProblems } from '../../../src/model/run/plan/run-graph-plan.ts';
import { editDocument } from '../../support/engine/edit-document.ts';
import { agentNode, dialogNode, documentOf, team } from '../../support/engine/samples.ts';

enablePatches();
test('D2.01 a card is not placed without its link where the card that the link leads from is gone', () => {
  const { working, does } = editDocument();
  const before = working.document;
  const placed = does({ type: 'node.place', item: { kind: 'dialog' }, at: { x: 0, y: 0 }, after: 'gone' });
  expect(placed).toEqual({ ok: false, error: { code: 'link.sourceMissing' } });
  expect(working.document).toEqual(before);
});

test('D2.01 a flow that a link leads to has no start of its own, and its first cards get the link', () => {
  const place = (templateId: string) => {
    const { working, does } = editDocument(documentOf([dialogNode('d', 0, 0)]));
    const placed = does({ type: 'node.place', item: { kind: 'flow', templateId }, at: { x: 400, y: 0 }, after: 'd' });
    const { nodes, connections } = working.document;
    const cards = (placed.ok && placed.value.result?.nodeIds?.flatMap((id) => nodes[id] ?? [])) || [];
    const led = Object.values(connections).flatMap(({ from, to }) => (from.agentId === 'd' ? to.agentId : []));
    return { cards, led, links: Object.keys(connections).length };
  };
  const chain = place('quick-fix');
  expect(chain.cards.map(({ type, x, y }) => [type, x, y])).toEqual([
    ['agent', 400, 40],
    ['agent', 750, 40],
    ['agent', 1100, 40],
  ]);
  expect({ led: chain.led, links: chain.links }).toEqual({ led: [chain.cards[0]?.id], links: 3 });
  const parallel = place('parallel-research');
  expect(parallel.led).toEqual(parallel.cards.slice(0, 3).map(({ id }) => id));
  expect(parallel.cards.map(({ x, y }) => [x, y])).toEqual([
    [400, -240],
    [400, 40],
    [400, 320],
    [750, 40],
  ]);
});

test('D1.31 a flow that is placed under another flow leaves room for the text below the upper dialog', () => {
  const { working, does } = editDocument(documentOf([]));
  const dialogs = [1, 2].map(() => {
    const placed = does({ type: 'node.place', item: { kind: 'flow', templateId: 'feature-review' } });
    return working.node((placed.ok && placed.value.result?.nodeIds?.[0]) || '');
  });
  const [first, second] = dialogs;
  expect(second?.x).toBe(first?.x);
  expect((second?.y ?? 0) - (first?.y ?? 0)).toBe(nodeSize({ type: 'dialog' }).height + 48 + 20);
});

test('W5.02 a drop that is not finite is refused, one beyond ±10000 is brought back', () => {
  const { working, does } = editDocument();
  expect(does({ type: 'node.place', item: { kind: 'dialog' }, at: { x: Number.NaN, y: 0 } })).toEqual({
    ok: false,
    error: { code: 'drop.notFinite' },
  });
  expect(does({ type: 'node.place', item: { kind: 'dialog' }, at: { x: 0, y: Number.POSITIVE_INFINITY } })).toMatchObject({ ok: false });
  does({ type: 'node.place', item: { kind: 'start' }, at: { x: 123_456, y: -123_456 } });
  expect(working.node('made-1')).toMatchObject({ x: 10_000, y: -10_000, title: 'Start' });
  const flow = does({ type: 'node.place', item: { kind: 'flow', templateId: 'quick-fix' }, at: { x: 9_990, y: 9_990 } });
  const cards = (flow.ok && flow.value.result?.nodeIds?.map((id) => working.node(id))) || [];
  expect(cards.map((card) => card?.x)).toEqual([9_990, 10_000, 10_000, 10_000]);
});

test('W5.02 a dropped agent without a server agent takes its own id', () => {
  const { working, does } = editDocument();
  const [first] = team;
  if (!first) throw new Error('No team');
  const { serverAgentId: _, ...bare } = agentNode('x', first, 0, 0);
  does({ type: 'node.add', nodes: [bare] });
  expect(working.node('x')?.serverAgentId).toBe('x');
});

test('W5.02 an agent of which none is left is refused; a flow is not, and its cards without an agent are named', () => {
  const { working, does } = editDocument();
  expect(does({ type: 'node.place', item: { kind: 'agent', agentId: team[0]?.id ?? '' } })).toMatchObject({
    ok: false,
    error: { code: 'agent.noneLeft' },
  });
  expect(does({ type: 'node.place', item: { kind: 'agent', agentId: 'unknown' } })).toMatchObject({
    ok: false,
    error: { code: 'agent.notFound' },
  });
  const [resting] = team.map((agent): typeof agent => ({ ...agent, status: 0 }));
  const none = editDocument({ nodes: {}, connections: {} }, resting && [resting]);
  expect(none.does({ type: 'node.place', item: { kind: 'agent', agentId: resting?.id ?? '' } })).toMatchObject({
    ok: false,
    error: { code: 'agent.noneLeft' },
  });
  expect(does({ type: 'node.place', item: { kind: 'agent', agentId: team[4]?.id ?? '' } })).toMatchObject({ ok: true });
  const flow = does({ type: 'node.place', item: { kind: 'flow', templateId: 'quick-fix' } });
  if (!flow.ok) throw new Error(flow.error.code);
  expect(flow.value.unmatched).toHaveLength(2);
  expect(flow.value.result?.nodeIds).toHaveLength(4);
  expect(flow.value.result?.connectionIds).toHaveLength(3);
  const cards = flow.value.result?.nodeIds?.map((id) => working.node(id));
  expect(cards?.map((card) => card?.role)).toEqual([undefined, 'TechnicalArchitect', 'Developer', 'QA']);
  expect(cards?.[2]?.serverAgentId).toBe(team[3]?.id);
});

test('W3.02 a flow is placed as a whole: its cards as they stand to one another, and every link', () => {
  const { working, does } = editDocument({ nodes: {}, connections: {} });
  const placed = does({ type: 'node.place', item: { kind: 'flow', templateId: 'full-cycle' }, at: { x: 100, y: -40 } });
  if (!placed.ok) throw new Error(placed.error.code);
  const nodes = placed.value.result?.nodeIds?.map((id) => working.node(id)) ?? [];
  const [dialog] = nodes;
  expect(dialog).toMatchObject({ type: 'dialog', x: 100, y: -40 });
  expect(nodes.map((node) => [(node?.x ?? 0) - 100, (node?.y ?? 0) + 40])).toEqual(fullCycleFlow.agents.map(({ x, y }) => [x, y]));
  expect(placed.value.result?.connectionIds).toHaveLength(fullCycleFlow.connections.length);
  expect(does({ type: 'node.place', item: { kind: 'flow', templateId: 'none' } })).toMatchObject({
    ok: false,
    error: { code: 'flow.unknown' },
  });
});

test('W3.02 a card of a flow whose agent the menu does not have is skipped and named, and those around it are linked', () => {
  const { working, does } = editDocument(
    { nodes: {}, connections: {} },
    team.filter(({ role }) => role !== 'Developer'),
  );
  const placed = does({ type: 'node.place', item: { kind: 'flow', templateId: 'quick-fix' } });
  if (!placed.ok) throw new Error(placed.error.code);
  expect(placed.value).toMatchObject({ skipped: ['Developer'] });
  expect('unmatched' in placed.value).toBe(false);
  const ids = placed.value.result?.nodeIds ?? [];
  expect(ids.map((id) => working.node(id)?.role)).toEqual([undefined, 'TechnicalArchitect', 'QA']);
  const links = Object.values(working.document.connections).map(({ from, to }) => [ids.indexOf(from.agentId), ids.indexOf(to.agentId)]);
  expect(links).toEqual([
    [0, 1],
    [1, 2],
  ]);
});

test('W9.01 without a place cards go to (50, 50), then right with a gap of 20, then to a new row beyond 1000', () => {
  const { working, does } = editDocument({ nodes: {}, connections: {} });
  for (let count = 0; count < 6; count += 1) does({ type: 'node.place', item: { kind: 'start' } });
  expect(Object.values(working.document.nodes).map(({ x, y }) => [x, y])).toEqual([
    [50, 50],
    [270, 50],
    [490, 50],
    [710, 50],
    [930, 50],
    [50, 138],
  ]);
});

test('W9.01 a place is free only where every card is at least 20 px away', () => {
  const size = nodeSize({ type: 'start' });
  const besideOrigin = (x: number, y: number) => findFreePlace(documentOf([dialogNode('near', x, y)]).nodes, size);
  expect(besideOrigin(50 + size.width + 20, 50)).toEqual({ x: 50, y: 50 });
  expect(besideOrigin(50 + size.width + 19, 50)).not.toEqual({ x: 50, y: 50 });
  expect(besideOrigin(50, 50 + size.height + 20)).toEqual({ x: 50, y: 50 });
  expect(besideOrigin(50, 50 + size.height + 19)).not.toEqual({ x: 50, y: 50 });
});

test('W9.01 the hundredth try is the last', () => {
  const { working, does } = editDocument({ nodes: {}, connections: {} });
  for (let count = 0; count < 101; count += 1) does({ type: 'node.place', item: { kind: 'start' } });
  const places = Object.values(working.document.nodes).map(({ x, y }) => [x, y]);
  expect(places.slice(-2)).toEqual([
    [930, 50 + 19 * 88],
    [930 + 220, 50],
  ]);
});

test('W9.01 after 100 tries a card goes right of everything', () => {
  const wall = Array.from({ length: 40 }, (_, row) =>
    Array.from({ length: 6 }, (_, column) => dialogNode(`${row}-${column}`, column * 270, row * 200)),
  ).flat();
  const place = findFreePlace(documentOf(wall).nodes, nodeSize({ type: 'start' }));
  expect(place).toEqual({ x: 5 * 270 + nodeSize({ type: 'dialog' }).width + 20, y: 50 });
});

test('W9.01 where the canvas ends to the right a card goes below everything, so that none comes to lie on another', () => {
  const wall = Array.from({ length: 40 }, (_, row) =>
    Array.from({ length: 6 }, (_, column) => dialogNode(`${row}-${column}`, column * 270, row * 200)),
  ).flat();
  const nodes = { ...documentOf(wall).nodes };
  const far = dialogNode('far', 9_900, 0);
  nodes.far = far;
  const size = nodeSize({ type: 'start' });
  const first = findFreePlace(nodes, size);
  expect(first).toEqual({ x: 50, y: 39 * 200 + nodeSize({ type: 'dialog' }).height + 20 });
  nodes.first = { ...far, id: 'first', type: 'start', ...first };
  expect(findFreePlace(nodes, size)).toEqual({ x: 50, y: first.y + size.height + 20 });
});

test('W3.02 the flow with a review has a loop of three rounds and two cases, and none where its tester or its end is missing', () => {
  const placed = (menu: readonly Agent[]) => {
    const { working, does } = editDocument(documentOf([]), menu);
    expect(does({ type: 'node.place', item: { kind: 'flow', templateId: featureReviewFlow.id } })).toMatchObject({ ok: true });
    expect(canvasGraphProblems(working.document)).toEqual([]);
    const name = (id: string) => working.node(id)?.name ?? (working.node(id)?.isUser ? 'You' : working.node(id)?.type);
    return Object.values(working.document.connections).map(({ from, to, run }) => [name(from.agentId), name(to.agentId), run]);
  };
  expect(placed(team)).toEqual([
    ['dialog', 'developer', undefined],
    ['developer', 'qa', undefined],
    ['qa', 'You', { label: 'accepted', test: { is: 'testsPass', value: '' } }],
    ['You', 'assistant', { label: 'approve' }],
    ['You', 'developer', { label: 'change', maxRounds: 3 }],
    ['qa', 'developer', { label: 'rework', maxRounds: 3, test: { is: 'testsFail', value: '' } }],
  ]);
  const without = (missing: string) => placed(team.filter(({ name }) => name !== missing));
  expect(without('developer')).toEqual([
    ['qa', 'You', undefined],
    ['You', 'assistant', undefined],
    ['dialog', 'qa', undefined],
  ]);
  expect(without('qa')).toEqual([
    ['dialog', 'developer', undefined],
    ['You', 'assistant', { label: 'approve' }],
    ['You', 'developer', { label: 'change', maxRounds: 3 }],
    ['developer', 'You', undefined],
  ]);
  expect(without('assistant')).toEqual([
    ['dialog', 'developer', undefined],
    ['developer', 'qa', undefined],
    ['qa', 'You', { label: 'accepted', test: { is: 'testsPass', value: '' } }],
    ['qa', 'developer', { label: 'rework', maxRounds: 3, test: { is: 'testsFail', value: '' } }],
  ]);
});
