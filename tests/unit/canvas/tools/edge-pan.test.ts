import { expect, test } from 'vitest';
import { edgePan } from '../../../../src/canvas/tools/edge-pan.ts';
import { idle, type Tool } from '../../../../src/canvas/tools/tool.ts';

const ephemeral = { size: { width: 1_000, height: 800 }, insets: { top: 56, right: 0, bottom: 120, left: 268 } };
const link: Tool = { kind: 'link', pointerId: 1, device: 'mouse', at: { x: 0, y: 0 }, from: 'a' };
const speedAt = (x: number, y: number, tool: Tool = link) => edgePan(tool, { x, y }, ephemeral);

test('W2.06 a drag near the edge pans the view, the faster the nearer', () => {
  expect(speedAt(600, 400)).toEqual({ x: 0, y: 0 });
  expect(speedAt(1_000, 400).x).toBe(-900);
  expect(speedAt(1_400, 400).x).toBe(-900);
  const near = speedAt(986, 400).x;
  expect(near).toBeLessThan(0);
  expect(near).toBeGreaterThan(-900);
  expect(speedAt(600, 0)).toEqual({ x: 0, y: 900 });
  expect(speedAt(600, 800)).toEqual({ x: 0, y: -900 });
});

test('W2.06 a drag pans the view near a side panel as it does near the edge', () => {
  expect(speedAt(268, 400).x).toBe(900);
  expect(speedAt(300, 400).x).toBe(0);
});

test('W2.06 without a drag, or with a drag of the view itself, the edge pans nothing', () => {
  expect(speedAt(1_000, 400, idle)).toEqual({ x: 0, y: 0 });
  expect(speedAt(1_000, 400, { kind: 'pan', pointerId: 1, device: 'mouse', at: { x: 0, y: 0 } })).toEqual({ x: 0, y: 0 });
});
