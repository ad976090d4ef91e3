import { expect } from 'playwright/test';
import { chooseInView, expectInView } from '../../support/browser/view-menu.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';
import { test } from '../../support/canvas/canvas-test.ts';

const three = { a: { x: 0, y: 0 }, b: { x: 420, y: 0 }, c: { x: 420, y: 260 } };

test('W2.06 Shift and a drag on empty canvas draw a selection marquee; the cards then move together', { tag: '@rest' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).show(three);
  const camera = await canvas.camera();
  const b = await canvas.middleOf('b');
  await page.keyboard.down('Shift');
  await canvas.drag({ x: b.x - 170, y: b.y - 90 }, { x: b.x, y: b.y + 300 });
  await page.keyboard.up('Shift');
  await expect.poll(async () => (await canvas.selected()).sort()).toEqual(['b', 'c']);
  await expect.poll(() => canvas.camera()).toEqual(camera);
  await canvas.drag(b, { x: b.x + 60, y: b.y + 40 });
  await expect.poll(() => canvas.at('c')).toEqual({ x: 480, y: 300 });
  await expect.poll(() => canvas.at('b')).toEqual({ x: 480, y: 40 });
  await expect.poll(() => canvas.at('a')).toEqual({ x: 0, y: 0 });
  await page.keyboard.press('Control+z');
  await expect.poll(() => canvas.at('b')).toEqual(three.b);
  await expect.poll(() => canvas.at('c')).toEqual(three.c);
});

test('W2.06 a click with Shift or Ctrl adds to or removes from the selection, Ctrl A selects every card, Escape none', {
  tag: '@rest',
}, async ({ page }) => {
  const canvas = await new BenchPage(page).show(three);
  await canvas.click(await canvas.middleOf('a'));
  await page.keyboard.down('Shift');
  await canvas.click(await canvas.middleOf('b'));
  await page.keyboard.up('Shift');
  await expect.poll(() => canvas.selected()).toEqual(['a', 'b']);
  await page.keyboard.down('Control');
  await canvas.click(await canvas.middleOf('a'));
  await page.keyboard.up('Control');
  await expect.poll(() => canvas.selected()).toEqual(['b']);
  await page.keyboard.press('Control+a');
  await expect.poll(async () => (await canvas.selected()).sort()).toEqual(['a', 'b', 'c']);
  await page.keyboard.press('Escape');
  await expect.poll(() => canvas.selected()).toEqual([]);
});

test('W2.06 Escape ends a marquee and restores the earlier selection', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(three);
  await canvas.click(await canvas.middleOf('a'));
  const b = await canvas.middleOf('b');
  await page.keyboard.down('Shift');
  await page.mouse.move(b.x - 170, b.y - 90);
  await page.mouse.down();
  await page.mouse.move(b.x, b.y);
  await expect.poll(() => canvas.selected()).toEqual(['a', 'b']);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await expect.poll(() => canvas.selected()).toEqual(['a']);
});

test('W2.06 the selecting mode is chosen in the menu of the view or by V, kept over a reload, and left by H', { tag: '@rest' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).show(three);
  await expectInView(page, 'hand', 'on');
  await chooseInView(page, 'select');
  const a = await canvas.middleOf('a');
  const marquee = [
    { x: a.x + 160, y: a.y + 110 },
    { x: a.x, y: a.y },
  ] as const;
  const camera = await canvas.camera();
  await canvas.drag(...marquee);
  await expect.poll(() => canvas.selected()).toEqual(['a']);
  await expect.poll(() => canvas.camera()).toEqual(camera);
  await canvas.open(three);
  await expectInView(page, 'select', 'on');
  await canvas.click({ x: a.x + 160, y: a.y + 110 });
  await page.keyboard.press('h');
  await expectInView(page, 'hand', 'on');
  await canvas.drag(...marquee);
  await expect.poll(() => canvas.camera()).toEqual({ ...camera, x: camera.x - 160, y: camera.y - 110 });
  await expect.poll(() => canvas.selected()).toEqual([]);
});

test('W4.12 a drag that is nearly level with a neighbour snaps to it; with Ctrl held it does not', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(three);
  const a = await canvas.middleOf('a');
  await canvas.drag(a, { x: a.x - 30, y: a.y + 4 });
  await expect.poll(() => canvas.at('a')).toEqual({ x: -30, y: 0 });
  await page.mouse.move(a.x - 30, a.y);
  await page.mouse.down();
  await page.keyboard.down('Control');
  await page.mouse.move(a.x - 40, a.y + 2);
  await page.mouse.move(a.x - 50, a.y + 4);
  await page.mouse.up();
  await page.keyboard.up('Control');
  await expect.poll(() => canvas.at('a')).toEqual({ x: -50, y: 4 });
});

test('W2.05 cards snap to the grid while that is chosen in the menu of the view, and the setting survives a reload', {
  tag: '@rest',
}, async ({ page }) => {
  const canvas = await new BenchPage(page).show(three);
  await chooseInView(page, 'snap');
  await canvas.open(three);
  await expectInView(page, 'snap', 'on');
  const a = await canvas.middleOf('a');
  await canvas.drag(a, { x: a.x - 33, y: a.y + 391 });
  await expect.poll(() => canvas.at('a')).toEqual({ x: -40, y: 400 });
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => canvas.at('a')).toEqual({ x: -20, y: 400 });
  await page.keyboard.press('Shift+ArrowUp');
  await expect.poll(() => canvas.at('a')).toEqual({ x: -20, y: 300 });
  // The next test has the same page.
  await chooseInView(page, 'snap');
  await expectInView(page, 'snap', 'off');
});

