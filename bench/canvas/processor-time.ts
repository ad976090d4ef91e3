import { readFileSync } from 'node:fs';
import type { Browser, CDPSession, Page } from 'playwright';

/** Milliseconds that the main thread of a process has spent on a processor since its start; waiting does not count. Linux only. */
export function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;
}

/**
 * Returns the process that renders a page. While the page runs a loop, the main thread of that renderer works as much as the page itself
 * says it worked. A browser keeps spare renderers, so that the first one found may be another. Throws when none fits.
 */
export async function findRenderer(browser: Browser, page: Page, session: CDPSession): Promise<number> {
  const whole = await browser.newBrowserCDPSession();
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  for (let attempt = 0; attempt < 5; attempt++) {
    const before = renderers.map(mainThreadMs);
    const workedBefore = await taskMs(session);
    await page.evaluate(busyLoop);
    const worked = (await taskMs(session)) - workedBefore;
    const found = renderers.find((pid, index) => Math.abs(mainThreadMs(pid) - (before[index] as number) - worked) < worked * 0.3);
    if (found !== undefined) return found;
  }
  throw new Error('no renderer worked as much as the page did');
}

async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
}

/** Runs in the page: arithmetic for about a tenth of a second. */
function busyLoop(): number {
  const until = performance.now() + 120;
  let sum = 0;
  while (performance.now() < until) for (let i = 1; i < 4_096; i++) sum += Math.sqrt(i * sum + i);
  return sum;
}
