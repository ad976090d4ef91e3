import { expect, test } from 'vitest';
import { frameScripts } from '../../../bench/page/frame-scripts.ts';
import type { TraceEvent } from '../../../bench/trace.ts';

test('the script of an animation frame is all that runs until the next one begins, each part of it once, on the thread that draws', () => {
  const events = [
    script('FunctionCall', 500, 300),
    frame(1_000),
    script('FireAnimationFrame', 1_100, 900),
    script('FunctionCall', 1_200, 700),
    script('TimerFire', 2_500, 400, 100),
    frame(17_000),
    script('FireAnimationFrame', 17_100, 1_500),
    { ...script('FireAnimationFrame', 17_200, 9_000), tid: 2 },
    { ...script('EvaluateScript', 17_500, 9_000), tid: 2 },
    { ...script('FunctionCall', 30_000, 50_000), pid: 9 },
  ];
  expect(frameScripts(events.toReversed())).toEqual([1, 1.5]);
  expect(frameScripts([script('FunctionCall', 0, 10)])).toEqual([]);
});

test('a collection of garbage within a script is not its own, and no script takes more of a processor than time passed', () => {
  const events = [
    frame(0),
    script('FireAnimationFrame', 100, 9_000),
    script('V8.GC_MC_INCREMENTAL', 1_000, 4_000),
    script('MinorGC', 1_100, 2_000),
    script('MinorGC', 6_000, 500),
    script('MajorGC', 9_500, 3_000),
    frame(20_000),
    script('FireAnimationFrame', 20_100, 500, 3_700),
  ];
  expect(frameScripts(events)).toEqual([4.5, 0.5]);
});

function frame(ts: number): TraceEvent {
  return { name: 'BeginMainThreadFrame', ph: 'I', pid: 1, tid: 1, ts };
}

function script(name: string, ts: number, dur: number, tdur?: number): TraceEvent {
  return { name, ph: 'X', pid: 1, tid: 1, ts, dur, tdur };
}
