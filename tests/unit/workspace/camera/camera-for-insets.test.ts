import { expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { cameraForInsets } from '../../../../src/app/workspace/camera/camera-for-insets.ts';
import { showsAnyCard } from '../../../../src/app/workspace/camera/free-view.ts';

const agent = (id: string, x: number, y: number): CanvasNode => ({ id, type: 'agent', title: id, x, y });
const documentOf = (...nodes: CanvasNode[]): CanvasDocument => ({
  nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
  connections: {},
});
const size = { width: 1_440, height: 900 };
const closed = { top: 56, right: 0, bottom: 120, left: 268 };
const open = { ...closed, bottom: 480 };
const camera = (x: number, y: number, zoom: number) => ({ x, y, zoom });

test('W2.04 where the console covers nothing in view, the view stays unchanged', () => {
  const team = documentOf(agent('a', 0, 0));
  expect(cameraForInsets({ camera: camera(400, 100, 0.7), size, insets: closed }, open, team)).toBeNull();
  expect(cameraForInsets({ camera: camera(400, 600, 0.7), size, insets: open }, closed, team)).toBeNull();
  expect(cameraForInsets({ camera: camera(400, 600, 1), size, insets: closed }, open, documentOf())).toBeNull();
});

test('W2.04 a team that was in view as a whole is fitted above the console, and is never enlarged', () => {
  const team = documentOf(agent('top', 0, 0), agent('bottom', 0, 500));
  const room = cameraForInsets({ camera: camera(400, 80, 1), size, insets: closed }, open, team);
  expect(room?.zoom).toBeLessThan(1);
  expect(room?.y).toBeGreaterThanOrEqual(56);
  expect(656 * (room?.zoom ?? 1) + (room?.y ?? 0)).toBeLessThanOrEqual(900 - 480);
  const low = cameraForInsets({ camera: camera(400, 600, 0.4), size, insets: closed }, open, documentOf(agent('a', 0, 0)));
  expect(low?.zoom).toBe(0.4);
});

test('W2.04 a console that opens in a run leaves a team that would be too small at 30 %, around the card that works', () => {
  const nodes = Array.from({ length: 12 }, (_, i) => agent(`n${i}`, 0, i * 236));
  const team = documentOf(...nodes);
  const bounds = 11 * 236 + 156;
  const whole = camera(600, 60, (900 - 56 - 120 - 10) / bounds);
  const seen = (near: CanvasNode | undefined) => {
    const room = cameraForInsets({ camera: whole, size, insets: closed }, { ...open, bottom: 600 }, team, near) ?? whole;
    return {
      zoom: room.zoom,
      ids: nodes.filter(({ y }) => y * room.zoom + room.y >= 56 && (y + 156) * room.zoom + room.y <= 300).map(({ id }) => id),
    };
  };
  const working = seen(nodes[9]);
  expect(working.zoom).toBe(whole.zoom < 0.3 ? whole.zoom : 0.3);
  expect(working.ids).toContain('n9');
  expect(seen(undefined).ids).toContain('n0');
  expect(seen(undefined).ids).not.toContain('n9');
});

test('W2.04 a zoomed-in view keeps its zoom and its middle', () => {
  const team = documentOf(agent('near', 0, 0), agent('far', 6_000, 0));
  expect(cameraForInsets({ camera: camera(500, 500, 1.3), size, insets: closed }, open, team)).toEqual(camera(500, 320, 1.3));
});

test('W2.04 a view that shows no card is detected', () => {
  const { nodes } = documentOf(agent('a', 0, 0));
  expect(showsAnyCard({ camera: camera(400, 200, 1), size, insets: closed }, nodes)).toBe(true);
  expect(showsAnyCard({ camera: camera(-4_000, 0, 1), size, insets: closed }, nodes)).toBe(false);
  expect(showsAnyCard({ camera: camera(1_400, 200, 1), size, insets: closed }, nodes)).toBe(false);
  expect(showsAnyCard({ camera: camera(400, 800, 1), size, insets: closed }, nodes)).toBe(false);
  expect(showsAnyCard({ camera: camera(-2_000, -1_000, 20), size, insets: closed }, nodes)).toBe(true);
  expect(showsAnyCard({ camera: camera(-4_000, 0, 1), size, insets: closed }, {})).toBe(true);
});
