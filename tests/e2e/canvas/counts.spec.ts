import { expect, type Page } from 'playwright/test';
import { pingEveryMs } from '../../../src/workers/bridge/watch-engine.ts';
import { test } from '../../support/browser/browser-test.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';

test.use({ deviceScaleFactor: 1 });

/** What the page has done so far. `commits`: React's of the page and of the canvas; `timers` that ran. */
type Counts = Record<'frames' | 'visits' | 'uploads' | 'view' | 'store' | 'commits' | 'timers' | 'animationFrames', number>;
type Counted = { counted: { commits: number; timers: number; animationFrames: number } };

/** Counts what React commits, also in a built page, and the timers and animation frames of the page. */
function countWork(): void {
  const counted = { commits: 0, timers: 0, animationFrames: 0 };
  const onCommitFiberRoot = () => {
    counted.commits += 1;
  };
  const hook = {
    supportsFiber: true,
    isDisabled: false,
    inject: () => 1,
    onCommitFiberRoot,
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {},
  };
  const { setTimeout, requestAnimationFrame } = window;
  Object.assign(window, {
    counted,
    __REACT_DEVTOOLS_GLOBAL_HOOK__: hook,
    setTimeout: (task: () => void, ms?: number) =>
      setTimeout(() => {
        counted.timers += 1;
        task();
      }, ms),
    requestAnimationFrame: (task: FrameRequestCallback) =>
      requestAnimationFrame((now) => {
        counted.animationFrames += 1;
        task(now);
      }),
  });
}

const counts = (page: Page): Promise<Counts> =>
  page.evaluate(() => {
    const { frames = 0, visits = 0, uploads = 0 } = window.__bench?.stats() ?? {};
    const { view = 0, store = 0 } = window.__bench?.notified() ?? {};
    return { frames, visits, uploads, view, store, ...(window as unknown as Counted).counted };
  });

/** What the page does during an action. */
async function during(page: Page, act: () => Promise<void>): Promise<Counts> {
  const before = await counts(page);
  await act();
  const after = await counts(page);
  return Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - before[name as keyof Counts]])) as Counts;
}

async function passFrames(page: Page, count: number): Promise<void> {
  await page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  }, count);
}

/** Waits until what the page loads and prepares after its first picture is done. */
async function whenQuiet(page: Page): Promise<void> {
  const work = async () => {
    const { frames, commits, store } = await during(page, () => passFrames(page, 30));
    return frames + commits + store;
  };
  await expect.poll(work).toBe(0);
}

/** Moves the pressed mouse in steps, each drawn before the next. */
async function moveBy(page: Page, from: { x: number; y: number }, steps: number, { dx, dy }: { dx: number; dy: number }): Promise<void> {
  for (let step = 1; step <= steps; step++) {
    await page.mouse.move(from.x + dx * step, from.y + dy * step);
    await passFrames(page, 1);
  }
}

/** All layers of the scene but that of a comparison. */
const layers = 14;
const steps = 30;

test('W2.05 a step of a pan tells of one change and draws what comes into view, a pan back nothing; React renders nothing, and an idle second has no work', {
  tag: '@rest',
}, async ({ page }) => {
  await page.addInitScript(countWork);
  const canvas = await new BenchPage(page).openOwn(2_000);
  const blank = { x: 900, y: 500 };
  await canvas.look({ x: -1_000, y: -1_000, zoom: 1 });
  await canvas.atRest();

  await whenQuiet(page);
  // What begins late ends: then a ping of the engine is all that an idle second has.
  await expect(async () => {
    const from = Date.now();
    const still = await during(page, () => passFrames(page, 60));
    expect(still.timers).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - from) / pingEveryMs));
    expect(still).toMatchObject({ frames: 0, visits: 0, uploads: 0, view: 0, store: 0, commits: 0, animationFrames: 60 });
  }).toPass();

  await page.mouse.move(blank.x, blank.y);
  await page.mouse.down({ button: 'middle' });
  await moveBy(page, blank, 1, { dx: 4, dy: 0 });
  const there = await during(page, () => moveBy(page, blank, steps, { dx: -20, dy: -4 }));
  expect(there.view).toBe(steps);
  expect(there.frames).toBeLessThanOrEqual(steps + 1);
  expect(there.visits).toBeLessThanOrEqual((steps + 1) * layers);
  // The pan crosses one border of tiles: those of cards are 1,024 px large, those of links 2,048.
  expect(there.uploads).toBeLessThanOrEqual(8);
  expect(there).toMatchObject({ store: 0, commits: 0 });

  const end = { x: blank.x - 20 * steps, y: blank.y - 4 * steps };
  const back = await during(page, () => moveBy(page, end, steps - 1, { dx: 20, dy: 4 }));
  expect(back).toMatchObject({ view: steps - 1, uploads: 0, store: 0, commits: 0 });
  await page.mouse.up({ button: 'middle' });
});

test('W2.05 a step of a drag tells of one change and draws only the links that follow it; React renders nothing', {
  tag: '@rest',
}, async ({ page }) => {
  await page.addInitScript(countWork);
  const canvas = await new BenchPage(page).openOwn(2_000);
  await canvas.look({ x: -1_000, y: -1_000, zoom: 1 });
  await canvas.atRest();
  await whenQuiet(page);
  const from = await canvas.middleOf('n240');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await moveBy(page, from, 3, { dx: 4, dy: 2 });
  const start = { x: from.x + 12, y: from.y + 6 };
  const dragged = await during(page, () => moveBy(page, start, steps, { dx: 3, dy: 2 }));
  expect(dragged.view).toBe(steps);
  expect(dragged.frames).toBeLessThanOrEqual(steps + 1);
  expect(dragged.visits).toBeLessThanOrEqual((steps + 1) * layers);
  // The links of the card, and the lines that show what it is level with.
  expect(dragged.uploads).toBeLessThanOrEqual(2 * (steps + 1));
  expect(dragged).toMatchObject({ store: 0, commits: 0 });
  await page.mouse.up();
});
