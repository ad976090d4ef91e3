import type { Browser, Page } from 'playwright';
import { z } from 'zod';

const traceSchema = z.object({
  traceEvents: z.array(
    z.object({
      ...{ name: z.string(), ph: z.string(), pid: z.number(), tid: z.number(), ts: z.number() },
      ...{ dur: z.number().optional(), tdur: z.number().optional() },
    }),
  ),
});

/** One event of a browser's trace; times in µs, `tdur` of a processor. */
export type TraceEvent = z.infer<typeof traceSchema>['traceEvents'][number];

/** The browser's trace events of a page in these categories, during an action. */
export async function traceWhile(browser: Browser, page: Page, categories: string[], work: () => Promise<void>): Promise<TraceEvent[]> {
  await browser.startTracing(page, { categories });
  await work();
  return traceSchema.parse(JSON.parse(String(await browser.stopTracing()))).traceEvents;
}

/** The events of the main thread of the page that is drawn: of the thread that fired the most animation frames, in their order. */
export function pageEvents(events: readonly TraceEvent[]): TraceEvent[] {
  const fired = Map.groupBy(
    events.filter(({ name }) => name === 'FireAnimationFrame'),
    threadOf,
  );
  const busiest = [...fired].toSorted(([, a], [, b]) => b.length - a.length)[0];
  return events.filter((event) => threadOf(event) === busiest?.[0]).toSorted((a, b) => a.ts - b.ts);
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid} ${tid}`;
}
