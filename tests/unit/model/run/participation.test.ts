import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode, Connection } from '../../../../contract/canvas.ts';
import type { LinkSettings } from '../../../../contract/executions/run-graph.ts';
import en from '../../../../locales/en/content/nodes.json' with { type: 'json' };
import words from '../../../../locales/en/participation.json' with { type: 'json' };
import type { Command } from '../../../../src/model/commands.ts';
import { applyDocumentCommand } from '../../../../src/model/document/document-command.ts';
import type { EditCommand } from '../../../../src/model/document/edit-command.ts';
import { WorkingDocument } from '../../../../src/model/document/working-document.ts';
import { foreseenStarters } from '../../../../src/model/run/foreseen-starters.ts';
import { participationOf } from '../../../../src/model/run/participation.ts';
import { planPipeline } from '../../../../src/model/run/pipeline-plan.ts';
import { agentNode, agentOf, dialogNode, documentOf, link, team } from '../../../support/engine/samples.ts';
import { type MadeGraph, madeGraph, numberFrom, outcomeOf } from '../../../support/run-graph/random-run.ts';
import { referenceRun } from '../../../support/run-graph/reference-run.ts';

const cards = Object.fromEntries(team.slice(0, 5).map((agent, at) => [at, agentNode('abcef'[at] as string, agent, 400 + at * 300, 0)]));
const [a, b, c, e, f] = Object.values(cards) as [CanvasNode, CanvasNode, CanvasNode, CanvasNode, CanvasNode];
const d = dialogNode('d', 0, 0);
const user = (id: string, more: Partial<CanvasNode> = {}): CanvasNode => ({
  ...{ id, type: 'agent', isUser: true, title: id, role: 'user', serverAgentId: id, x: 0, y: 600 },
  ...more,
});
const withRun = (one: Connection, run: LinkSettings): Connection => ({ ...one, run });
const foresee = (document: CanvasDocument) => participationOf(document, foreseenStarters(document, {}));
const told = (document: CanvasDocument) => foresee(document).reports.map(({ kind, nodeIds, linkIds }) => [kind, nodeIds, linkIds]);

/** Presses a cure of the only report, and returns the document after it and the report then. */
function pressed(document: CanvasDocument, kind: string) {
  const command = foresee(document)
    .reports.flatMap(({ cures }) => cures)
    .find((cure) => cure.kind === kind)?.command as Command;
  const working = new WorkingDocument(document);
  const done = applyDocumentCommand(working, command as EditCommand, {
    ...{ agents: { byId: {}, order: [] }, texts: en, newId: () => 'new' },
  });
  expect(done).toMatchObject({ ok: true });
  return { codes: foresee(working.document).reports.map((report) => report.kind), ...foresee(working.document), ...working };
}

test('D1.02 a canvas that takes part as a whole has nothing grey and no report', () => {
  const { taking, of, leftOutNodes, leftOutLinks, reports } = foresee(documentOf([d, a, b], [link('d', 'a'), link('a', 'b')]));
  expect({ taking, of, leftOutNodes, leftOutLinks, reports }).toEqual({
    taking: 2,
    of: 2,
    leftOutNodes: [],
    leftOutLinks: [],
    reports: [],
  });
});

test('D1.02 a link that leads back without rounds is left out, and one press makes it a review loop', () => {
  const document = documentOf([d, a, b, c], [link('d', 'a'), link('a', 'b'), link('b', 'a'), link('b', 'c')]);
  expect(told(document)).toEqual([['linkBack', ['b', 'a'], ['conn-b-a']]]);
  expect(foresee(document)).toMatchObject({ taking: 3, of: 3, leftOutLinks: ['conn-b-a'] });
  const { codes, document: after } = pressed(document, 'makeLoop');
  expect(codes).toEqual([]);
  expect(after.connections['conn-b-a']?.run).toEqual({ maxRounds: 3, label: 'needs rework' });
  expect(after.connections['conn-b-c']?.run).toEqual({ label: 'accepted' });
});

test('D1.02 a cycle that is entered at two cards is one report, and either entry may go', () => {
  const links = [link('d', 'e'), link('e', 'a'), link('e', 'b'), link('a', 'b'), link('b', 'a')];
  const document = documentOf([d, a, b, e], links);
  expect(told(document)).toEqual([['twoEntries', ['a', 'b'], ['conn-e-a', 'conn-e-b', 'conn-b-a']]]);
  const { cures } = foresee(document).reports[0] ?? { cures: [] };
  expect(cures.map(({ kind, command }) => [kind, 'connectionIds' in command && command.connectionIds])).toEqual([
    ['removeEntry', ['conn-e-a']],
    ['removeEntry', ['conn-e-b']],
  ]);
  expect(pressed(document, 'removeEntry').codes).toEqual(['linkBack']);
});

