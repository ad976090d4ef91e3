import type { Browser, Page } from 'playwright';
import type { Figure } from '../figure.ts';
import { noteUsableCanvas, openToUsableCanvas } from '../usable-canvas.ts';

const viewport = { width: 1_440, height: 900 };
const limitMs = 1_500;
const phone = { viewport: { width: 412, height: 823 }, hasTouch: true, isMobile: true };
/** Lighthouse's slow 4G, in bytes a second and ms, as its applied throttling has it. */
const slowLine = { offline: false, latency: 562.5, downloadThroughput: (1_474.56 * 1_024) / 8, uploadThroughput: (675 * 1_024) / 8 };

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

/** The same on a phone, whose visitor presses the button: from the press to cards, with the processor and the line that Lighthouse gives a phone. */
export async function timeAskedDemo(browser: Browser, url: string): Promise<Figure[]> {
  const context = await browser.newContext({ ...phone, locale: 'en-GB' });
  try {
    const page = await context.newPage();
    await drawElsewhere(page);
    await noteUsableCanvas(page);
    await page.addInitScript(() => addEventListener('pointerdown', () => Object.assign(window, { __pressedAt: performance.now() }), true));
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', slowLine);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto(`${url}/public-test?lang=en`);
    await page.locator('.still-start-button').tap();
    const usable = await page.waitForFunction(() => {
      const { __usableAt, __pressedAt } = window as unknown as { __usableAt?: number; __pressedAt: number };
      return __usableAt !== undefined && __usableAt - __pressedAt;
    });
    return [
      { what: "demo on a slow phone, from the button's press to a canvas with cards", unit: 'ms', value: Number(await usable.jsonValue()) },
    ];
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
