import { expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode, Connection } from '../../../../contract/canvas.ts';
import type { LinkSettings } from '../../../../contract/executions/run-graph.ts';
import en from '../../../../locales/en/content/nodes.json' with { type: 'json' };
import { buttonsOf } from '../../../../rules/run-graph/choose-links.ts';
import { compileRunGraph } from '../../../../rules/run-graph/compile-run-graph.ts';
import { applyDocumentCommand } from '../../../../src/model/document/document-command.ts';
import type { EditCommand } from '../../../../src/model/document/edit-command.ts';
import { nextHold } from '../../../../src/model/document/links/hold-links.ts';
import { applySelectionCommand } from '../../../../src/model/document/selection-commands.ts';
import { WorkingDocument } from '../../../../src/model/document/working-document.ts';
import { participationOf } from '../../../../src/model/run/participation/participation.ts';
import { planPipeline } from '../../../../src/model/run/plan/pipeline-plan.ts';
import { foreseenStarters } from '../../../../src/model/run/starters/foreseen-starters.ts';
import { agentNode, dialogNode, documentOf, link, team } from '../../../support/engine/samples.ts';

const [a, b, c] = ['a', 'b', 'c'].map((id, at) => agentNode(id, team[at] as never, 300 + at * 300, 0)) as [
  CanvasNode,
  CanvasNode,
  CanvasNode,
];
const d = dialogNode('d', 0, 0);
const withRun = (one: Connection, run: LinkSettings): Connection => ({ ...one, run });
const person = { kind: 'user', key: 'tester', title: 'Anna', hue: 'indigo' } as const;

/** Applies commands one after another; each new card is named by its number. */
function after(document: CanvasDocument, ...commands: EditCommand[]): CanvasDocument {
  const working = new WorkingDocument(document);
  let made = 0;
  const context = { agents: { byId: {}, order: [] }, texts: en, newId: () => `new${++made}` };
  for (const command of commands) expect(applyDocumentCommand(working, command, context)).toMatchObject({ ok: true });
  return working.document;
}

const reports = (document: CanvasDocument) => participationOf(document, foreseenStarters(document, {})).reports.map(({ kind }) => kind);

test('D1.04 a drawn link becomes a loop where it leads back to a card of the run, not at a dialog, and not beside a loop', () => {
  const chain = documentOf([d, a, b, c], [link('d', 'a'), link('a', 'b'), link('b', 'c')]);
  const runOf = (document: CanvasDocument, id: string) => document.connections[id]?.run;
  expect(runOf(after(chain, { type: 'link.add', from: 'c', to: 'a' }), 'conn-c-a')).toEqual({ maxRounds: 3 });
  expect(runOf(after(chain, { type: 'link.add', from: 'c', to: 'd' }), 'conn-c-d')).toBeUndefined();
  expect(runOf(after(chain, { type: 'link.add', from: 'a', to: 'c' }), 'conn-a-c')).toBeUndefined();
  const looped = after(chain, { type: 'link.add', from: 'c', to: 'b' }, { type: 'link.add', from: 'a', to: 'c' });
  expect(runOf(looped, 'conn-a-c')).toBeUndefined();
});

test('D1.06 a newly placed person asks, and its links get the names of its buttons as they are drawn', () => {
  const chain = documentOf([d, a, b], [link('d', 'a')]);
  const placed = after(chain, { type: 'node.place', item: person });
  expect(placed.nodes.new1?.step).toEqual({ person: { question: en.approval, inputs: [], buttons: ['Approve'] } });
  const linked = after(placed, { type: 'link.add', from: 'a', to: 'new1' });
  expect(reports(linked)).toEqual(['noWayIn']);
  // The link back came with the first link to the person.
  expect(Object.keys(linked.connections)).toEqual(['conn-d-a', 'conn-a-new1', 'conn-new1-a']);
  const drawn = after(linked, { type: 'link.add', from: 'new1', to: 'b' });
  expect(drawn.connections['conn-new1-b']?.run).toEqual({ label: 'Approve' });
  expect(drawn.connections['conn-new1-a']?.run).toEqual({ label: 'Change', maxRounds: 3 });
  expect(drawn.nodes.new1?.step?.person?.buttons).toBeUndefined();
  expect(reports(drawn)).toEqual([]);
});

test('D1.06 only the first link to a person that has none, from a card that works, comes with the link back', () => {
  const placed = after(documentOf([d, a, b], [link('d', 'a')]), { type: 'node.place', item: person });
  const ids = (...commands: EditCommand[]) => Object.keys(after(placed, ...commands).connections).slice(1);
  expect(ids({ type: 'link.add', from: 'd', to: 'new1' })).toEqual(['conn-d-new1']);
  expect(ids({ type: 'link.add', from: 'new1', to: 'b' }, { type: 'link.add', from: 'a', to: 'new1' })).toEqual([
    'conn-new1-b',
    'conn-a-new1',
  ]);
  const twice: EditCommand[] = [
    { type: 'link.add', from: 'a', to: 'new1' },
    { type: 'link.add', from: 'b', to: 'new1' },
  ];
  expect(ids(...twice)).toEqual(['conn-a-new1', 'conn-new1-a', 'conn-b-new1']);
});

