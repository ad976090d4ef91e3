import { type BenchPage, viewHeight, viewWidth } from './bench-page.ts';
import { cardHeight, cardWidth, nearestToHub } from './graph.ts';
import type { Measured } from './stopwatch.ts';

/** `did`: whether the gesture had its effect. Without it the figure is meaningless. */
export type Result = Measured & { did: boolean };

export type ScenarioName = 'pan' | 'zoom' | 'drag' | 'far' | 'move';

/** Each performs one gesture with a real mouse; null if the page does not support it. */
export const scenarios: Record<ScenarioName, (bench: BenchPage) => Promise<Result | null>> = { pan, zoom, drag, far, move };

/** The canvas is dragged by a blank place, at zoom 1. */
async function pan(bench: BenchPage): Promise<Result> {
  await bench.lookAt(await bench.hubCentre(), 1);
  const before = await bench.camera();
  const start = blankPlace(bench, before);
  await bench.pointer.moveTo(start.x, start.y);
  await bench.pointer.press(bench.traits.panButton);
  await bench.pointer.moveTo(start.x - 8, start.y);
  const measured = await bench.measure(50, async (index) => {
    await bench.pointer.moveTo(start.x - 8 - 22 * (index + 1), start.y - 4 * (index + 1));
    return true;
  });
  await bench.pointer.release();
  const after = await bench.camera();
  return { ...measured, did: before.x - after.x > 20 * measured.steps };
}

/** Zooms out to a tenth by the wheel and back in; a slow system does as much of it as the time limit allows. */
async function zoom(bench: BenchPage): Promise<Result> {
  await bench.lookAt(await bench.hubCentre(), 1);
  await bench.pointer.moveTo(viewWidth / 2 + cardWidth / 2 + 5, viewHeight / 2 + cardHeight / 2 + 30);
  let current = 1;
  let least = 1;
  let direction = 1;
  const notch = async (): Promise<boolean> => {
    await bench.pointer.wheel(direction * bench.traits.wheelDelta);
    current = (await bench.camera()).zoom;
    least = Math.min(least, current);
    if (current <= 0.101) direction = -1;
    return direction === 1 || current < 0.99;
  };
  const measured = await bench.measure(80, notch, { capTimes: 3 });
  const notchesOut = Math.min(measured.steps, 24);
  return { ...measured, did: measured.steps > 1 && least <= 1.07 ** -notchesOut };
}

/** The hub and its links are dragged about, at zoom 0.5. */
async function drag(bench: BenchPage): Promise<Result> {
  const { hub } = bench.graph;
  const before = await bench.position(hub);
  await bench.lookAt(await bench.hubCentre(), 0.5);
  const { x, y } = bench.handle(0.5);
  await bench.pointer.moveTo(x, y);
  await bench.pointer.press('left');
  await bench.pointer.moveTo(x + 6, y + 2);
  const measured = await bench.measure(40, async (index) => {
    await bench.pointer.moveTo(x + 8 + 90 * Math.sin(index / 5), y + 5 + index + 60 * Math.sin(index / 3.5));
    return true;
  });
  await bench.pointer.release();
  return { ...measured, did: await moved(bench, hub, before) };
}

/** The whole graph is in view, and is dragged. */
async function far(bench: BenchPage): Promise<Result> {
  const { width, height } = bench.graph;
  const scale = Math.min(0.1, (0.9 * viewWidth) / width, (0.9 * viewHeight) / height);
  await bench.lookAt({ x: width / 2, y: height / 2 }, scale);
  const before = await bench.camera();
  const start = blankPlace(bench, before);
  await bench.pointer.moveTo(start.x, start.y);
  await bench.pointer.press(bench.traits.panButton);
  await bench.pointer.moveTo(start.x - 4, start.y + 2);
  const measured = await bench.measure(25, async (index) => {
    await bench.pointer.moveTo(start.x - 4 - 14 * (index + 1), start.y + 2 + 6 * (index + 1));
    return true;
  });
  await bench.pointer.release();
  const after = await bench.camera();
  return { ...measured, did: Math.abs(before.zoom - scale) < 0.01 * scale && before.x - after.x > 10 * measured.steps };
}

/** A thousand selected nodes are dragged together, at zoom 0.2. */
async function move(bench: BenchPage): Promise<Result | null> {
  if (!bench.traits.canSelect) return null;
  const chosen = nearestToHub(bench.graph, Math.min(1_000, bench.graph.n));
  const other = chosen[chosen.length >> 1] as number;
  await bench.lookAt(await bench.hubCentre(), 0.2);
  await bench.select(chosen);
  const before = await bench.position(other);
  const { x, y } = bench.handle(0.2);
  await bench.pointer.moveTo(x, y);
  await bench.pointer.press('left');
  await bench.pointer.moveTo(x + 5, y + 2);
  const measured = await bench.measure(20, async (index) => {
    await bench.pointer.moveTo(x + 5 + 8 * (index + 1), y + 2 + 4 * (index + 1));
    return true;
  });
  await bench.pointer.release();
  return { ...measured, did: await moved(bench, other, before) };
}

async function moved(bench: BenchPage, index: number, before: { x: number; y: number }): Promise<boolean> {
  await bench.settled();
  const after = await bench.position(index);
  return Math.hypot(after.x - before.x, after.y - before.y) > 5;
}

/** Returns an empty place on the screen, right of the middle, in the gap below and beside a card. */
function blankPlace({ graph }: BenchPage, camera: { x: number; y: number; zoom: number }): { x: number; y: number } {
  const wanted = { x: viewWidth * 0.75, y: viewHeight * 0.5 };
  const distance = (place: { x: number; y: number }) => Math.hypot(place.x - wanted.x, place.y - wanted.y);
  let best: { x: number; y: number } | null = null;
  for (const node of graph.nodes) {
    const place = { x: (node.x + cardWidth + 35) * camera.zoom + camera.x, y: (node.y + cardHeight + 30) * camera.zoom + camera.y };
    if (best === null || distance(place) < distance(best)) best = place;
  }
  return best ?? wanted;
}
