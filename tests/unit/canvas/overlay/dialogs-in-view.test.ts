import { expect, test } from 'vitest';
import { dialogsInView } from '../../../../src/canvas/overlay/dialog/dialogs-in-view.ts';
import { documentOf } from '../../../support/canvas/canvas-driver.ts';

const dialog = (id: string, x: number, y: number) => ({ id, type: 'dialog' as const, title: id, x, y });
const document = documentOf([dialog('near', 100, 100), dialog('far', 5_000, 100)]);
const ephemeral = { camera: { x: 0, y: 0, zoom: 1 }, size: { width: 1_000, height: 800 }, drag: null };

test('W2.12 only dialogs in view have a form', () => {
  expect(dialogsInView(['near', 'far'], document, ephemeral)).toEqual(['near']);
  expect(dialogsInView(['near', 'far'], document, { ...ephemeral, camera: { x: -4_500, y: 0, zoom: 1 } })).toEqual(['far']);
});

test('W2.12 a dialog has a form at a zoom of 60 % and none below it', () => {
  expect(dialogsInView(['near'], document, { ...ephemeral, camera: { x: 0, y: 0, zoom: 0.6 } })).toEqual(['near']);
  expect(dialogsInView(['near'], document, { ...ephemeral, camera: { x: 0, y: 0, zoom: 0.59 } })).toEqual([]);
});

test('W4.12 a dialog dragged into view has its form at once', () => {
  const drag = { nodeIds: new Set(['far']), dx: -4_500, dy: 0 };
  expect(dialogsInView(['near', 'far'], document, { ...ephemeral, drag })).toEqual(['near', 'far']);
});
