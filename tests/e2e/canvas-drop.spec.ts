import { expect, type Page, test } from 'playwright/test';
import { BenchPage } from '../support/bench-page.ts';
import { say } from '../support/browser/words.ts';

const one = { a: { x: 0, y: 0 } };

/** A place on a row of the sidebar. */
async function row(page: Page, trigger: 'start' | 'dialog') {
  const name = new RegExp(`${say('ru', 'workspace', `trigger.${trigger}`)}$`);
  const box = await page.getByTestId('sidebar').getByRole('button', { name }).first().boundingBox();
  if (!box) throw new Error(`No row for ${trigger}`);
  return { x: box.x + 60, y: box.y + box.height / 2 };
}

const made = async (canvas: BenchPage) => (await canvas.document()).nodes.filter(({ id }) => id !== 'a');

test('W5.02 what is dropped lands with its middle under the pointer, at any zoom, is selected and undone as one', async ({ page }) => {
  const canvas = await new BenchPage(page).open(one);
  await canvas.look({ x: 400, y: 100, zoom: 0.5 });
  await canvas.drag(await row(page, 'start'), { x: 800, y: 500 });
  await expect.poll(() => made(canvas)).toHaveLength(1);
  const [card] = await made(canvas);
  // A start is 200 x 68.
  expect(card).toMatchObject({ x: (800 - 400) / 0.5 - 100, y: (500 - 100) / 0.5 - 34 });
  expect(await canvas.selected()).toEqual([card?.id]);
  await canvas.click({ x: 700, y: 700 });
  await page.keyboard.press('Control+z');
  await canvas.expectCards('a');
});

test('W5.02 a drop far out is brought back to 10,000, with the grid on onto the grid', async ({ page }) => {
  const canvas = await new BenchPage(page).open(one);
  await canvas.look({ x: -14_000, y: 21_000, zoom: 1 });
  await canvas.drag(await row(page, 'start'), { x: 800, y: 500 });
  await expect.poll(async () => (await made(canvas)).map(({ x, y }) => ({ x, y }))).toEqual([{ x: 10_000, y: -10_000 }]);
  await page
    .getByTestId('tools')
    .getByRole('button', { name: say('ru', 'workspace', 'tools.snap') })
    .click();
  await canvas.look({ x: 400, y: 100, zoom: 1 });
  await canvas.drag(await row(page, 'dialog'), { x: 811, y: 533 });
  await expect.poll(async () => (await made(canvas)).length).toBe(2);
  const dropped = (await made(canvas)).at(-1);
  expect([(dropped?.x ?? 1) % 20, (dropped?.y ?? 1) % 20]).toEqual([0, 0]);
});

test('W5.02 a drop over a panel and an Escape place nothing, and a click takes the next free place', async ({ page }) => {
  const canvas = await new BenchPage(page).open(one);
  await canvas.drag(await row(page, 'start'), await row(page, 'dialog'));
  const from = await row(page, 'start');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(700, 400);
  await page.mouse.move(800, 500);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await canvas.expectCards('a');
  await page.mouse.click(from.x, from.y);
  // (50, 50) and the places beside it are taken by the card at (0, 0), which is 280 wide.
  await expect.poll(async () => (await made(canvas)).map(({ x, y }) => ({ x, y }))).toEqual([{ x: 490, y: 50 }]);
});

test('W2.07 who may only read looks around, selects and copies, and changes nothing', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const canvas = await new BenchPage(page).open({ ...one, b: { x: 420, y: 120 } }, [['a', 'b']], { readOnly: true });
  const before = await canvas.document();
  const camera = await canvas.camera();
  await canvas.drag(await canvas.middleOf('a'), { x: (await canvas.middleOf('a')).x + 60, y: (await canvas.middleOf('a')).y + 40 });
  expect(await canvas.camera()).toEqual({ ...camera, x: camera.x + 60, y: camera.y + 40 });
  await canvas.drag(await canvas.port('b', 'out'), await canvas.port('a', 'in'));
  await canvas.look(camera);
  const [out, end] = [await canvas.port('a', 'out'), await canvas.port('b', 'in')];
  await page.mouse.move((out.x + end.x) / 2, (out.y + end.y) / 2);
  await expect(page.locator('[data-remove-link]')).toHaveCount(0);
  await canvas.click(await canvas.middleOf('a'));
  await page.keyboard.press('Control+x');
  expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toMatchObject({ nodes: [{ id: 'a' }] });
  for (const key of ['Control+v', 'Control+d', 'Delete', 'ArrowRight', 'Control+z', 'Control+y']) await page.keyboard.press(key);
  await page.keyboard.down('Alt');
  await canvas.drag(await canvas.middleOf('b'), { x: 900, y: 600 });
  await page.keyboard.up('Alt');
  await canvas.drag(await row(page, 'start'), { x: 800, y: 600 });
  await page.keyboard.press('Control+a');
  await expect.poll(async () => (await canvas.selected()).length).toBe(2);
  expect(await canvas.document()).toEqual(before);
  await expect(page.getByTestId('tools').getByRole('button')).toHaveCount(2);
});