test('D1.02 an agent without a way in is grey with what is behind it, and is linked, run first or left out by one press', () => {
  const document = documentOf([d, a, b, c, e], [link('d', 'a'), link('a', 'b'), link('c', 'e')]);
  expect(told(document)).toEqual([['noWayIn', ['c', 'e'], ['conn-c-e']]]);
  expect(foresee(document)).toMatchObject({ taking: 2, of: 4, leftOutNodes: ['c', 'e'], leftOutLinks: ['conn-c-e'] });
  expect(pressed(document, 'linkIt')).toMatchObject({ taking: 4, of: 4, codes: [] });
  const first = pressed(document, 'runFirst');
  expect(first).toMatchObject({ taking: 4, of: 4, codes: [] });
  expect(Object.keys(first.document.connections)).toEqual(expect.arrayContaining(['conn-d-c', 'conn-c-a']));
  expect(pressed(document, 'leaveOut')).toMatchObject({ taking: 2, of: 3, codes: ['noWayIn', 'disabled'] });
});

test('D1.02 a card that is left out is passed through, and takes part again by one press', () => {
  const document = documentOf([d, a, { ...b, disabled: true }, c], [link('d', 'a'), link('a', 'b'), link('b', 'c')]);
  expect(foresee(document)).toMatchObject({ taking: 2, of: 2, leftOutNodes: ['b'], leftOutLinks: [] });
  const alone = documentOf([d, a, { ...b, disabled: true }], [link('d', 'a'), link('a', 'b')]);
  expect(told(alone)).toEqual([['disabled', ['b'], ['conn-a-b']]]);
  expect(pressed(alone, 'takeIn')).toMatchObject({ taking: 2, of: 2, codes: [] });
  const planned = planPipeline(document, team, d);
  expect(planned.ok && planned.plan.steps.map(({ nodeId }) => nodeId)).toEqual(['a', 'c']);
});

test('D1.02 a person that is only shown does not take part, and asks by one press', () => {
  const links = [link('d', 'a'), link('a', 'u'), link('u', 'b'), link('u', 'a')];
  const document = documentOf([d, a, b, user('u')], links);
  expect(told(document)).toEqual([
    ['linkBack', ['u', 'a'], ['conn-u-a']],
    ['onlyShown', ['u'], []],
  ]);
  expect(foresee(document)).toMatchObject({ taking: 2, of: 3 });
  const { codes, document: after, taking } = pressed(document, 'askPerson');
  expect({ codes, taking }).toEqual({ codes: [], taking: 3 });
  expect(after.connections['conn-u-a']?.run).toEqual({ label: 'Change', maxRounds: 3 });
  expect(after.connections['conn-u-b']?.run).toEqual({ label: 'Approve' });
});

test('D1.02 a review loop that no name ends is told, and both of its ways are named by one press', () => {
  const links = [link('d', 'a'), link('a', 'b'), withRun(link('b', 'a'), { maxRounds: 3 }), link('b', 'c')];
  const document = documentOf([d, a, b, c], links);
  expect(foresee(document).reports).toMatchObject([
    { kind: 'loopAlways', isLeftOut: false, linkIds: ['conn-b-a'], params: { rounds: 3, from: b.title, to: a.title } },
  ]);
  expect(foresee(document)).toMatchObject({ leftOutNodes: [], leftOutLinks: [] });
  const { codes, document: after } = pressed(document, 'labelLoop');
  expect(codes).toEqual([]);
  expect(after.connections['conn-b-c']?.run).toEqual({ label: 'accepted' });
  const named = withRun(link('b', 'a'), { maxRounds: 3, label: 'again' });
  expect(told(documentOf([d, a, b, c], [link('d', 'a'), link('a', 'b'), named, link('b', 'c')]))).toEqual([]);
  expect(told(documentOf([d, a, b], [link('d', 'a'), link('a', 'b'), named]))).toEqual([['loopAlways', ['b', 'a'], ['conn-b-a']]]);
});

test('D1.02 a link of a dialog that holds is told, and loses its hold by one press', () => {
  const document = documentOf([d, a], [withRun(link('d', 'a'), { hold: 'always' })]);
  expect(told(document)).toEqual([['holdsNothing', ['d', 'a'], ['conn-d-a']]]);
  expect(pressed(document, 'removeHold')).toMatchObject({ codes: [], leftOutLinks: [] });
});

test('D1.02 another dialog and what only it leads to are not part of the run, until it is chosen', () => {
  const document = documentOf([d, a, dialogNode('z', 0, 900), b, f], [link('d', 'a'), link('z', 'b'), link('z', 'a'), link('f', 'b')]);
  expect(told(document)).toEqual([
    ['noWayIn', ['f'], ['conn-f-b']],
    ['otherStart', ['z', 'b'], ['conn-z-b', 'conn-z-a']],
  ]);
  expect(foresee(document).reports[1]?.cures).toEqual([{ kind: 'runThis', command: { type: 'run.foresee', dialogNodeId: 'z' } }]);
  const other = participationOf(document, foreseenStarters(document, { dialogNodeId: 'z' }));
  expect(other).toMatchObject({ dialogNodeId: 'z', taking: 2, leftOutNodes: ['d', 'f'] });
});

