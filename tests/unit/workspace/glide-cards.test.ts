import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { glideOnChange } from '../../../src/app/workspace/glide-cards.ts';
import { CanvasView } from '../../../src/canvas/canvas-view.ts';
import { DocumentIndex } from '../../../src/canvas/geometry/document-index.ts';
import { onTheWay } from '../../../src/canvas/geometry/glide.ts';
import { touchedAll, touchedNothing } from '../../../src/canvas/geometry/touched.ts';
import type { WorkspaceStore } from '../../../src/model/workspace-store.ts';
import { agentAt, documentOf } from '../../support/canvas-hand.ts';

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
  const listeners = new Set<(state: unknown) => void>();
  const store = {
    getState: () => ({ document }),
    subscribe: (listener: (state: unknown) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as WorkspaceStore;
  const put = (...moved: CanvasNode[]) => {
    document = { ...document, nodes: { ...document.nodes, ...Object.fromEntries(moved.map((node) => [node.id, node])) } };
    for (const listener of [...listeners]) listener({ document });
  };
  return { store, put, listeners, now: () => document };
}

test('W2.05 cards that are laid out glide to their places, ever slower, and the document has them there at once', () => {
  const { store, put, listeners, now } = canvas();
  const view = new CanvasView();
  const index = new DocumentIndex();
  index.update(now(), touchedAll);
  glideOnChange(store, view);
  put(agentAt('b', 400, 0));
  expect(listeners.size).toBe(0);
  const shown = () => {
    const { glide } = view.moment;
    index.update(glide ? onTheWay(now(), glide) : now(), { ...touchedNothing, nodes: new Set(['b']) });
    return index.nodes.get('b');
  };
  expect(shown()).toMatchObject({ x: 900, y: 80 });
  runFrames(100);
  const third = shown();
  expect(third?.x).toBeCloseTo(400 + 500 * (2 / 3) ** 3);
  expect(third?.y).toBeCloseTo(80 * (2 / 3) ** 3);
  // Links hang on to the card where it is, and what does not move is left alone.
  const slot = index.links.slotOf('a-b') ?? -1;
  expect(index.links.box(slot).right).toBeGreaterThan(500);
  expect(index.nodes.get('c')).toBe(now().nodes.c);
  expect(now().nodes.b).toMatchObject({ x: 400, y: 0 });
  runFrames(299);
  expect(shown()?.x).toBeCloseTo(400, 0);
  runFrames(300);
  expect(view.moment.glide).toBeNull();
  expect(shown()).toBe(now().nodes.b);
  expect(frames).toEqual([]);
});

test('W2.05 a drag ends the glide, a card that goes meanwhile is left out, and a later glide takes over', () => {
  const { store, put, now } = canvas();
  const view = new CanvasView();
  glideOnChange(store, view);
  put(agentAt('b', 400, 0));
  const first = view.moment.glide;
  const without = { ...now(), nodes: { a: agentAt('a', 0, 0) } };
  expect(first && onTheWay(without, first).nodes.b).toBeUndefined();
  glideOnChange(store, view);
  put(agentAt('c', 900, 0));
  runFrames(100);
  expect([...(view.moment.glide?.way.keys() ?? [])]).toEqual(['c']);
  expect(frames).toHaveLength(1);
  view.update({ drag: { nodeIds: new Set(['c']), dx: 1, dy: 1 } });
  runFrames(150);
  expect(view.moment.glide).toBeNull();
});

test('W2.05 nothing glides where motion is not wanted, on a large canvas, or after a layout that changed nothing', () => {
  const many = Array.from({ length: 501 }, (_, i) => agentAt(`n${i}`, i * 300, 0));
  wantsStill = true;
  const still = { ...canvas(), view: new CanvasView() };
  glideOnChange(still.store, still.view);
  wantsStill = false;
  const large = { ...canvas(many), view: new CanvasView() };
  glideOnChange(large.store, large.view);
  const done = { ...canvas(), view: new CanvasView() };
  glideOnChange(done.store, done.view)();
  for (const { put, view } of [still, large, done]) {
    put(agentAt('b', 400, 0), agentAt('n5', 0, 900));
    expect(view.moment.glide).toBeNull();
  }
});
