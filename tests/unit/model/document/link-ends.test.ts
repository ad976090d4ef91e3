import { expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode, Connection } from '../../../../contract/canvas.ts';
import type { LinkSettings } from '../../../../contract/executions/run-graph.ts';
import en from '../../../../locales/en/content/nodes.json' with { type: 'json' };
import { applyDocumentCommand } from '../../../../src/model/document/document-command.ts';
import type { EditCommand, SelectionCommand } from '../../../../src/model/document/edit-command.ts';
import { applySelectionCommand } from '../../../../src/model/document/selection-commands.ts';
import { WorkingDocument } from '../../../../src/model/document/working-document.ts';
import { isOfSelection } from '../../../support/engine/edit-document.ts';
import { agentNode, documentOf, link, team } from '../../../support/engine/samples.ts';

const [a, b, c] = ['a', 'b', 'c'].map((id, at) => agentNode(id, team[at] as never, at * 300, 0)) as [CanvasNode, CanvasNode, CanvasNode];
const withRun = (one: Connection, run: LinkSettings): Connection => ({ ...one, run });

function apply(document: CanvasDocument, command: EditCommand | SelectionCommand) {
  const working = new WorkingDocument(document);
  const context = { agents: { byId: {}, order: [] }, texts: en, newId: () => 'new' };
  const outcome = isOfSelection(command)
    ? applySelectionCommand(working, command, context)
    : applyDocumentCommand(working, command, context);
  const ends = Object.values(working.document.connections).map(({ id, from, to, run }) => [id, from.agentId, to.agentId, run]);
  return { outcome, ends, node: (id: string) => working.node(id) };
}

test('D2.02 a card that is put into a link splits it: names and tests stay with the first half, rounds go to the second', () => {
  const named = documentOf([a, b, c], [withRun(link('a', 'b'), { label: 'Yes' })]);
  const [id] = Object.keys(named.connections);
  const inserted = apply(named, { type: 'node.insert', id: 'c', linkId: id ?? '', x: 40, y: 50 });
  expect(inserted.ends).toEqual([
    [id, 'a', 'c', { label: 'Yes' }],
    ['conn-c-b', 'c', 'b', undefined],
  ]);
  // D2.08: it keeps clear of the card before.
  expect(inserted.node('c')).toMatchObject({ x: 350, y: 50 });

  const back = withRun(link('b', 'a'), { label: 'Change', maxRounds: 3, atLimit: 'fail' });
  const looped = apply(documentOf([a, b, c], [link('a', 'b'), back]), { type: 'node.insert', id: 'c', linkId: back.id, x: 0, y: 0 });
  expect(looped.ends.slice(1)).toEqual([
    [back.id, 'b', 'c', { label: 'Change' }],
    ['conn-c-a', 'c', 'a', { maxRounds: 3, atLimit: 'fail' }],
  ]);
});

test('D2.02 a card is put into no link that would then be there twice, or outside of the canvas', () => {
  const document = documentOf([a, b, c], [link('a', 'b'), link('a', 'c')]);
  const [id = ''] = Object.keys(document.connections);
  const code = (command: EditCommand | SelectionCommand) => {
    const { outcome, ends } = apply(document, command);
    expect(ends).toHaveLength(2);
    return outcome.ok || outcome.error.code;
  };
  expect(code({ type: 'node.insert', id: 'c', linkId: id, x: 0, y: 0 })).toBe('link.duplicate');
  expect(code({ type: 'node.insert', id: 'c', linkId: 'none', x: 0, y: 0 })).toBe('link.unknown');
  expect(code({ type: 'node.insert', id: 'none', linkId: id, x: 0, y: 0 })).toBe('node.unknown');
  expect(code({ type: 'node.insert', id: 'c', linkId: id, x: Number.NaN, y: 0 })).toBe('drop.notFinite');
});

test('D2.03 an end at another card keeps the settings of the link; rounds come and go with its way back', () => {
  const document = documentOf([a, b, c], [link('a', 'b'), withRun(link('b', 'c'), { hold: 'always' })]);
  const [, id = ''] = Object.keys(document.connections);
  const back = apply(document, { type: 'link.end', id, end: 'to', nodeId: 'a' });
  expect(back.ends[1]).toEqual([id, 'b', 'a', { hold: 'always', maxRounds: 3 }]);
  expect(back.outcome).toMatchObject({ ok: true, value: { result: { loopIds: [id] } } });

  const looped = documentOf([a, b, c], [link('a', 'b'), withRun(link('b', 'a'), { label: 'Change', maxRounds: 5, atLimit: 'fail' })]);
  const [, loop = ''] = Object.keys(looped.connections);
  expect(apply(looped, { type: 'link.end', id: loop, end: 'to', nodeId: 'c' }).ends[1]).toEqual([loop, 'b', 'c', { label: 'Change' }]);

  const refused = apply(document, { type: 'link.end', id, end: 'from', nodeId: 'c' });
  expect(refused.outcome).toMatchObject({ ok: false, error: { code: 'link.self' } });
  expect(apply(document, { type: 'link.end', id, end: 'to', nodeId: 'c' }).ends[1]).toEqual([id, 'b', 'c', { hold: 'always' }]);
});

test('D2.07 the settings of a loop can name the link that leads on in the same step', () => {
  const loop = withRun(link('b', 'a'), { maxRounds: 3 });
  const document = documentOf([a, b, c], [link('a', 'b'), loop, link('b', 'c')]);
  const named = apply(document, { type: 'link.update', id: loop.id, changes: { label: 'again' }, wayOn: 'good' });
  expect(named.ends.slice(1)).toEqual([
    [loop.id, 'b', 'a', { maxRounds: 3, label: 'again' }],
    ['conn-b-c', 'b', 'c', { label: 'good' }],
  ]);
  const tested = withRun(link('b', 'c'), { test: { is: 'testsPass', value: '' } });
  const beside = documentOf([a, b, c], [link('a', 'b'), loop, tested]);
  const kept = apply(beside, { type: 'link.update', id: loop.id, changes: { label: 'again' }, wayOn: 'good' });
  expect(kept.ends[2]).toEqual([tested.id, 'b', 'c', tested.run]);
});

test('D2.08 a card in a short link covers no port: what lies behind makes room, in one step', () => {
  const [first, second, third, card] = ['a', 'b', 'c', 'x'].map((id, at) => agentNode(id, team[at] as never, at * 350, 0));
  if (!first || !second || !third || !card) throw new Error('No cards');
  const below = { ...agentNode('y', team[5] as never, 1_100, 10), y: 300 };
  const document = documentOf([first, second, third, { ...card, y: 900 }, below], [link('a', 'b'), link('b', 'c')]);
  const working = new WorkingDocument(document);
  const command = { type: 'node.insert' as const, id: 'x', linkId: 'conn-a-b', x: 175, y: 20 };
  const done = applySelectionCommand(working, command, { texts: en, newId: () => 'new' });
  const places = Object.values(working.document.nodes).map(({ id, x, y }) => [id, x, y]);
  expect(places).toEqual([
    ['a', 0, 0],
    ['b', 700, 0],
    ['c', 1_050, 0],
    ['x', 350, 20],
    ['y', 1_100, 300],
  ]);
  if (done.ok && done.value.change) working.apply(done.value.change.inverse);
  expect(working.document).toEqual(document);
  // Above a long link nothing is covered, and nothing moves.
  const aside = apply(document, { ...command, y: 500 });
  expect(aside.node('b')).toEqual(second);
  expect(aside.node('x')).toMatchObject({ x: 175, y: 500 });
});