test('D1.06 D2.02 a newly placed person that is put into a link approves along its second half and asks for a change along a link back', () => {
  const back = withRun(link('b', 'a'), { maxRounds: 2, label: 'again' });
  const placed = after(documentOf([d, a, b], [link('d', 'a'), link('a', 'b'), back]), { type: 'node.place', item: person });
  const put = (linkId: string) => {
    const working = new WorkingDocument(placed);
    const context = { texts: en, newId: () => 'new' };
    expect(applySelectionCommand(working, { type: 'node.insert', id: 'new1', linkId, x: 0, y: 900 }, context)).toMatchObject({ ok: true });
    const { connections, nodes } = working.document;
    return {
      buttons: nodes.new1?.step?.person?.buttons,
      links: Object.values(connections).map(({ from, to, run }) => [from.agentId, to.agentId, run]),
    };
  };
  expect(put('conn-a-b')).toEqual({
    buttons: undefined,
    links: [
      ['d', 'a', undefined],
      ['a', 'new1', undefined],
      ['b', 'a', back.run],
      ['new1', 'b', { label: 'Approve' }],
      ['new1', 'a', { label: 'Change', maxRounds: 3 }],
    ],
  });
  expect(put('conn-b-a')).toEqual({
    buttons: ['Approve'],
    links: [
      ['d', 'a', undefined],
      ['a', 'b', undefined],
      ['b', 'new1', { label: 'again' }],
      ['new1', 'a', { label: 'Change', maxRounds: 2 }],
    ],
  });
  expect(put('conn-d-a').links.slice(-1)).toEqual([['new1', 'a', { label: 'Approve' }]]);
});

test('D1.06 a person that is placed behind an agent is linked to it, and can send its result back', () => {
  const chain = documentOf([d, a], [link('d', 'a')]);
  const placed = after(chain, { type: 'node.place', item: person, after: 'a' });
  expect(Object.values(placed.connections).map(({ from, to, run }) => [from.agentId, to.agentId, run])).toEqual([
    ['d', 'a', undefined],
    ['a', 'new1', undefined],
    ['new1', 'a', { label: 'Change', maxRounds: 3 }],
  ]);
  expect(reports(placed)).toEqual([]);
  const planned = planPipeline(placed, team, placed.nodes.d as CanvasNode);
  if (!planned.ok || !planned.plan.graph) throw new Error(JSON.stringify(planned));
  const { steps, graph } = planned.plan;
  const compiled = compileRunGraph({ ...graph, nodes: steps.map(({ nodeId, settings }) => ({ id: nodeId, ...settings })) });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  expect(buttonsOf(compiled.compiled, 'new1')).toEqual(['Approve', 'Change']);
  const behindDialog = after(chain, { type: 'node.place', item: person, after: 'd' });
  expect(Object.keys(behindDialog.connections)).toEqual(['conn-d-a', 'conn-d-new1']);
});

test('D1.06 a loop of an agent gets its names by one press, without touching names and tests that are there', () => {
  const loop = (run: LinkSettings, onward: LinkSettings | undefined) => {
    const links = [link('a', 'b'), withRun(link('b', 'a'), run), onward ? withRun(link('b', 'c'), onward) : link('b', 'c')];
    const { connections } = after(documentOf([a, b, c], links), { type: 'link.loop', id: 'conn-b-a' });
    return [connections['conn-b-a']?.run, connections['conn-b-c']?.run];
  };
  expect(loop({}, undefined)).toEqual([{ maxRounds: 3, label: 'needs rework' }, { label: 'accepted' }]);
  expect(loop({ maxRounds: 5, label: 'no' }, undefined)).toEqual([{ maxRounds: 5, label: 'no' }, { label: 'accepted' }]);
  expect(loop({}, { label: 'yes' })).toEqual([{ maxRounds: 3, label: 'needs rework' }, { label: 'yes' }]);
  const test = { is: 'contains', value: 'x' } as const;
  expect(loop({}, { test })).toEqual([{ maxRounds: 3 }, { test }]);
});

test('D1.07 a link of a dialog offers no hold and takes none, but loses one', () => {
  const held = documentOf([d, a, b], [withRun(link('d', 'a'), { hold: 'once' }), link('a', 'b')]);
  expect(nextHold(held, ['conn-d-a'])).toBeNull();
  expect(nextHold(held, ['conn-d-a', 'conn-a-b'])).toMatchObject({ ids: ['conn-a-b'], hold: 'always' });
  const set = after(held, { type: 'links.hold', ids: ['conn-d-a', 'conn-a-b'], hold: 'always' });
  expect([set.connections['conn-d-a']?.run, set.connections['conn-a-b']?.run]).toEqual([{ hold: 'once' }, { hold: 'always' }]);
  const off = after(set, { type: 'links.hold', ids: ['conn-d-a', 'conn-a-b'], hold: undefined });
  expect([off.connections['conn-d-a']?.run, off.connections['conn-a-b']?.run]).toEqual([undefined, undefined]);
});
