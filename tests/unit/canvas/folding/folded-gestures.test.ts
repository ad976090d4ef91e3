import { expect, test } from 'vitest';
import type { CanvasDocument } from '../../../../contract/canvas.ts';
import { keyStep } from '../../../../src/canvas/tools/key-step.ts';
import { agentAt, CanvasDriver, documentOf, groupAt } from '../../../support/canvas/canvas-driver.ts';

/** A group of two cards, which a card left of it is linked to, and a card right of it. */
function team(): CanvasDocument {
  return documentOf(
    [groupAt('g', 0, 0, 760, 240), agentAt('a', 40, 40), agentAt('b', 440, 40), agentAt('x', -400, 0), agentAt('y', 340, 400)],
    [
      ['x', 'a'],
      ['x', 'b'],
    ],
  );
}

function folded(document = team()) {
  return new CanvasDriver(document, { x: 420, y: 100, zoom: 1 }, new Set(['g']));
}

test('D4.30 a drag of a folded group moves all that it stands for, in one step', () => {
  const canvas = folded();
  const from = canvas.on('g');
  canvas.drag(from, { x: from.x + 100, y: from.y + 40 }).release({ x: from.x + 100, y: from.y + 40 });
  expect(canvas.commands).toHaveLength(1);
  const [command] = canvas.commands;
  const moves = command?.type === 'node.move' ? command.moves : [];
  expect(Object.fromEntries(moves.map(({ id, x, y }) => [id, [x, y]]))).toEqual({ g: [100, 40], a: [140, 80], b: [540, 80] });
});

test('D4.30 a place of a hidden card is empty canvas, and a folded group has no port to draw a link from', () => {
  const canvas = folded();
  canvas.click({ x: 420 + 580, y: 100 + 100 });
  expect([...canvas.ephemeral.selectedNodes]).toEqual([]);
  canvas.press(canvas.port('g', 'out'));
  expect(canvas.tool.kind).toBe('press');
});

test('D4.30 a marquee selects a touched folded group, and none of the cards in the group', () => {
  const canvas = folded();
  canvas.view.update({ mode: 'select' });
  canvas.drag({ x: 400, y: 90 }, { x: 600, y: 160 }).release({ x: 600, y: 160 });
  expect([...canvas.ephemeral.selectedNodes]).toEqual(['g']);
});

test('D4.31 a press on the chevron folds and opens a group, also while nothing can be edited', () => {
  const document = team();
  const canvas = new CanvasDriver(document, { x: 420, y: 100, zoom: 1 });
  canvas.editable = false;
  canvas.click({ x: 420 + 8, y: 100 - 10 });
  expect([...canvas.ephemeral.folded]).toEqual(['g']);
  expect([...canvas.ephemeral.selectedNodes]).toEqual(['g']);
  const again = folded(document);
  again.click({ x: 420 + 70, y: 100 + 34 });
  expect([...again.ephemeral.folded]).toEqual([]);
  const beside = folded(document);
  beside.click({ x: 420 + 200, y: 100 + 34 });
  expect([...beside.ephemeral.folded]).toEqual(['g']);
});

test('D4.34 a click on a line that stands for several links selects all of them', () => {
  const canvas = folded();
  canvas.click({ x: 420 - 60, y: 100 + 78 });
  expect([...canvas.ephemeral.selectedLinks].sort()).toEqual(['x-a', 'x-b']);
});

test('D4.35 a link that is dropped on a folded group asks which card it goes to', () => {
  const canvas = folded();
  const at = canvas.on('g');
  canvas.drag(canvas.port('y', 'out'), at).release(at);
  expect(canvas.commands).toEqual([]);
  expect(canvas.drops).toEqual([{ from: 'y', at, into: 'g' }]);
  expect(canvas.ephemeral.linkDraft).toMatchObject({ from: 'y' });
});

test('D4.30 Delete removes a folded group with all that it stands for, and an open group without', () => {
  const document = team();
  const removed = (canvas: CanvasDriver) => {
    canvas.view.update({ selectedNodes: new Set(['g']) });
    const { command } = keyStep({ kind: 'remove' }, { ephemeral: canvas.ephemeral, document, readOnly: false, bounds: () => null });
    return command?.type === 'selection.remove' ? [...command.nodeIds].sort() : null;
  };
  expect(removed(folded(document))).toEqual(['a', 'b', 'g']);
  expect(removed(new CanvasDriver(document))).toEqual(['g']);
});
