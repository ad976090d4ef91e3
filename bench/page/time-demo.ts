import type { Browser } from 'playwright';
import type { Figure } from '../figure.ts';
import { noteUsableCanvas, openToUsableCanvas } from '../usable-canvas.ts';

const viewport = { width: 1_440, height: 900 };
const limitMs = 1_500;

/** Opens the public demo as somebody who was never here, and measures until its canvas shows cards. */
export async function timeDemo(browser: Browser, url: string): Promise<Figure[]> {
  const context = await browser.newContext({ viewport, locale: 'en-GB' });
  try {
    const page = await context.newPage();
    await noteUsableCanvas(page);
    const value = await openToUsableCanvas(page, `${url}/public-test?lang=en`);
    return [{ what: 'demo, from its address to a canvas with cards', unit: 'ms', value, floor: { atMost: limitMs } }];
  } finally {
    await context.close();
  }
}
