import { pageEvents, type TraceEvent } from '../trace.ts';

/** The events under which a page's script runs. */
const scripts = new Set(['FireAnimationFrame', 'FunctionCall', 'TimerFire', 'EvaluateScript', 'RunMicrotasks', 'EventDispatch']);
/** Events of the JavaScript engine itself, such as garbage collection. */
const collections = new Set(['MinorGC', 'MajorGC', 'V8.GC_MC_INCREMENTAL']);
const frameBegins = 'BeginMainThreadFrame';

/**
 * Returns how long script ran for each animation frame of a trace (ms of a processor), without the collections of garbage within it. A
 * frame lasts until the next one begins, so that the work that it leaves for later counts too.
 */
export function frameScripts(events: readonly TraceEvent[]): number[] {
  const frames: number[] = [];
  const add = (event: TraceEvent, sign: 1 | -1) => {
    frames[frames.length - 1] = (frames.at(-1) ?? 0) + sign * processorMs(event);
  };
  let outerEnd = 0;
  let collectionEnd = 0;
  for (const event of pageEvents(events)) {
    const { name, ph, ts, dur = 0 } = event;
    if (name === frameBegins) frames.push(0);
    if (ph !== 'X' || frames.length === 0) continue;
    if (scripts.has(name) && ts >= outerEnd) {
      // What runs within another is in its time already.
      outerEnd = ts + dur;
      add(event, 1);
    } else if (collections.has(name) && ts < outerEnd && ts >= collectionEnd) {
      collectionEnd = ts + dur;
      add(event, -1);
    }
  }
  return frames;
}

/** The two clocks differ a little, and no more of a processor can be taken than time passed. */
function processorMs({ dur = 0, tdur = dur }: TraceEvent): number {
  return Math.min(dur, tdur) / 1_000;
}
