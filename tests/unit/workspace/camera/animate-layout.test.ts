import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { animateLayout } from '../../../../src/app/workspace/camera/animate-layout.ts';
import { CanvasView } from '../../../../src/canvas/canvas-view.ts';
import { DocumentIndex } from '../../../../src/canvas/geometry/document-index.ts';
import { documentInTween } from '../../../../src/canvas/geometry/layout-tween.ts';
import { touchedAll, touchedNothing } from '../../../../src/canvas/geometry/touched.ts';
import type { WorkspaceStore } from '../../../../src/model/workspace-store.ts';
import { agentAt, documentOf } from '../../../support/canvas/canvas-driver.ts';

let frames: ((now: number) => void)[] = [];
const runFrames = (now: number) => {
  for (const frame of frames.splice(0)) frame(now);
};
let wantsStill = false;

beforeEach(() => {
  frames = [];
  wantsStill = false;
  vi.stubGlobal('requestAnimationFrame', (frame: (now: number) => void) => frames.push(frame));
  vi.stubGlobal('matchMedia', () => ({ matches: wantsStill }));
  vi.spyOn(performance, 'now').mockReturnValue(0);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function canvas(nodes: CanvasNode[] = [agentAt('a', 0, 0), agentAt('b', 900, 80), agentAt('c', 40, 500)]) {
  let document = documentOf(nodes, [
    ['a', 'b'],
    ['b', 'c'],
  ]);
  const listeners = new Set<Parameters<WorkspaceStore['subscribe']>[0]>();
  const store = {
    getState: () => ({ document }),
    subscribe: (listener: Parameters<WorkspaceStore['subscribe']>[0]) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as WorkspaceStore;
  const put = (...moved: CanvasNode[]) => {
    const earlier = { nodes: new Map(moved.map(({ id }) => [id, document.nodes[id]])), connections: new Map() };
    document = { ...document, nodes: { ...document.nodes, ...Object.fromEntries(moved.map((node) => [node.id, node])) } };
    for (const listener of [...listeners]) listener(store.getState(), [], earlier);
  };
  return { store, put, listeners, now: () => document };
}

test('W2.05 cards that are laid out move to their places, ever slower, and the document has them there at once', async () => {
  const { store, put, listeners, now } = canvas();
  const view = new CanvasView();
  const index = new DocumentIndex();
  index.update(now(), touchedAll);
  await animateLayout(store, view, async () => put(agentAt('b', 400, 0)));
  expect(listeners.size).toBe(0);
  const shown = () => {
    const { layoutTween } = view.ephemeral;
    index.update(layoutTween ? documentInTween(now(), layoutTween) : now(), { ...touchedNothing, nodes: new Set(['b']) });
    return index.nodes.get('b');
  };
  expect(shown()).toMatchObject({ x: 900, y: 80 });
  runFrames(100);
  const third = shown();
  expect(third?.x).toBeCloseTo(400 + 500 * (2 / 3) ** 3);
  expect(third?.y).toBeCloseTo(80 * (2 / 3) ** 3);
  // Links follow the moving card, and a card that does not move is not changed.
  const slot = index.links.slotOf('a-b') ?? -1;
  expect(index.links.box(slot).right).toBeGreaterThan(500);
  expect(index.nodes.get('c')).toBe(now().nodes.c);
  expect(now().nodes.b).toMatchObject({ x: 400, y: 0 });
  runFrames(299);
  expect(shown()?.x).toBeCloseTo(400, 0);
  runFrames(300);
  expect(view.ephemeral.layoutTween).toBeNull();
  expect(shown()).toBe(now().nodes.b);
  expect(frames).toEqual([]);
});

test('W2.05 a drag ends the tween, a card that is removed meanwhile is left out, and a later tween replaces it', async () => {
  const { store, put, now } = canvas();
  const view = new CanvasView();
  await animateLayout(store, view, async () => put(agentAt('b', 400, 0)));
  const first = view.ephemeral.layoutTween;
  const without = { ...now(), nodes: { a: agentAt('a', 0, 0) } };
  expect(first && documentInTween(without, first).nodes.b).toBeUndefined();
  await animateLayout(store, view, async () => put(agentAt('c', 900, 0)));
  runFrames(100);
  expect([...(view.ephemeral.layoutTween?.offsets.keys() ?? [])]).toEqual(['c']);
  expect(frames).toHaveLength(1);
  view.update({ drag: { nodeIds: new Set(['c']), dx: 1, dy: 1 } });
  runFrames(150);
  expect(view.ephemeral.layoutTween).toBeNull();
});

test('W2.05 cards that another client moves just before a layout are animated from where they were then', async () => {
  const { store, put } = canvas();
  const view = new CanvasView();
  await animateLayout(store, view, async () => {
    put(agentAt('c', 60, 500));
    put(agentAt('b', 400, 0), agentAt('c', 60, 300));
  });
  expect(Object.fromEntries(view.ephemeral.layoutTween?.offsets ?? [])).toEqual({ b: { x: 500, y: 80 }, c: { x: 0, y: 200 } });
});

test('W2.05 nothing is animated where motion is not wanted, on a large canvas, or once the layout is over or has failed', async () => {
  const many = Array.from({ length: 501 }, (_, i) => agentAt(`n${i}`, i * 300, 0));
  const moveIn = async ({ store, put }: ReturnType<typeof canvas>) => {
    const view = new CanvasView();
    await animateLayout(store, view, async () => put(agentAt('b', 400, 0), agentAt('n5', 0, 900)));
    return view.ephemeral.layoutTween;
  };
  expect(await moveIn(canvas())).not.toBeNull();
  expect(await moveIn(canvas(many))).toBeNull();
  wantsStill = true;
  expect(await moveIn(canvas())).toBeNull();
  wantsStill = false;
  for (const layout of [() => Promise.resolve(), () => Promise.reject(new Error('lost'))]) {
    const { store, put } = canvas();
    const view = new CanvasView();
    await animateLayout(store, view, layout).catch(() => {});
    put(agentAt('b', 400, 0));
    expect(view.ephemeral.layoutTween).toBeNull();
  }
});
