/** One event of a browser's trace; times in µs, `tdur` of a processor. */
export type TraceEvent = {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number | undefined;
  tdur?: number | undefined;
};

/** The events under which a page's script runs. */
const scripts = new Set(['FireAnimationFrame', 'FunctionCall', 'TimerFire', 'EvaluateScript', 'RunMicrotasks', 'EventDispatch']);
const frameBegins = 'BeginMainThreadFrame';

/**
 * How long script ran for each animation frame of a trace, ms: from the beginning of one frame to that of the next, so that what a frame
 * leaves for later counts too. The thread is the one that fired the most animation frames.
 */
export function frameScripts(events: readonly TraceEvent[]): number[] {
  const fired = Map.groupBy(
    events.filter(({ name }) => name === 'FireAnimationFrame'),
    threadOf,
  );
  const busiest = [...fired].toSorted(([, a], [, b]) => b.length - a.length)[0];
  if (busiest === undefined) return [];
  const own = events.filter((event) => threadOf(event) === busiest[0]).toSorted((a, b) => a.ts - b.ts);
  const frames: number[] = [];
  let outerEnd = 0;
  for (const { name, ph, ts, dur = 0, tdur } of own) {
    if (name === frameBegins) frames.push(0);
    // What runs within another is in its time already.
    if (ph !== 'X' || !scripts.has(name) || ts < outerEnd || frames.length === 0) continue;
    outerEnd = ts + dur;
    frames[frames.length - 1] = (frames.at(-1) ?? 0) + (tdur ?? dur) / 1_000;
  }
  return frames;
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid} ${tid}`;
}
