import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { isPointInView } from '../../../../src/app/workspace/camera/free-view.ts';
import {
  fitAll,
  legibleCamera,
  openingCamera,
  revealingCamera,
  revealNode,
  revealNodes,
  zoomStep,
  zoomToActualSize,
} from '../../../../src/app/workspace/camera/move-camera.ts';
import { cameraTarget, moveCamera } from '../../../../src/canvas/camera-movement.ts';
import { CanvasView } from '../../../../src/canvas/canvas-view.ts';
import { nodeBox } from '../../../../src/canvas/geometry/document-bounds.ts';

let frames: ((now: number) => void)[] = [];
const runFrames = (now: number) => {
  const due = frames;
  frames = [];
  for (const frame of due) frame(now);
};
const agent = (id: string, x: number, y: number): CanvasNode => ({ id, type: 'agent', title: id, x, y });
const aView = (options?: { still: boolean }) => {
  const view = new CanvasView(options);
  view.update({ size: { width: 1_000, height: 800 }, insets: { top: 50, right: 0, bottom: 100, left: 200 } });
  return view;
};

beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (frame: (now: number) => void) => frames.push(frame));
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.spyOn(performance, 'now').mockReturnValue(0);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('W2.05 the later of two camera animations arrives', () => {
  const view = aView();
  moveCamera(view, { x: 100, y: 0, zoom: 1 });
  moveCamera(view, { x: -300, y: 40, zoom: 0.5 });
  runFrames(100);
  runFrames(250);
  expect(view.ephemeral.camera).toEqual({ x: -300, y: 40, zoom: 0.5 });
});

test('W2.06 a camera move by the user ends the animation', () => {
  const view = aView();
  moveCamera(view, { x: 100, y: 0, zoom: 1 });
  runFrames(100);
  view.update({ camera: { x: 7, y: 7, zoom: 1 } });
  runFrames(250);
  expect(view.ephemeral.camera).toEqual({ x: 7, y: 7, zoom: 1 });
});

test('W2.04 a card under a panel is brought clear of it, and one in the open leaves the camera alone', () => {
  const view = aView({ still: true });
  revealNode(view, agent('open', 400, 200));
  expect(view.ephemeral.camera).toEqual({ x: 0, y: 0, zoom: 1 });
  revealNode(view, agent('hidden', 0, 0));
  const { x, y, zoom } = view.ephemeral.camera;
  expect(zoom).toBe(1);
  expect(x).toBeGreaterThanOrEqual(200);
  expect(y).toBeGreaterThanOrEqual(50);
});

test('W2.04 a card under the tools or the map moves out by the shorter way that stays clear of the other panels', () => {
  const place = { camera: { x: 0, y: 0, zoom: 1 }, size: { width: 1_000, height: 800 } };
  const insets = { top: 50, right: 0, bottom: 100, left: 200, corner: { width: 228, height: 180 } };
  const shown = (node: CanvasNode) => revealingCamera({ ...place, insets }, nodeBox(node));
  expect(shown(agent('beside', 460, 500))).toBe(place.camera);
  expect(shown(agent('above', 600, 420))).toBe(place.camera);
  expect(shown(agent('low', 600, 480))).toEqual({ x: 0, y: 800 - 180 - 32 - (480 + 156), zoom: 1 });
  expect(shown(agent('grazed', 470, 500))).toEqual({ x: 1_000 - 228 - 32 - (470 + 280), y: 0, zoom: 1 });
});

test('W2.04 a phone opens on the first card where the whole team would be too small to read', () => {
  const view = new CanvasView();
  view.update({ size: { width: 390, height: 844 }, insets: { top: 64, right: 0, bottom: 192, left: 0 } });
  const document = { nodes: { first: agent('first', 0, 0), last: agent('last', 3_000, 900) }, connections: {} };
  expect(openingCamera(view, document)?.zoom).toBe(1);
  expect(openingCamera(view, { nodes: {}, connections: {} })).toBeNull();
});

test('W3.02 cards placed together are all brought into view; a phone on which they would be too small shows the first', () => {
  const view = aView({ still: true });
  const flow = [agent('first', 1_200, 100), agent('second', 1_600, 100), agent('third', 2_400, 100)];
  revealNodes(view, flow, false);
  const { x, zoom } = view.ephemeral.camera;
  expect(1_200 * zoom + x).toBeGreaterThanOrEqual(200);
  expect((2_400 + 280) * zoom + x).toBeLessThanOrEqual(1_000);
  const phone = new CanvasView({ still: true });
  phone.update({ size: { width: 390, height: 844 }, insets: { top: 64, right: 0, bottom: 192, left: 0 } });
  revealNodes(phone, flow, true);
  expect(phone.ephemeral.camera.zoom).toBe(1);
  expect(1_200 + phone.ephemeral.camera.x).toBeGreaterThanOrEqual(0);
  expect(1_200 + 280 + phone.ephemeral.camera.x).toBeLessThanOrEqual(390);
  revealNodes(view, [], false);
  expect(view.ephemeral.camera.zoom).toBe(zoom);
});

