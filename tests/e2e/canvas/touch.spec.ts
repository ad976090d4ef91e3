import { expect } from 'playwright/test';
import { faults } from '../../support/browser/faults.ts';
import { Fingers } from '../../support/browser/fingers.ts';
import { translate } from '../../support/browser/translate.ts';
import { chooseInView } from '../../support/browser/view-menu.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';
import { test } from '../../support/canvas/canvas-test.ts';

const two = { a: { x: 0, y: 0 }, b: { x: 420, y: 220 } };

test.describe('on a tablet', () => {
  test.use({ viewport: { width: 1180, height: 820 }, hasTouch: true });
  /** A point of the screen without cards and panels, at the camera position after the page opens. */
  const empty = { x: 480, y: 480 };

  test('W2.06 one finger on empty canvas pans', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    const { x, y } = await canvas.camera();
    const fingers = await Fingers.of(page);
    await fingers.drag(empty, { x: 540, y: 440 });
    await expect.poll(() => canvas.camera()).toEqual({ x: x + 60, y: y - 40, zoom: 1 });
  });

  test('W2.06 two fingers zoom about their middle, between the limits, and the page itself does not zoom', async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    const before = await canvas.camera();
    const fingers = await Fingers.of(page);
    const middle = { x: 600, y: 500 };
    const under = (camera: typeof before) => ({ x: (middle.x - camera.x) / camera.zoom, y: (middle.y - camera.y) / camera.zoom });
    await fingers.press({ x: middle.x - 50, y: middle.y });
    await fingers.press({ x: middle.x + 50, y: middle.y }, 1);
    await fingers.move({ 0: { x: middle.x - 100, y: middle.y }, 1: { x: middle.x + 100, y: middle.y } });
    await expect.poll(async () => (await canvas.camera()).zoom).toBeCloseTo(2);
    const nearer = await canvas.camera();
    expect(under(nearer).x).toBeCloseTo(under(before).x);
    expect(under(nearer).y).toBeCloseTo(under(before).y);
    await fingers.move({ 0: { x: middle.x - 1, y: middle.y }, 1: { x: middle.x + 1, y: middle.y } });
    await expect.poll(async () => (await canvas.camera()).zoom).toBeCloseTo(0.1);
    await fingers.lift();
    expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1);
    await expect.poll(() => canvas.at('a')).toEqual(two.a);
  });

  test('W4.12 a finger drags a card; a second finger cancels the drag', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    const fingers = await Fingers.of(page);
    const a = await canvas.middleOf('a');
    await fingers.drag(a, { x: a.x + 10, y: a.y + 300 });
    await expect.poll(() => canvas.at('a')).toEqual({ x: 10, y: 300 });
    const now = await canvas.middleOf('a');
    await fingers.press(now);
    await fingers.move({ 0: { x: now.x + 50, y: now.y } });
    await fingers.press({ x: now.x + 300, y: now.y - 200 }, 1);
    await fingers.move({ 0: { x: now.x + 60, y: now.y }, 1: { x: now.x + 320, y: now.y - 200 } });
    await fingers.lift();
    await fingers.drag(await canvas.middleOf('b'), { x: (await canvas.middleOf('b')).x, y: (await canvas.middleOf('b')).y - 90 });
    await expect.poll(async () => (await canvas.at('b')).y).not.toBe(two.b.y);
    await expect.poll(() => canvas.at('a')).toEqual({ x: 10, y: 300 });
  });

  test('W4.11 a finger draws a link from port to port', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    const fingers = await Fingers.of(page);
    await fingers.drag(await canvas.port('a', 'out'), await canvas.port('b', 'in'));
    await expect(canvas.link('a', 'b')).toHaveCount(1);
  });

  test('W5.02 a finger drags a row of the sidebar onto the canvas, and scrolls the list where it moves up or down', async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    const fingers = await Fingers.of(page);
    const row = await canvas.row(translate('ru', 'workspace', 'trigger.start'));
    await fingers.drag(row, { x: row.x + 20, y: row.y + 120 });
    // The list may have been scrolled by that.
    await fingers.drag(await canvas.row(translate('ru', 'workspace', 'trigger.start')), { x: 700, y: 560 });
    await expect.poll(async () => (await canvas.document()).nodes.length).toBe(3);
    const { x, y } = await canvas.camera();
    const placed = (await canvas.document()).nodes.find(({ id }) => !(id in two));
    // A start node is 200 x 68, and its middle is under the finger.
    expect(placed).toMatchObject({ x: 700 - 100 - x, y: 560 - 34 - y });
  });

  test('W2.06 a tap selects, a long press selects and opens the menu, and a finger that moves first does neither', {
    tag: '@rest',
  }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    const fingers = await Fingers.of(page);
    await fingers.tap(await canvas.middleOf('a'));
    await expect.poll(() => canvas.selected()).toEqual(['a']);
    await fingers.press(await canvas.middleOf('b'));
    await expect(page.getByRole('menu')).toBeVisible();
    await fingers.lift();
    await expect.poll(() => canvas.selected()).toEqual(['b']);
    await expect(page.getByRole('menu')).toBeVisible();
    await expect.poll(() => canvas.at('b')).toEqual(two.b);
  });

  test('W2.06 in the selecting mode one finger draws the marquee and two still move the view', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    await chooseInView(page, 'select');
    const fingers = await Fingers.of(page);
    const a = await canvas.middleOf('a');
    await fingers.press({ x: a.x + 160, y: a.y + 100 });
    await fingers.move({ 0: { x: a.x + 100, y: a.y } });
    await expect.poll(() => canvas.selected()).toEqual(['a']);
    await fingers.lift();
    await expect.poll(() => canvas.selected()).toEqual(['a']);
    const { x, y } = await canvas.camera();
    await fingers.press(empty);
    await fingers.press({ x: empty.x + 200, y: empty.y }, 1);
    await fingers.move({ 0: { x: empty.x + 30, y: empty.y + 20 }, 1: { x: empty.x + 230, y: empty.y + 20 } });
    await fingers.lift();
    await expect.poll(async () => (await canvas.camera()).x).toBeCloseTo(x + 30);
    expect((await canvas.camera()).y).toBeCloseTo(y + 20);
    await expect.poll(() => canvas.selected()).toEqual(['a']);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('W2.07 a finger on a card or a port pans, two fingers zoom, and nothing is moved or linked', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    await canvas.look({ x: 60, y: 200, zoom: 0.6 });
    const fingers = await Fingers.of(page);
    const a = await canvas.middleOf('a');
    await fingers.drag(a, { x: a.x + 20, y: a.y + 50 });
    await expect.poll(async () => (await canvas.camera()).y).toBeCloseTo(250);
    expect((await canvas.camera()).x).toBeCloseTo(80);
    await fingers.drag(await canvas.port('a', 'out'), { x: 300, y: 600 });
    await fingers.press({ x: 150, y: 500 });
    await fingers.press({ x: 250, y: 500 }, 1);
    await fingers.move({ 0: { x: 125, y: 500 }, 1: { x: 275, y: 500 } });
    await expect.poll(async () => (await canvas.camera()).zoom).toBeCloseTo(0.9);
    await fingers.lift();
    expect((await canvas.document()).nodes.map(({ x, y }) => ({ x, y }))).toEqual([two.a, two.b]);
    expect((await canvas.document()).links).toEqual([]);
  });

  test('W2.06 the menu of a long press is completely on the screen, and names no keys', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    await canvas.look({ x: 160, y: 200, zoom: 0.6 });
    const fingers = await Fingers.of(page);
    await fingers.press({ x: 290, y: 250 });
    const menu = page.getByRole('menu');
    await expect(menu).toBeVisible();
    await fingers.lift();
    await expect
      .poll(async () => {
        const box = await menu.boundingBox();
        return box !== null && box.x >= 0 && box.x + box.width <= 390;
      })
      .toBe(true);
    await expect(menu.locator('kbd').first()).toBeHidden();
  });

  test('W5.04 W8.01 the errors of the canvas are counted before a run starts, and a tap lists them', async ({ page }) => {
    await new BenchPage(page).show({ ...two, d: { x: 0, y: 300, kind: 'dialog', title: 'Заказ' } });
    const list = page.getByRole('dialog', { name: translate('ru', 'workspace', 'run.errors_one', { count: 1 }) });
    await page.getByTestId('canvas-errors').tap();
    await expect(list).toBeVisible();
    await expect(list.getByRole('listitem')).toHaveText([translate('ru', 'errors', 'dialog.goalMissing', { name: 'Заказ' })]);
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
  });
});
