import { expect, test } from 'vitest';
import { CanvasView } from '../../../../src/canvas/canvas-view.ts';
import { followDrawn } from '../../../../src/canvas/overlay/follow-drawn.ts';

test('D4.09 what lies on a card moves in the frame that draws the card, and no earlier', () => {
  const view = new CanvasView();
  const places: number[] = [];
  const stop = followDrawn(view, ['camera'], ({ camera }) => places.push(camera.x));
  expect(places).toEqual([0]);
  view.update({ camera: { x: 10, y: 0, zoom: 1 } });
  view.update({ camera: { x: 20, y: 0, zoom: 1 } });
  expect(places).toEqual([0]);
  view.drawn.notify();
  expect(places).toEqual([0, 20]);
  view.drawn.notify();
  view.update({ snaps: true });
  view.drawn.notify();
  expect(places).toEqual([0, 20]);
  stop();
  view.update({ camera: { x: 30, y: 0, zoom: 1 } });
  view.drawn.notify();
  expect(places).toEqual([0, 20]);
});