test('D1.02 each report and each cure has its words', () => {
  const codes = ['linkBack', 'twoEntries', 'noWayIn', 'onlyShown', 'disabled', 'nameless', 'otherStart', 'loopAlways', 'holdsNothing'];
  expect(Object.keys(words)).toEqual(expect.arrayContaining(codes));
  const { cures } = foresee(documentOf([d, a, b], [link('d', 'a')])).reports[0] ?? { cures: [] };
  expect(Object.keys(words.cure)).toEqual(expect.arrayContaining(cures.map(({ kind }) => kind)));
});

/** A drawing of a graph, with much beside it that no run has. */
function drawn({ graph, seed }: MadeGraph): CanvasDocument {
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
  for (const [at, { id, groupId, ...step }] of graph.nodes.entries())
    agent(id, at * 400, rows.get(groupId ?? '') ?? 0, Object.keys(step).length > 0 ? { step } : {});
  for (const { id, ...forEach } of graph.groups)
    nodes.push({
      id,
      type: 'group',
      title: id,
      x: -50,
      y: (rows.get(id) ?? 0) - 50,
      width: graph.nodes.length * 400,
      height: 400,
      forEach,
    });
  for (const { id, from, to, ...run } of graph.links) {
    const kind = draw(5);
    if (kind > 1) connect(id, from, to, run);
    else {
      // The way leads through a card that is only shown, or is left out.
      if (kind === 0) nodes.push(user(`u ${id}`, { y: -900 }));
      else agent(`u ${id}`, 0, -900, { disabled: true });
      connect(`${id} first`, from, `u ${id}`, run);
      // A disabled card chooses nothing.
      connect(id, `u ${id}`, to, kind === 1 ? { label: 'chosen by no card' } : {});
    }
  }
  nodes.push(dialogNode('d', -400, 0), dialogNode('z', -400, 9_000));
  const led = new Set(graph.links.flatMap(({ to, maxRounds }) => (maxRounds === undefined ? to : [])));
  for (const { id } of graph.nodes) if (!led.has(id)) connect(`d ${id}`, 'd', id);
  const any = () => graph.nodes[draw(graph.nodes.length)]?.id as string;
  agent('alone', -900, 0);
  agent('before', -900, 300);
  connect('before a step', 'before', any());
  agent('of z', -900, 600);
  connect('z of z', 'z', 'of z');
  nodes.push(user('watches', { y: -1_500 }));
  connect('a step watches', any(), 'watches');
  return documentOf(nodes, links);
}

/** The same graph with a link that leads back without rounds, behind one of its steps. */
function withCycle({ graph, blocks, seed }: MadeGraph): MadeGraph {
  const at = graph.nodes.filter(({ groupId }) => groupId === undefined);
  const source = at[numberFrom(`${seed} cycle`, at.length)]?.id;
  if (source === undefined) return { graph, blocks, seed };
  const links = [...graph.links, { id: 'c1', from: source, to: 'x' }, { id: 'c2', from: 'x', to: 'y' }];
  const more = ['x', 'y'].map((id) => ({ kind: 'step' as const, id, blocks: [] }));
  return { graph: { ...graph, nodes: [...graph.nodes, { id: 'x' }, { id: 'y' }], links }, blocks: [...blocks, ...more], seed };
}

test('D1.03 for any drawing, the cards that are shown as taking part are those that a run of it carries out or skips by a rule', () => {
  fc.assert(
    fc.property(madeGraph({ firstWins: true }), (made) => {
      const graph = withCycle(made);
      const document = drawn(graph);
      if (document.nodes.x) document.connections.c3 = { ...link('y', 'x'), id: 'c3' };
      const { runs } = referenceRun(graph, (nodeId, round, item) => outcomeOf(graph, nodeId, round, item));
      const ran = new Set([...runs.keys()].map((key) => key.split(' round ')[0] as string));
      const { leftOutNodes, leftOutLinks, taking } = foresee(document);
      const leftOut = new Set(leftOutNodes);
      const shown = Object.values(document.nodes).filter(
        ({ id, type, isUser, disabled }) => type === 'agent' && !isUser && !disabled && !leftOut.has(id),
      );
      expect(shown.map(({ id }) => id).toSorted()).toEqual([...ran].toSorted());
      expect(taking).toBe(ran.size);
      const expected = ['a step watches', 'before a step', 'z of z', ...(document.nodes.x ? ['c3'] : [])];
      expect(leftOutLinks.toSorted()).toEqual(expected.toSorted());
      const agents = Object.values(document.nodes).map(({ serverAgentId = '' }, at) => ({ ...agentOf(at, 'x', 'QA'), id: serverAgentId }));
      const planned = planPipeline(document, agents, document.nodes.d as CanvasNode, { parallelSteps: 4 });
      if (!planned.ok) throw new Error(JSON.stringify(planned.problems));
      expect(planned.plan.steps.map(({ nodeId }) => nodeId).toSorted()).toEqual([...ran].toSorted());
      const byId = (links: { id: string }[]) => links.map(({ id }) => id).toSorted();
      expect(byId(planned.plan.graph?.links ?? [])).toEqual(byId(graph.graph.links));
    }),
    { numRuns: 300 },
  );
});