test('P2.19 the demonstration opens on as many first cards as fit at the size of their text', () => {
  const ephemeral = { size: { width: 1_000, height: 800 }, insets: { top: 50, right: 0, bottom: 100, left: 200 } };
  const nodes = { first: agent('first', 0, 0), second: agent('second', 350, 0), third: agent('third', 700, 0) };
  const shown = (document: CanvasDocument) => legibleCamera(ephemeral, document);
  expect(shown({ nodes, connections: {} })).toEqual({ x: 600 - 315, y: 62, zoom: 1 });
  expect(shown({ nodes: { first: agent('first', 40, 20) }, connections: {} })).toEqual({ x: 600 - 180, y: 42, zoom: 1 });
  expect(shown({ nodes: {}, connections: {} })).toBeNull();
});

test('W2.05 the whole team is shown with the links that go round beyond its cards', () => {
  const view = aView({ still: true });
  const document: CanvasDocument = {
    nodes: { first: agent('first', 600, 0), second: agent('second', 600, 400) },
    connections: { back: { id: 'back', from: { agentId: 'first', port: 'out' }, to: { agentId: 'second', port: 'in' } } },
  };
  view.update({ size: { width: 560, height: 2_000 } });
  fitAll(view, document);
  const { x, zoom } = view.ephemeral.camera;
  expect((600 - 40) * zoom + x).toBeGreaterThanOrEqual(200);
  expect((600 + 280 + 40) * zoom + x).toBeLessThanOrEqual(560);
});

test('W2.04 a moving camera counts as its target, until the user moves it', () => {
  const view = aView();
  const target = { x: 100, y: 0, zoom: 1 };
  moveCamera(view, target);
  runFrames(100);
  expect(cameraTarget(view)).toBe(target);
  view.update({ camera: { x: 7, y: 7, zoom: 1 } });
  expect(cameraTarget(view)).toEqual({ x: 7, y: 7, zoom: 1 });
});

test('W9.01 presses of the zoom buttons add up while the camera still moves, and a card that is shown next takes none back', () => {
  const view = aView();
  const arrive = () => {
    for (let frame = 0; frames.length > 0 && frame < 5; frame += 1) runFrames(1_000);
  };
  zoomStep(view, 1);
  runFrames(20);
  zoomStep(view, 1);
  runFrames(20);
  revealNode(view, agent('far', 3_000, 0));
  arrive();
  expect(view.ephemeral.camera.zoom).toBe(1.4);
  zoomStep(view, -1);
  runFrames(1);
  zoomToActualSize(view);
  arrive();
  expect(view.ephemeral.camera.zoom).toBe(1);
});

test('W2.04 a team of up to 20 cards is opened at 30 % at least, around the card that works; a tablet and a larger team show all of it', () => {
  const view = new CanvasView();
  view.update({ size: { width: 1_280, height: 720 }, insets: { top: 56, right: 0, bottom: 404, left: 268 } });
  const row = (count: number) => Array.from({ length: count }, (_, at) => agent(`a${at}`, (at % 5) * 350, Math.floor(at / 5) * 280));
  const documentOfCards = (count: number) => ({
    nodes: Object.fromEntries(row(count).map((card) => [card.id, card])),
    connections: {},
  });
  const team = documentOfCards(20);
  const atWork = team.nodes.a18 as CanvasNode;
  const camera = openingCamera(view, team, atWork);
  expect(camera?.zoom).toBe(0.3);
  const box = nodeBox(atWork);
  for (const [x, y] of [
    [box.left, box.top],
    [box.right, box.bottom],
  ] as const)
    expect(isPointInView({ ...view.ephemeral, camera: camera as NonNullable<typeof camera> }, { x, y })).toBe(true);
  expect(openingCamera(view, documentOfCards(21))?.zoom).toBeLessThan(0.3);
  view.update({ size: { width: 820, height: 1_180 }, insets: { top: 64, right: 0, bottom: 134, left: 0 } });
  const fitted = openingCamera(view, team);
  expect(fitted?.zoom).toBeGreaterThan(0.3);
  expect(fitted?.zoom).toBeLessThan(0.6);
});
