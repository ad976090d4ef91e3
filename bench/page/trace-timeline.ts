import type { Browser } from 'playwright';
import { beamMs, resetPauseMs, restartMs } from '../../src/landing/how-it-works/beam-timing.ts';
import type { Figure } from '../figure.ts';
import { traceWhile } from '../trace.ts';
import { frameScripts } from './frame-scripts.ts';

const viewport = { width: 1_440, height: 900 };
const limitMs = 4;
const roundMs = beamMs + restartMs + resetPauseMs;

const categories = [
  ...['devtools.timeline', 'disabled-by-default-devtools.timeline', 'disabled-by-default-devtools.timeline.frame'],
  'disabled-by-default-v8.gc',
];

/** Traces one whole round of the landing page's timeline, in view, and measures the script of its longest animation frame. */
export async function traceTimeline(browser: Browser, url: string): Promise<Figure[]> {
  const context = await browser.newContext({ viewport, locale: 'en-GB' });
  try {
    const page = await context.newPage();
    await page.goto(`${url}/?lang=en`);
    await page.waitForLoadState('networkidle');
    const timeline = page.locator('#how-it-works ol');
    await timeline.scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelector<HTMLElement>('#how-it-works ol')?.style.getPropertyValue('--beam'));
    const events = await traceWhile(browser, page, categories, () => page.waitForTimeout(roundMs));
    const frames = frameScripts(events);
    if (frames.length < 10) throw new Error(`the timeline drew ${frames.length} frames in a round`);
    const value = Math.max(...frames);
    return [
      {
        what: "timeline, script of a round's longest frame",
        unit: 'ms',
        value,
        floor: { atMost: limitMs },
        note: `${frames.length} frames`,
      },
    ];
  } finally {
    await context.close();
  }
}
