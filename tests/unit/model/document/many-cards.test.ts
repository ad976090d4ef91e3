import { expect, test } from 'vitest';
import { type CanvasDocument, type CanvasNode, canvasNode } from '../../../../contract/canvas.ts';
import texts from '../../../../locales/en/content/nodes.json' with { type: 'json' };
import { boxOf } from '../../../../src/model/document/annotations.ts';
import { cardsOf, sharedSetting } from '../../../../src/model/document/card-settings.ts';
import { applyDocumentCommand } from '../../../../src/model/document/document-command.ts';
import type { EditCommand, SelectionCommand } from '../../../../src/model/document/edit-command.ts';
import { readCanvasText } from '../../../../src/model/document/read-canvas-text.ts';
import { applySelectionCommand } from '../../../../src/model/document/selection-commands.ts';
import { UndoStack } from '../../../../src/model/document/undo-stack.ts';
import { WorkingDocument } from '../../../../src/model/document/working-document.ts';
import { writeCanvasText } from '../../../../src/model/document/write-canvas-text.ts';
import { isOfSelection } from '../../../support/engine/edit-document.ts';
import { agentNode, agentOf, dialogNode, documentOf, link } from '../../../support/engine/samples.ts';

const agent = (id: string, x: number, y: number, more: Partial<CanvasNode> = {}) =>
  agentNode(id, agentOf(Number(id.slice(1)), id, 'Developer'), x, y, more);
const user = (id: string, more: Partial<CanvasNode> = {}): CanvasNode => ({
  ...{ id, type: 'agent', isUser: true, title: id, role: 'user', serverAgentId: id, x: 0, y: 0 },
  ...more,
});
const note = (id: string, x: number, y: number): CanvasNode => ({ id, type: 'note', title: id, x, y, width: 100, height: 50 });
const person = { step: { person: { question: 'Is it right?', inputs: [] } } };
const mixed = documentOf(
  [agent('a1', 0, 0), agent('a2', 0, 200, { disabled: true }), user('u1'), user('u2', person), dialogNode('d', -400, 0), note('n', 900, 0)],
  [link('d', 'a1'), link('a1', 'a2')],
);

function after(document: CanvasDocument, command: EditCommand | SelectionCommand) {
  const working = new WorkingDocument(document);
  const context = { agents: { byId: {}, order: [] }, texts, newId: () => 'copy' };
  const done = isOfSelection(command) ? applySelectionCommand(working, command, context) : applyDocumentCommand(working, command, context);
  if (!done.ok) throw new Error(done.error.code);
  return { ...working.document, change: done.value.change, working };
}

const places = ({ nodes }: CanvasDocument, ids: string[]) => ids.map((id) => [nodes[id]?.x, nodes[id]?.y]);

test('D4.20 one command gives a setting to all cards that can have it, and leaves the other cards unchanged', () => {
  const ids = Object.keys(mixed.nodes);
  const { nodes } = after(mixed, { type: 'nodes.set', nodeIds: [...ids, 'gone'], changes: { disabled: true, onFailure: 'goOn' } });
  expect(ids.filter((id) => nodes[id]?.disabled)).toEqual(['a1', 'a2', 'u1', 'u2']);
  expect(ids.filter((id) => nodes[id]?.step?.onFailure)).toEqual(['a1', 'a2', 'u2']);
  expect(nodes.u2?.step?.person).toEqual(person.step.person);
  expect([nodes.d, nodes.n]).toEqual([mixed.nodes.d, mixed.nodes.n]);
  const back = after(
    { nodes, connections: {} },
    { type: 'nodes.set', nodeIds: ids, changes: { disabled: undefined, onFailure: undefined } },
  );
  expect(back.nodes.a1).toEqual(mixed.nodes.a1);
  expect(back.nodes.u2).toEqual(mixed.nodes.u2);
});

test('D4.20 a setting that is not named stays, and cards that have the value already change nothing', () => {
  const set = after(mixed, { type: 'nodes.set', nodeIds: ['a2', 'd'], changes: { disabled: true } });
  expect(set.change).toBeNull();
  const failing = after(mixed, { type: 'nodes.set', nodeIds: ['a1', 'a2'], changes: { onFailure: 'goOn' } });
  expect([failing.nodes.a1?.disabled, failing.nodes.a2?.disabled]).toEqual([undefined, true]);
});

test('D4.21 values that differ are mixed, and what cannot have the setting is counted', () => {
  const cards = cardsOf(mixed.nodes, new Set(Object.keys(mixed.nodes)));
  expect(cards.map(({ id }) => id)).toEqual(['a1', 'a2', 'u1', 'u2', 'd']);
  expect(sharedSetting(cards, 'disabled')).toEqual({ cards: ['a1', 'a2', 'u1', 'u2'], others: 1, value: undefined, isMixed: true });
  expect(sharedSetting(cards, 'onFailure')).toEqual({ cards: ['a1', 'a2', 'u2'], others: 2, value: undefined, isMixed: false });
  expect(sharedSetting(cards.slice(1, 2), 'disabled')).toMatchObject({ value: true, isMixed: false, others: 0 });
});

test('D4.21 a selected group stands for the cards in it', () => {
  const group: CanvasNode = { id: 'g', type: 'group', title: 'g', x: -50, y: -50, width: 400, height: 600, forEach: { onFailure: 'stop' } };
  const document = documentOf([group, agent('a1', 0, 0), agent('a2', 0, 200), agent('a3', 2_000, 0)], []);
  expect(cardsOf(document.nodes, new Set(['g'])).map(({ id }) => id)).toEqual(['a1', 'a2']);
});

