import { monitorEventLoopDelay } from 'node:perf_hooks';

const [resolutionMs, everyMs] = [10, 1_000];

/** Reports once a second the longest delay of the event loop in that second (seconds): every request of that moment waited for it. */
export function watchEventLoopDelay(report: (seconds: number) => void): void {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  setInterval(() => {
    // The sampling interval itself is part of the measured value.
    if (delays.count > 0) report(Math.max(0, delays.max / 1e9 - resolutionMs / 1_000));
    delays.reset();
  }, everyMs).unref();
}