test('W4.12 a drag with Alt leaves the card and puts a copy where it ends, selected and undone as one', { tag: '@rest' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).show(three, [['a', 'b']]);
  await canvas.click(await canvas.middleOf('a'));
  await page.keyboard.down('Shift');
  await canvas.click(await canvas.middleOf('b'));
  await page.keyboard.up('Shift');
  const b = await canvas.middleOf('b');
  await page.keyboard.down('Alt');
  await canvas.drag(b, { x: b.x + 40, y: b.y + 470 });
  await page.keyboard.up('Alt');
  await expect.poll(async () => (await canvas.document()).nodes).toHaveLength(5);
  const { nodes, links } = await canvas.document();
  const copies = nodes.filter(({ id }) => !['a', 'b', 'c'].includes(id));
  expect(copies.map(({ x, y }) => ({ x, y }))).toEqual([
    { x: 40, y: 470 },
    { x: 460, y: 470 },
  ]);
  expect(links).toHaveLength(2);
  await expect.poll(() => canvas.at('b')).toEqual(three.b);
  await expect.poll(async () => (await canvas.selected()).sort()).toEqual(copies.map(({ id }) => id).sort());
  await page.keyboard.press('Control+z');
  await canvas.expectCards('a', 'b', 'c');
});

test('W2.06 a card that is dragged to the edge pans the view, and is placed where it is released', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(three);
  const a = await canvas.middleOf('a');
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move(a.x + 300, a.y + 400);
  await page.mouse.move(1_436, a.y + 400);
  await expect.poll(async () => (await canvas.camera()).x).toBeLessThan(-200);
  await page.mouse.move(900, a.y + 400);
  await page.mouse.up();
  const { x } = await canvas.camera();
  await expect.poll(() => canvas.at('a')).toEqual({ x: 900 - x - 140, y: 400 });
  expect((await canvas.at('a')).x).toBeGreaterThan(900);
});

test('D9.04 a press on the foot of a card that is done opens its result, on the sign of its state at a smaller zoom; elsewhere it selects', async ({
  page,
}) => {
  const canvas = await new BenchPage(page).show({ a: { x: 0, y: 0, status: 2 }, b: { x: 420, y: 0 } });
  const panel = page.getByTestId('console');
  const cursor = () => page.getByTestId('canvas').evaluate((element: HTMLElement) => element.style.cursor);
  const foot = async (id: string) => {
    const { x, y } = await canvas.middleOf(id);
    return { x, y: y + 62 };
  };
  const idle = await foot('b');
  await page.mouse.move(idle.x, idle.y);
  await expect.poll(cursor).toBe('default');
  await canvas.click(idle);
  await expect.poll(() => canvas.selected()).toEqual(['b']);
  await canvas.click(await canvas.middleOf('a'));
  await expect.poll(() => canvas.selected()).toEqual(['a']);
  await expect(panel).toHaveCount(0);
  const done = await foot('a');
  await page.mouse.move(done.x, done.y);
  await expect.poll(cursor).toBe('pointer');
  await canvas.click(done);
  await expect(panel).toBeVisible();
  await page.keyboard.press('Control+j');
  await expect(panel).toHaveCount(0);

  await canvas.look({ x: 400, y: 120, zoom: 0.5 });
  const middle = await canvas.middleOf('a');
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.move(middle.x + 70 - 17, middle.y - 20);
  await expect.poll(cursor).toBe('pointer');
  await canvas.click({ x: middle.x + 70 - 17, y: middle.y - 20 });
  await expect(panel).toBeVisible();
  await page.keyboard.press('Control+j');
  await expect(panel).toHaveCount(0);
});

test('D4.21 the bar of a selection stands near its cards and on none of them, also where they fill the lower part of the view', async ({
  page,
}) => {
  const wall = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`c${i}`, { x: (i % 3) * 330, y: 340 + Math.floor(i / 3) * 190 }]));
  const canvas = await new BenchPage(page).show(wall);
  const bar = page.getByTestId('selection-bar');
  const covered = async () => {
    const box = await bar.boundingBox();
    const { x, y } = await canvas.camera();
    if (!box) return ['no bar'];
    return Object.entries(wall)
      .filter(([, at]) => at.x + x < box.x + box.width && box.x < at.x + x + 280 && at.y + y < box.y + box.height && box.y < at.y + y + 156)
      .map(([id]) => id);
  };
  await canvas.card('c0').focus();
  await page.keyboard.press('Control+a');
  await expect(bar).toBeVisible();
  expect(await covered()).toEqual([]);
  await canvas.look({ x: 320, y: -330, zoom: 1 });
  // Now there is more room below.
  await expect.poll(async () => (await bar.boundingBox())?.y).toBe(340 + 190 + 156 - 330 + 12);
  expect(await covered()).toEqual([]);
});
