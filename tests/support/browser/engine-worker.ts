import type { Page, Worker } from 'playwright/test';

/** Returns the engine worker of a page. */
export function engineOf(page: Page): Worker {
  const engine = page.workers().find((worker) => worker.url().includes('engine'));
  if (!engine) throw new Error('No engine');
  return engine;
}

/** Speeds up the engine's clock and timers by a factor. */
export async function hastenEngine(page: Page, times: number): Promise<{ passed: () => Promise<number>; slow: () => Promise<void> }> {
  const engine = engineOf(page);
  await engine.evaluate((factor) => {
    const { setTimeout: wait } = globalThis;
    const { now } = Date;
    const begun = now();
    globalThis.setTimeout = ((task: () => void, ms = 0) => wait(task, ms / factor)) as typeof setTimeout;
    Date.now = () => begun + (now() - begun) * factor;
    Object.assign(globalThis, { passed: () => Date.now() - begun, slow: () => Object.assign(globalThis, { setTimeout: wait }) });
  }, times);
  return {
    passed: () => engine.evaluate(() => (globalThis as unknown as { passed: () => number }).passed()),
    slow: () => engine.evaluate(() => void (globalThis as unknown as { slow: () => void }).slow()),
  };
}
