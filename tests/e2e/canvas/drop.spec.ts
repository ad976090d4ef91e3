import { expect } from 'playwright/test';
import { translate } from '../../support/browser/translate.ts';
import { chooseInView } from '../../support/browser/view-menu.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';
import { test } from '../../support/canvas/canvas-test.ts';

const one = { a: { x: 0, y: 0 } };

const start = translate('ru', 'workspace', 'trigger.start');
const dialog = translate('ru', 'workspace', 'trigger.dialog');
const tester = translate('ru', 'workspace', 'user.tester');
const made = async (canvas: BenchPage) => (await canvas.document()).nodes.filter(({ id }) => id !== 'a');

test('W5.02 a dropped card has its middle under the pointer at any zoom, is selected, and is undone as one step', { tag: '@rest' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).show(one);
  await canvas.look({ x: 400, y: 100, zoom: 0.5 });
  await canvas.drag(await canvas.row(start), { x: 800, y: 500 });
  await expect.poll(() => made(canvas)).toHaveLength(1);
  const [card] = await made(canvas);
  // A start node is 200 x 68.
  expect(card).toMatchObject({ x: (800 - 400) / 0.5 - 100, y: (500 - 100) / 0.5 - 34 });
  // The selection follows the reply to the command, which comes after the card itself.
  await expect.poll(() => canvas.selected()).toEqual([card?.id]);
  await canvas.click({ x: 700, y: 700 });
  await page.keyboard.press('Control+z');
  await canvas.expectCards('a');
});

test('W5.02 a drop beyond 10,000 is moved to 10,000, and with the grid on to the grid', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(one);
  await canvas.look({ x: -14_000, y: 21_000, zoom: 1 });
  await canvas.drag(await canvas.row(start), { x: 800, y: 500 });
  await expect.poll(async () => (await made(canvas)).map(({ x, y }) => ({ x, y }))).toEqual([{ x: 10_000, y: -10_000 }]);
  await chooseInView(page, 'snap');
  await canvas.look({ x: 400, y: 100, zoom: 1 });
  await canvas.drag(await canvas.row(dialog), { x: 811, y: 533 });
  await expect.poll(async () => (await made(canvas)).length).toBe(2);
  const dropped = (await made(canvas)).at(-1);
  expect([(dropped?.x ?? 1) % 20, (dropped?.y ?? 1) % 20]).toEqual([0, 0]);
});

test('W5.02 a drop over a panel or with Escape places nothing; a click takes the next free place, and the camera shows it', {
  tag: '@rest',
}, async ({ page }) => {
  const canvas = await new BenchPage(page).show(one);
  await canvas.drag(await canvas.row(start), await canvas.row(dialog));
  const from = await canvas.row(start);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(700, 400);
  await page.mouse.move(800, 500);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await canvas.expectCards('a');
  await page.mouse.click(from.x, from.y);
  // The card at (0, 0), 280 wide, covers (50, 50) and the places next to it.
  await expect.poll(async () => (await made(canvas)).map(({ x, y }) => ({ x, y }))).toEqual([{ x: 490, y: 50 }]);
  // The camera moves to the next placed card, with the sidebar not over it.
  await canvas.look({ x: 9_000, y: 9_000, zoom: 1 });
  await page.mouse.click(from.x, from.y);
  const left = async () => ((await made(canvas))[1]?.x ?? Number.NaN) + (await canvas.camera()).x;
  const top = async () => ((await made(canvas))[1]?.y ?? Number.NaN) + (await canvas.camera()).y;
  await expect.poll(left).toBeGreaterThan(from.x);
  await expect.poll(left).toBeLessThan(1_440 - 200);
  await expect.poll(top).toBeGreaterThan(0);
  await expect.poll(top).toBeLessThan(900 - 68);
});

test('W5.02 an agent with a card is placed by neither click nor drag, and can be placed again when its card is deleted', {
  tag: '@rest',
}, async ({ page }) => {
  const canvas = await new BenchPage(page).show(one);
  await canvas.drag(await canvas.row(tester), { x: 800, y: 500 });
  await expect.poll(async () => (await made(canvas)).length).toBe(1);
  const spent = page.getByTestId('sidebar').locator('[data-spent]');
  await expect(spent).toHaveText(new RegExp(tester));
  const from = await canvas.row(tester);
  await canvas.drag(from, { x: 800, y: 300 });
  await canvas.click(from);
  const [card] = await made(canvas);
  expect(await made(canvas)).toHaveLength(1);
  await canvas.click({ x: 800, y: 500 });
  await expect.poll(() => canvas.selected()).toEqual([card?.id]);
  await page.keyboard.press('Delete');
  await expect(spent).toHaveCount(0);
  await canvas.drag(from, { x: 800, y: 300 });
  await expect.poll(async () => (await made(canvas)).length).toBe(1);
});

test('W9.01 clicked cards take free places from (50, 50) on, 20 apart, and a new row begins beyond 1,000', { tag: '@rest' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).openOwn(0);
  const placed = async () => (await canvas.document()).nodes.map(({ x, y }) => [x, y]);
  const from = await canvas.row(start);
  for (let count = 1; count <= 6; count++) {
    await canvas.click(from);
    await expect.poll(async () => (await placed()).length).toBe(count);
  }
  // A start node is 200 x 68.
  expect(await placed()).toEqual([50, 270, 490, 710, 930, 50].map((x, i) => [x, i < 5 ? 50 : 138]));
});
