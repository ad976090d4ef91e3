import { monitorEventLoopDelay } from 'node:perf_hooks';

const [resolutionMs, everyMs] = [10, 1_000];

/** Reports once a second the longest delay of the event loop in that second (seconds): what every request of that moment has waited. */
export function watchEventLoopDelay(report: (seconds: number) => void): void {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  setInterval(() => {
    // The sampling interval itself is part of what is measured.
    if (delays.count > 0) report(Math.max(0, delays.max / 1e9 - resolutionMs / 1_000));
    delays.reset();
  }, everyMs).unref();
}
