import { expect, test } from 'vitest';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { cameraForWindow } from '../../../../src/app/workspace/camera/camera-for-window.ts';
import { asFitted, fittedTo } from '../../../../src/canvas/fitted-cameras.ts';

const nodes: Record<string, CanvasNode> = { a: { id: 'a', type: 'agent', title: 'a', x: 0, y: 0 } };
const laptop = { size: { width: 1_440, height: 900 }, insets: { top: 56, right: 0, bottom: 120, left: 268 } };
const phone = { size: { width: 640, height: 360 }, insets: { top: 64, right: 0, bottom: 70, left: 0 } };
const opening = { x: 10, y: 20, zoom: 0.5 };
const whole = { x: 5, y: 6, zoom: 0.1 };

test('W2.04 a camera that stands as it was fitted is fitted again in another window, as in a newly opened project', () => {
  const fitted = asFitted({ x: 700, y: 300, zoom: 0.8 });
  const turned = cameraForWindow({ ...laptop, camera: fitted }, phone, { nodes, opening, whole });
  expect(turned).toEqual(opening);
  expect(fittedTo(turned)).toBe('opening');
  // The same place, to which a person has panned.
  expect(cameraForWindow({ ...laptop, camera: { ...fitted } }, phone, { nodes, opening, whole })).not.toEqual(opening);
});

test('W2.04 a camera that a person has fitted to all cards shows all of them in each other window', () => {
  const asked = asFitted({ x: 700, y: 300, zoom: 0.2 }, 'all');
  const turned = cameraForWindow({ ...laptop, camera: asked }, phone, { nodes, opening, whole: { ...whole } });
  expect(turned).toEqual(whole);
  expect(fittedTo(turned)).toBe('all');
});

test('W2.04 a camera that a person has moved keeps its zoom and the middle of what is seen, back and forth', () => {
  const camera = { x: 700, y: 300, zoom: 0.8 };
  const narrow = cameraForWindow({ ...laptop, camera }, phone, { nodes, opening, whole });
  // The middle is 854, 418 in the large window and 320, 177 in the small one.
  expect(narrow).toEqual({ x: 700 - 534, y: 300 - 241, zoom: 0.8 });
  expect(fittedTo(narrow)).toBe(null);
  expect(cameraForWindow({ ...phone, camera: narrow }, laptop, { nodes, opening, whole })).toEqual(camera);
});

test('W2.04 where a smaller window would lose all cards, it shows them as a newly opened one; a view without a card stays so', () => {
  const atTheEdge = { x: 1_200, y: 300, zoom: 0.8 };
  expect(cameraForWindow({ ...laptop, camera: atTheEdge }, phone, { nodes, opening, whole })).toEqual(opening);
  const away = { x: 4_000, y: 300, zoom: 0.8 };
  expect(cameraForWindow({ ...laptop, camera: away }, phone, { nodes, opening, whole })).toEqual({ x: 3_466, y: 59, zoom: 0.8 });
  expect(cameraForWindow({ ...laptop, camera: asFitted({ ...away }) }, phone, { nodes: {}, opening: null, whole: null }).zoom).toBe(0.8);
});
