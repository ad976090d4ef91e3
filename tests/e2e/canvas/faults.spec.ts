import { expect, type Page } from 'playwright/test';
import { sampleOf } from '../../support/amounts.ts';
import { afterFrames } from '../../support/browser/after-frames.ts';
import { test } from '../../support/browser/browser-test.ts';
import { faults } from '../../support/browser/faults.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';

const two = { a: { x: 0, y: 0 }, b: { x: 420, y: 120 } };
const cards = { x: 290, y: 90, width: 800, height: 420 };
const frames = (page: Page) => page.evaluate(() => window.__bench?.stats().frames ?? -1);
const surface = (page: Page) => page.locator('[data-testid="canvas"] canvas');

test('W2.05 when the browser loses and restores the WebGL context, the picture is the same as before', { tag: '@rest' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).open(two, [['a', 'b']]);
  await expect(canvas.link('a', 'b')).toHaveCount(1);
  await canvas.atRest();
  const before = await page.screenshot({ clip: cards });
  await surface(page).evaluate((element: HTMLCanvasElement) => {
    const lose = element.getContext('webgl2')?.getExtension('WEBGL_lose_context');
    Object.assign(window, { giveBack: () => lose?.restoreContext() });
    return new Promise((resolve) => {
      element.addEventListener('webglcontextlost', resolve, { once: true });
      lose?.loseContext();
    });
  });
  // Changes during the loss are there afterwards.
  await canvas.drag(await canvas.middleOf('b'), { x: (await canvas.middleOf('b')).x + 60, y: (await canvas.middleOf('b')).y });
  await expect.poll(() => canvas.at('b')).toEqual({ x: 480, y: 120 });
  await page.keyboard.press('Control+z');
  await expect.poll(() => canvas.at('b')).toEqual(two.b);
  await page.evaluate(() => (window as unknown as { giveBack: () => void }).giveBack());
  await page.keyboard.press('Escape');
  await page.mouse.move(700, 640);
  await expect.poll(async () => (await page.screenshot({ clip: cards })).equals(before)).toBe(true);
  await canvas.drag(await canvas.port('b', 'out'), { x: 900, y: 600 });
  await expect(page.getByTestId('canvas-fallback')).toHaveCount(0);
});

test('W2.05 while the WebGL context is lost the list of cards is shown, and a button draws the canvas again', { tag: '@rest' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).open(two, [['a', 'b']]);
  await expect(canvas.link('a', 'b')).toHaveCount(1);
  await surface(page).evaluate((element: HTMLCanvasElement) => {
    element.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
  });
  const fallback = page.getByTestId('canvas-fallback');
  await expect(fallback.getByRole('alert')).toContainText('Холст остановился из-за ошибки');
  await expect(fallback.getByRole('treeitem')).toHaveCount(3);
  // A browser without a free context also refuses the next request, until a context is free.
  const give = (isGiven: boolean) =>
    page.evaluate((given) => {
      const { getContext } = HTMLCanvasElement.prototype;
      const { own = getContext } = window as { own?: typeof getContext };
      Object.assign(window, { own });
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...asked: Parameters<typeof getContext>) {
        return !given && (asked[0] as string) === 'webgl2' && this.isConnected ? null : own.apply(this, asked);
      } as typeof getContext;
    }, isGiven);
  await give(false);
  await fallback.getByRole('button', { name: 'Нарисовать заново' }).click();
  await expect(fallback.getByRole('alert')).toContainText('Холст остановился из-за ошибки');
  await give(true);
  await fallback.getByRole('button', { name: 'Нарисовать заново' }).click();
  await expect(fallback).toHaveCount(0);
  await expect(surface(page)).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.__bench?.stats().nodesDrawn)).toBe(2);
  await canvas.drag(await canvas.middleOf('a'), { x: (await canvas.middleOf('a')).x, y: (await canvas.middleOf('a')).y + 100 });
  await expect.poll(() => canvas.at('a')).toEqual({ x: 0, y: 100 });
});

test('W2.05 a layer that cannot be drawn is named, the other layers are drawn, and the canvas is drawn again on request', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const canvas = await new BenchPage(page).open(two, [['a', 'b']]);
  await expect(canvas.link('a', 'b')).toHaveCount(1);
  const drawn = () => page.evaluate(() => window.__bench?.stats().nodesDrawn);
  const meshes = () => page.evaluate(() => window.__bench?.stats().drawCalls ?? 0);
  await expect.poll(drawn).toBe(2);
  // Only cards have text here, so only the card layer fails.
  await page.evaluate(() => {
    const { measureText } = CanvasRenderingContext2D.prototype;
    Object.assign(window, { giveBack: () => Object.assign(CanvasRenderingContext2D.prototype, { measureText }) });
    CanvasRenderingContext2D.prototype.measureText = () => {
      throw new Error('No text');
    };
  });
  await canvas.fill({ a: { ...two.a, title: 'Ъ§№' }, b: two.b }, [['a', 'b']]);
  const notice = page.getByTestId('broken-layers');
  await expect(notice.getByRole('alert')).toContainText('Не нарисовано: карточки');
  expect(await drawn()).toBe(0);
  await expect(page.getByTestId('canvas-fallback')).toHaveCount(0);
  // Grid and link are drawn, a marquee can be drawn, and cards can be moved.
  const before = await meshes();
  await canvas.drag(await canvas.middleOf('b'), { x: (await canvas.middleOf('b')).x + 60, y: (await canvas.middleOf('b')).y });
  await expect.poll(() => canvas.at('b')).toEqual({ x: 480, y: 120 });
  expect(before).toBeGreaterThanOrEqual(2);
  await canvas.look({ x: 300, y: 100, zoom: 0.5 });
  await expect(notice.getByRole('alert')).toHaveCount(1);

  await page.evaluate(() => (window as unknown as { giveBack: () => void }).giveBack());
  await notice.getByRole('button', { name: 'Нарисовать заново' }).click();
  await expect(notice).toHaveCount(0);
  await expect.poll(drawn).toBe(2);
});