test('D4.24 the key disables all cards of the selection, and enables them where all are disabled', () => {
  const ids = ['a1', 'a2', 'd', 'n'];
  const off = after(mixed, { type: 'nodes.disable', nodeIds: ids });
  expect([off.nodes.a1?.disabled, off.nodes.a2?.disabled, off.nodes.d]).toEqual([true, true, mixed.nodes.d]);
  const on = after(off, { type: 'nodes.disable', nodeIds: ids });
  expect([on.nodes.a1?.disabled, on.nodes.a2?.disabled]).toEqual([undefined, undefined]);
});

test('D4.22 nodes are aligned to an edge or the middle of the box around them', () => {
  const document = documentOf([agent('a1', 0, 0), note('n', 500, 300), agent('a2', 100, 40)], []);
  const ids = ['a1', 'a2', 'n'];
  const to = (where: 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom') =>
    places(after(document, { type: 'nodes.align', nodeIds: ids, folded: [], to: where }), ids);
  expect(to('left')).toEqual([
    [0, 0],
    [0, 40],
    [0, 300],
  ]);
  expect(to('right')).toEqual([
    [320, 0],
    [320, 40],
    [500, 300],
  ]);
  expect(to('centre')).toEqual([
    [160, 0],
    [160, 40],
    [250, 300],
  ]);
  expect(to('top')).toEqual([
    [0, 0],
    [100, 0],
    [500, 0],
  ]);
  expect(to('bottom')).toEqual([
    [0, 194],
    [100, 194],
    [500, 300],
  ]);
  expect(to('middle')).toEqual([
    [0, 97],
    [100, 97],
    [500, 150],
  ]);
  expect(after(document, { type: 'nodes.align', nodeIds: ['a1'], folded: [], to: 'left' }).change).toBeNull();
});

test('D4.22 nodes are distributed with the same gaps, and the outer ones stay', () => {
  const document = documentOf([agent('a1', 0, 0), note('n', 320, 30), agent('a2', 1_000, 90), agent('a3', 560, 0)], []);
  const ids = ['a3', 'a2', 'n', 'a1'];
  const across = after(document, { type: 'nodes.distribute', nodeIds: ids, folded: [], along: 'horizontally' });
  const boxes = ['a1', 'n', 'a3', 'a2'].map((id) => boxOf(across.nodes[id] as CanvasNode));
  const gaps = boxes.slice(1).map((box, at) => box.x - (boxes[at]?.x ?? 0) - (boxes[at]?.width ?? 0));
  expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
  expect(places(across, ['a1', 'a2'])).toEqual([
    [0, 0],
    [1_000, 90],
  ]);
  expect(after(document, { type: 'nodes.distribute', nodeIds: ['a1', 'a2'], folded: [], along: 'vertically' }).change).toBeNull();
});

test('D4.22 a group moves with its contents, which are not moved on their own', () => {
  const group: CanvasNode = { id: 'g', type: 'group', title: 'g', x: 400, y: 400, width: 500, height: 400 };
  const document = documentOf([group, agent('a1', 450, 450), agent('a2', 0, 0)], []);
  const { nodes } = after(document, { type: 'nodes.align', nodeIds: ['g', 'a1', 'a2'], folded: [], to: 'left' });
  expect(places({ nodes, connections: {} }, ['g', 'a1', 'a2'])).toEqual([
    [0, 400],
    [50, 450],
    [0, 0],
  ]);
});

test('D4.22 a folded group counts as the card that is shown, and moves with all that it stands for', () => {
  const group: CanvasNode = { id: 'g', type: 'group', title: 'g', x: 400, y: 400, width: 1_500, height: 900 };
  const document = documentOf([group, agent('in', 1_500, 1_000), agent('a1', 0, 0), agent('a2', 900, 100)], []);
  const nodeIds = ['g', 'a1', 'a2'];
  const ids = ['g', 'in', 'a1', 'a2'];
  expect(places(after(document, { type: 'nodes.align', nodeIds, folded: ['g'], to: 'right' }), ids)).toEqual([
    [900, 400],
    [2_000, 1_000],
    [900, 0],
    [900, 100],
  ]);
  expect(places(after(document, { type: 'nodes.distribute', nodeIds, folded: ['g'], along: 'horizontally' }), ids)).toEqual([
    [450, 400],
    [1_550, 1_000],
    [0, 0],
    [900, 100],
  ]);
});

test('D4.23 a thousand cards change in one command, and one undo takes it back', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => agent(`a${at + 1}`, (at % 40) * 300, Math.floor(at / 40) * 200));
  const document = documentOf(many, []);
  const nodeIds = many.map(({ id }) => id);
  const commands: SelectionCommand[] = [
    { type: 'nodes.set', nodeIds, changes: { disabled: true } },
    { type: 'nodes.align', nodeIds, folded: [], to: 'left' },
    { type: 'nodes.distribute', nodeIds, folded: [], along: 'vertically' },
  ];
  for (const command of commands) {
    const { change, working } = after(document, command);
    const undo = new UndoStack();
    if (change) undo.push(change, false);
    working.apply(undo.undo()?.inverse ?? []);
    expect(working.document).toEqual(document);
    expect(undo.state.canUndo).toBe(false);
  }
});

test('D4.24 a disabled card stays disabled in a copy, in a text for other canvases and in a check of the contract', () => {
  const copied = after(mixed, { type: 'nodes.duplicate', nodeIds: ['a2'], dx: 20, dy: 20 });
  const [copy] = Object.values(copied.nodes).filter(({ id }) => !(id in mixed.nodes));
  expect(copy?.disabled).toBe(true);
  const read = readCanvasText(writeCanvasText(mixed, new Set(['a1', 'a2'])));
  expect(read.ok && read.value.nodes.map(({ disabled }) => disabled)).toEqual([undefined, true]);
  expect(canvasNode.parse(mixed.nodes.a2).disabled).toBe(true);
});
