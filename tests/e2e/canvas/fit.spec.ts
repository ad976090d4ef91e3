import { expect, type Page } from 'playwright/test';
import { sampleOf } from '../../support/amounts.ts';
import { afterFrames } from '../../support/browser/after-frames.ts';
import { translate } from '../../support/browser/translate.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';
import { test } from '../../support/canvas/canvas-test.ts';

type Box = { left: number; top: number; right: number; bottom: number };
type Shape = Record<string, { x: number; y: number }>;

const grid = (columns: number, rows: number): Shape =>
  Object.fromEntries(
    Array.from({ length: columns * rows }, (_, i) => [`c${i}`, { x: (i % columns) * 350, y: Math.floor(i / columns) * 236 }]),
  );
/** A wide team, a tall team, a team that fills the view, and a team that is too large for it. */
const shapes = [grid(7, 1), grid(1, 5), grid(3, 3), grid(12, 8)];

/** Every element that is over the canvas now. */
async function panels(page: Page): Promise<(Box & { name: string })[]> {
  return page.locator('[data-panel]').evaluateAll((all) =>
    all.flatMap((panel) => {
      const { left, top, right, bottom } = panel.getBoundingClientRect();
      const name = (panel as HTMLElement).dataset.testid ?? panel.className;
      return right > left && bottom > top ? { name, left, top, right, bottom } : [];
    }),
  );
}

/** Names of the panels that cover a card. */
async function covering(canvas: BenchPage): Promise<string[]> {
  const [{ x, y, zoom }, { nodes }] = [await canvas.camera(), await canvas.document()];
  const cards = nodes.map((node) => ({
    left: node.x * zoom + x,
    top: node.y * zoom + y,
    right: (node.x + 280) * zoom + x,
    bottom: (node.y + 156) * zoom + y,
  }));
  const { width, height } = canvas.page.viewportSize() ?? { width: 0, height: 0 };
  const outside = cards.some((card) => card.left < 0 || card.top < 0 || card.right > width || card.bottom > height);
  const over = (await panels(canvas.page)).filter((panel) =>
    cards.some((card) => card.left < panel.right && panel.left < card.right && card.top < panel.bottom && panel.top < card.bottom),
  );
  return [...over.map(({ name }) => name), ...(outside ? ['the edge of the window'] : [])];
}

async function expectClear(page: Page): Promise<void> {
  for (const shape of shapes) {
    const canvas = await new BenchPage(page).fill(shape);
    await page.keyboard.press('Shift+Digit1');
    await expect.poll(() => covering(canvas)).toEqual([]);
  }
}

const windows = [
  ['a roomy window', { width: 1_440, height: 900 }],
  ['a low and narrow window', { width: 1_100, height: 620 }],
] as const;

for (const [name, viewport] of sampleOf(windows, { some: 1 })) {
  test.describe(`in ${name}`, () => {
    test.use({ viewport });

    test('W2.05 a graph that is fitted to the view is covered by no panel, with any of them open', { tag: '@rest' }, async ({ page }) => {
      await new BenchPage(page).show(grid(2, 1));
      await expectClear(page);
      await page.keyboard.press('m');
      await expect(page.getByTestId('minimap')).toHaveCount(0);
      await expectClear(page);
      await page.keyboard.press('Control+b');
      await expect(page.getByTestId('sidebar')).toHaveCount(0);
      await expectClear(page);
      await page.keyboard.press('m');
      await page.keyboard.press('Control+j');
      await expect(page.getByTestId('console')).toBeVisible();
      await page.getByTestId('canvas').focus();
      await expectClear(page);
    });

    test('W2.05 in read-only mode a fitted graph is covered by no panel', { tag: '@rest' }, async ({ page }) => {
      await new BenchPage(page).open(grid(2, 1), [], { readOnly: true });
      await expectClear(page);
    });
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('W2.04 a graph that is fitted to the view is between the bars', { tag: '@rest' }, async ({ page }) => {
    await new BenchPage(page).show(grid(2, 1));
    await expectClear(page);
  });
});

test.describe('one pixel a CSS pixel', () => {
  test.use({ deviceScaleFactor: 1 });
  test('W2.04 a fully visible team stays fully visible while the console opens and closes, and after a window was narrow for a while', {
    tag: '@rest',
  }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(grid(3, 3));
    await page.keyboard.press('Shift+Digit1');
    await page.keyboard.press('Control+j');
    await expect(page.getByTestId('console')).toBeVisible();
    await page
      .getByTestId('console')
      .getByRole('button', { name: translate('ru', 'console', 'close') })
      .click();
    await expect(page.getByTestId('console-bar')).toBeVisible();
    await expect.poll(() => covering(canvas)).toEqual([]);

    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.evaluate(() => window.__bench?.work(0));
    const resize = async (width: number, height: number) => {
      await page.setViewportSize({ width, height });
      const surface = page.locator('[data-testid="canvas"] canvas');
      await expect.poll(() => surface.evaluate((element: HTMLCanvasElement) => element.width)).toBe(width);
      await afterFrames(page);
      return (await canvas.camera()).zoom;
    };
    const narrow = await resize(390, 844);
    expect(await resize(1_440, 900)).toBe(narrow);
    await page.keyboard.press('Shift+Digit1');
    await resize(900, 900);
    await page.keyboard.press('Shift+Digit1');
    await resize(900, 900);
    // What a person has fitted stays fitted: the sidebar that opens here covers no card.
    await resize(1_100, 900);
    await expect.poll(() => covering(canvas)).toEqual([]);
  });

  test('W2.04 with the console open a window of another height keeps the middle of what is seen, back and forth', {
    tag: '@rest',
  }, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const canvas = await new BenchPage(page).show(grid(3, 3));
    await page.keyboard.press('Control+j');
    await expect(page.getByTestId('console')).toBeVisible();
    await canvas.look({ x: 500, y: 100, zoom: 0.4 });
    // Between the bars at the top and the run control above the console.
    const middle = () =>
      page.evaluate(() => {
        const [top, bottom] = ['project-bar', 'run-control'].map((id) =>
          document.querySelector(`[data-testid="${id}"]`)?.getBoundingClientRect(),
        );
        return ((top?.bottom ?? 0) + (bottom?.top ?? 0)) / 2;
      });
    const y = async () => (await canvas.camera()).y;
    const [before, from] = [await middle(), await y()];
    for (const [height, at] of [
      [700, -57.5],
      [900, 0],
    ] as const) {
      await page.setViewportSize({ width: 1_440, height });
      await expect.poll(async () => (await middle()) - before).toBeCloseTo(at, 0);
      await expect.poll(async () => (await y()) - from).toBeCloseTo(at, 0);
    }
    await page.keyboard.press('Control+j');
    await expect(page.getByTestId('console')).toHaveCount(0);
  });
});
