import { pageEvents, type TraceEvent } from '../trace.ts';

/** The events under which a page's script runs. */
const scripts = new Set(['FireAnimationFrame', 'FunctionCall', 'TimerFire', 'EvaluateScript', 'RunMicrotasks', 'EventDispatch']);
const frameBegins = 'BeginMainThreadFrame';

/**
 * How long script ran for each animation frame of a trace, ms: from the beginning of one frame to that of the next, so that what a frame
 * leaves for later counts too.
 */
export function frameScripts(events: readonly TraceEvent[]): number[] {
  const frames: number[] = [];
  let outerEnd = 0;
  for (const { name, ph, ts, dur = 0, tdur } of pageEvents(events)) {
    if (name === frameBegins) frames.push(0);
    // What runs within another is in its time already.
    if (ph !== 'X' || !scripts.has(name) || ts < outerEnd || frames.length === 0) continue;
    outerEnd = ts + dur;
    frames[frames.length - 1] = (frames.at(-1) ?? 0) + (tdur ?? dur) / 1_000;
  }
  return frames;
}