test.describe('one pixel a CSS pixel', () => {
  test.use({ deviceScaleFactor: 1 });
  test('W2.05 on a screen with another pixel ratio the canvas is drawn pixel for pixel', { tag: '@rest-nightly' }, async ({ page }) => {
    const canvas = await new BenchPage(page).open(two);
    const size = () => surface(page).evaluate((element: HTMLCanvasElement) => [element.width, element.clientWidth, element.height]);
    expect(await size()).toEqual([1_440, 1_440, 900]);
    const session = await page.context().newCDPSession(page);
    const screenOf = (deviceScaleFactor: number) =>
      session.send('Emulation.setDeviceMetricsOverride', { width: 1_440, height: 900, deviceScaleFactor, mobile: false });
    await screenOf(2);
    // An emulated screen fires no event; the canvas reads the new pixel ratio at the next camera change.
    await canvas.look({ x: 320, y: 120, zoom: 1 });
    await expect.poll(size).toEqual([2_880, 1_440, 1_800]);
    await screenOf(1.5);
    await canvas.look({ x: 320, y: 120, zoom: 1 });
    await expect.poll(size).toEqual([2_160, 1_440, 1_350]);
    await canvas.drag(await canvas.middleOf('a'), { x: (await canvas.middleOf('a')).x + 40, y: (await canvas.middleOf('a')).y + 20 });
    await expect.poll(() => canvas.at('a')).toEqual({ x: 40, y: 20 });
  });

  test('W2.05 the canvas follows the size of the window, and the view stays where it is', { tag: '@rest-nightly' }, async ({ page }) => {
    const canvas = await new BenchPage(page).open(two);
    await page.setViewportSize({ width: 1_700, height: 1_000 });
    await expect
      .poll(() => surface(page).evaluate((element: HTMLCanvasElement) => [element.width, element.height]))
      .toEqual([1_700, 1_000]);
    await expect.poll(() => canvas.camera()).toEqual({ x: 320, y: 120, zoom: 1 });
    await canvas.drag({ x: 1_600, y: 620 }, { x: 1_560, y: 600 });
    await expect.poll(() => canvas.camera()).toEqual({ x: 280, y: 100, zoom: 1 });
  });
});

test('W2.05 a hidden tab draws no frame, and shows the changes when it is visible again', async ({ page }) => {
  const canvas = await new BenchPage(page).open(two);
  const hide = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await hide(true);
  const before = await frames(page);
  await canvas.look({ x: 100, y: 100, zoom: 0.5 });
  await afterFrames(page);
  expect(await frames(page)).toBe(before);
  await hide(false);
  await expect.poll(() => frames(page)).toBeGreaterThan(before);
});

test('W2.05 until its first frame the canvas shows the page behind it, which is not black', { tag: '@rest' }, async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }));
  await page.goto('/bench?n=2');
  await expect(surface(page)).toBeAttached();
  await expect(surface(page)).toBeHidden();
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: false, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect(surface(page)).toBeVisible();
});

const refusals = [
  { colorScheme: 'light', refused: 'webgl' },
  { colorScheme: 'dark', refused: 'webgl2' },
] as const;

for (const { colorScheme, refused } of sampleOf(refusals, { some: 1 })) {
  test.describe(`in a browser that refuses ${refused}, ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('W2.05 the page gives the reason, and every edit is possible in its list with the keyboard', { tag: '@rest' }, async ({
      page,
    }) => {
      const thrown: string[] = [];
      page.on('pageerror', (error) => thrown.push(error.message));
      await page.addInitScript((kind) => {
        const { getContext } = HTMLCanvasElement.prototype;
        HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...asked: Parameters<typeof getContext>) {
          return asked[0].startsWith(kind) ? null : getContext.apply(this, asked);
        } as typeof getContext;
      }, refused);
      await page.goto('/bench?n=8');
      const fallback = page.getByTestId('canvas-fallback');
      await expect(fallback.getByRole('alert')).toContainText('Нужен WebGL 2');
      const line = (id: string) => fallback.locator(`[data-node-id="${id}"]`);
      await expect(fallback.locator('[data-node-id]')).toHaveCount(8);
      await expect(line('n0')).toBeVisible();
      expect(await faults(page)).toEqual([]);

      await line('n0').focus();
      await page.keyboard.press('ArrowRight');
      await expect(line('n1')).toBeFocused();
      await page.keyboard.press('l');
      await line('n5').focus();
      await page.keyboard.press('Enter');
      await expect(fallback.locator('[data-from="n1"][data-to="n5"]')).toHaveCount(1);
      await line('n7').focus();
      await page.keyboard.press('Delete');
      await expect(fallback.locator('[data-node-id]')).toHaveCount(7);
      await page.keyboard.press('Control+z');
      await expect(fallback.locator('[data-node-id]')).toHaveCount(8);
      await line('n0').dblclick();
      const box = fallback.getByRole('textbox');
      await expect(box).toBeFocused();
      await page.keyboard.type('Задача');
      await expect(box).toHaveValue('Задача');
      expect(thrown).toEqual([]);
    });
  });
}
