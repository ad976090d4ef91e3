import type { Browser, Page } from 'playwright';
import type { Figure } from '../figure.ts';
import { noteUsableCanvas, openToUsableCanvas } from '../usable-canvas.ts';

const viewport = { width: 1_440, height: 900 };
const limitMs = 1_500;

/** Opens the public demo as a new visitor, in a browser that has drawn another page, and measures until the canvas shows cards. */
export async function timeDemo(browser: Browser, url: string): Promise<Figure[]> {
  const context = await browser.newContext({ viewport, locale: 'en-GB' });
  try {
    const page = await context.newPage();
    await drawElsewhere(page);
    await noteUsableCanvas(page);
    const value = await openToUsableCanvas(page, `${url}/public-test?lang=en`);
    return [{ what: 'demo, from its address to a canvas with cards', unit: 'ms', value, floor: { atMost: limitMs } }];
  } finally {
    await context.close();
  }
}

/** The first drawing of a browser starts the process that draws for all of its pages. */
async function drawElsewhere(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.evaluate(() => {
    const drawing = document.createElement('canvas').getContext('webgl2');
    drawing?.clear(drawing.COLOR_BUFFER_BIT);
    drawing?.finish();
  });
}
