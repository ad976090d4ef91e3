import { afterEach, expect, test, vi } from 'vitest';
import { gridStep } from '../../../../src/canvas/geometry/grid-step.ts';
import { detailLevel } from '../../../../src/canvas/geometry/level-of-detail.ts';
import { sendUniforms } from '../../../../src/canvas/scene/gpu/frame-uniforms.ts';
import { TextZoom } from '../../../../src/canvas/scene/text/text-zoom.ts';
import { LevelInView } from '../../../../src/canvas/scene/tiles/level-in-view.ts';
import { restAfter, ZoomRest, zoomRestMs } from '../../../../src/canvas/scene/tiles/zoom-rest.ts';
import { CardPainterDriver } from '../../../support/canvas/card-painter-driver.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('W2.05 the grid is 20 px, and coarser where dots would run together', () => {
  expect(gridStep(1)).toBe(20);
  expect(gridStep(0.6)).toBe(20);
  expect(gridStep(0.5)).toBe(40);
  expect(gridStep(0.1)).toBe(160);
  expect(gridStep(3)).toBe(20);
});

test('W2.05 cards lose detail as the zoom goes out: below 60 %, 35 % and 18 %', () => {
  expect([3, 0.6, 0.59, 0.35, 0.34, 0.18, 0.17, 0.01].map(detailLevel)).toEqual([
    'full',
    'full',
    'compact',
    'compact',
    'title',
    'title',
    'block',
    'block',
  ]);
});

test('W2.05 text is laid out again when the zoom exceeds its range, and for the exact zoom when the zoom is at rest', () => {
  const text = new TextZoom();
  text.atRest('compact', 0.5);
  const first = text.inMotion('compact', 0.52);
  expect(first.zoom).toBe(0.5);
  expect(text.inMotion('compact', 0.59)).toBe(first);
  const outward = text.inMotion('compact', 0.45);
  expect(outward.zoom).toBe(0.35);
  expect(text.inMotion('compact', 0.36)).toBe(outward);
  expect(outward.version).toBeGreaterThan(first.version);
  expect(text.atRest('compact', 0.39)).toBe(true);
  expect(text.atRest('compact', 0.39)).toBe(false);
  expect(text.inMotion('compact', 0.39).zoom).toBe(0.39);
});

test('W2.05 text at full detail keeps its raster while the zoom moves', () => {
  const text = new TextZoom();
  expect(text.inMotion('full', 1).zoom).toBe(1);
  expect(text.inMotion('full', 0.7).zoom).toBe(1);
  expect(text.atRest('full', 0.7)).toBe(true);
  expect(text.inMotion('full', 0.75).zoom).toBe(0.7);
});

test('W2.05 with slow frames the zoom waits longer until it counts as at rest', () => {
  expect(restAfter(16)).toBe(zoomRestMs);
  expect(restAfter(240)).toBeGreaterThan(240);
  expect(restAfter(900)).toBeGreaterThan(900);
  expect(restAfter(5_000)).toBe(zoomRestMs);
  expect(restAfter(Number.POSITIVE_INFINITY)).toBe(zoomRestMs);
});

test('W2.05 a zoom rests only when a frame has passed in which no turn of the wheel came', () => {
  vi.useFakeTimers();
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw));
  vi.stubGlobal('cancelAnimationFrame', () => frames.splice(0));
  let zoom = 1;
  const rested: number[] = [];
  const rest = new ZoomRest(
    () => zoom,
    (at) => rested.push(at),
  );
  rest.follow(zoom, 0);
  vi.advanceTimersByTime(zoomRestMs);
  // The browser delivers the next wheel event with its frame, before the frame is drawn.
  zoom = 0.9;
  for (const draw of frames.splice(0)) draw();
  expect(rested).toEqual([]);

  rest.follow(zoom, 2_000);
  vi.advanceTimersByTime(zoomRestMs);
  expect(rested).toEqual([]);
  for (const draw of frames.splice(0)) draw();
  expect(rested).toEqual([0.9]);
});

test('W2.05 at rest each texel of a text is one px of the screen, and a letter as many px high as zoom and screen ask, at every zoom and density', () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => draw());
  vi.stubGlobal('cancelAnimationFrame', () => {});
  let zoom = 1;
  const seen = new LevelInView(
    () => zoom,
    () => {},
  );
  for (const [i, to] of [0.1, 0.17, 0.2, 0.41, 0.6, 0.77, 1, 1.37, 2.2, 3, 0.63].entries()) {
    zoom = to;
    seen.follow(zoom, i * 5_000);
    vi.advanceTimersByTime(5_000);
    seen.follow(zoom, i * 5_000 + 2_500);
    expect(seen.isExact(zoom)).toBe(true);
    for (const pixelRatio of [1, 1.25, 1.5, 2]) {
      const sent = { uniforms: {} as Record<string, number>, update: () => {} };
      const frame = { pixelRatio, zoom, textZoom: seen.stretchedFrom, isExact: true, atlasSize: 1_024, seconds: 0, still: true };
      sendUniforms(sent as never, sent as never, frame);
      expect((sent.uniforms.uTextScale ?? 0) * (sent.uniforms.uPixelRatio ?? 0)).toBeCloseTo(1, 10);
      const painter = new CardPainterDriver(seen.level, { zoom });
      painter.pen.scale = seen.texels(pixelRatio);
      const letter = painter.card({ id: 'a', type: 'agent', title: 'L', x: 0, y: 0 }).find(({ picture }) => picture.startsWith('letter:'));
      const size = { full: 16 * zoom, compact: 12, title: 11, block: null }[seen.level];
      // In the tests a letter's height is 3/4 of its style's size.
      expect(letter?.box[3]).toEqual(size === null ? undefined : expect.closeTo(0.75 * size * pixelRatio, 3));
    }
  }
});
