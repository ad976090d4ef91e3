import { expect, test } from 'vitest';
import { type FrameRecord, summarise } from '../../../src/app/workspace/performance/frame-summary.ts';
import { updateSize } from '../../../src/app/workspace/performance/message-probe.ts';
import { Recorder } from '../../../src/app/workspace/performance/recording.ts';
import { formatBytes } from '../../../src/ui/i18n/format-bytes.ts';

const frame = (at: number, gapMs: number, scriptMs = 1): FrameRecord => ({
  at,
  gapMs,
  scriptMs,
  mainMs: scriptMs + 1,
  drawMs: scriptMs / 2,
  nodesDrawn: 10,
  drawCalls: 4,
});

test('W2.05 the figures of the canvas are quantiles over its frames, and nothing where there are none', () => {
  expect(summarise([])).toMatchObject({ frames: 0, gapP50: null, gapP99: null, scriptP50: null });
  const frames = Array.from({ length: 100 }, (_, i) => frame(i * 16, i + 1, (i + 1) / 10));
  expect(summarise(frames)).toEqual({
    frames: 100,
    gapP50: 51,
    gapP95: 96,
    gapP99: 100,
    scriptP50: 5.1,
    scriptP95: 9.6,
    mainP50: expect.closeTo(6.1),
  });
});

test('W2.05 the size of an update is the size of its patches, estimated from a sample where they are many', () => {
  const patch = (id: string) => ({ op: 'replace' as const, path: ['document', 'nodes', id], value: { id, x: 1, y: 2 } });
  const one = updateSize([patch('n100')], 5);
  expect(one).toEqual({ at: 5, patches: 1, bytes: JSON.stringify([patch('n100')]).length });
  const many = Array.from({ length: 2_000 }, (_, i) => patch(`n${1_000 + i}`));
  const told = updateSize(many, 5).bytes as number;
  expect(Math.abs(told / JSON.stringify(many).length - 1)).toBeLessThan(0.02);
  expect(updateSize(null, 5)).toEqual({ at: 5, patches: 0, bytes: null });
});

test('W2.05 a recording holds and sums up the figures that arrive while it runs', () => {
  const recorder = new Recorder('2026-01-01T00:00:00.000Z', 1_000);
  for (let i = 0; i < 50; i++) recorder.frame(frame(1_000 + i * 20, 20));
  recorder.roundTrip({ at: 1_100, ms: 0.4 });
  recorder.update({ at: 1_200, patches: 1, bytes: 80 });
  const surroundings = {
    browser: 'a browser',
    cores: 2,
    pixelRatio: 1,
    view: { width: 800, height: 600 },
    nodes: 50,
    links: 49,
    zoom: 1,
    heapMb: null,
  };
  const recording = recorder.finish(2_000, surroundings);
  expect(recording).toMatchObject({ kind: 'artel.canvas-recording', version: 1, durationMs: 1_000, surroundings });
  expect(recording.summary).toMatchObject({ frames: 50, fps: 50, gapP50: 20, roundTripP50: 0.4 });
  expect(recording.frames).toHaveLength(50);
  expect(JSON.parse(JSON.stringify(recording))).toEqual(recording);
});

test('W2.05 sizes are shown in a fitting unit', () => {
  expect(formatBytes(412, 'en')).toBe('412B');
  expect(formatBytes(3_400, 'en')).toBe('3.4 kB');
  expect(formatBytes(1_250_000, 'en')).toBe('1.3 MB');
});
