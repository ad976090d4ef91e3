import { PerformanceObserver } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { prometheusMetrics } from '../../../../server/platform/metrics/prometheus-metrics.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('metrics that are closed leave no timer, and a process observes its garbage collection once', async () => {
  const observe = vi.spyOn(PerformanceObserver.prototype, 'observe');
  for (const version of ['1.0.0', '2.0.0']) {
    const metrics = prometheusMetrics(version);
    const { text } = await metrics.read();
    expect(text.match(/^process_cpu_user_seconds_total /gm)).toHaveLength(1);
    expect(text.match(/^artel_build_info\{.*$/gm)).toEqual([`artel_build_info{version="${version}"} 1`]);
    metrics.close();
  }
  expect(vi.getTimerCount()).toBe(0);
  expect(observe).toHaveBeenCalledTimes(1);
});
