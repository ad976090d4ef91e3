import { expect } from 'playwright/test';
import { translate } from '../../support/browser/translate.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';
import { test } from '../../support/canvas/canvas-test.ts';

const two = { a: { x: 0, y: 0 }, b: { x: 420, y: 120 } };
const outline = '[data-testid="canvas-outline"]';

test('W3.01 a note is written in place, read by a screen reader, edited and undone', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(two);
  await page.mouse.click(660, 600, { button: 'right' });
  await page.getByRole('menuitem', { name: translate('ru', 'actions', 'name.addNote') }).click();
  const box = page.getByRole('textbox', { name: translate('ru', 'canvas', 'annotation.text') });
  await expect(box).toBeFocused();
  await page.keyboard.type('Согласовать сроки\nдо пятницы');
  await page.keyboard.press('Control+Enter');
  await expect(box).toHaveCount(0);
  const line = page.locator(`${outline} [data-node-type="note"]`);
  await expect(line).toContainText('Согласовать сроки');
  await line.focus();
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue('Согласовать сроки\nдо пятницы');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Готово');
  await canvas.click({ x: 600, y: 760 });
  await expect(line).toContainText('Готово');
  await page.keyboard.press('Control+z');
  await expect(line).toContainText('Согласовать сроки');
});

test('W3.01 a group is drawn round the selection, named, moved with its content, resized, and deleted without its content', {
  tag: '@rest',
}, async ({ page }) => {
  const canvas = await new BenchPage(page).show(two, [['a', 'b']]);
  await canvas.click({ x: 620, y: 700 });
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+g');
  const name = page.getByTestId('name-editor').getByRole('textbox');
  await expect(name).toBeFocused();
  await page.keyboard.type('Команда «Платежи»');
  await page.keyboard.press('Enter');
  const line = page.locator(`${outline} [data-node-type="group"]`);
  await expect(line).toContainText('Команда «Платежи»');

  // The top-left corner of the group is 32 px outside the first card's.
  const { x, y } = await canvas.camera();
  await canvas.drag({ x: x + 60, y: y - 44 }, { x: x + 160, y: y + 16 });
  await expect.poll(() => canvas.at('a')).toEqual({ x: 100, y: 60 });
  expect(await canvas.at('b')).toEqual({ x: 520, y: 180 });
  await page.keyboard.press('Control+z');
  await expect.poll(() => canvas.at('a')).toEqual({ x: 0, y: 0 });

  await canvas.click({ x: x + 60, y: y - 44 });
  const corner = page.locator('[data-grip="se"]');
  const before = await corner.boundingBox();
  if (!before) throw new Error('No handle');
  await canvas.drag({ x: before.x + 5, y: before.y + 5 }, { x: before.x + 85, y: before.y + 65 });
  await expect.poll(async () => (await corner.boundingBox())?.x).toBeCloseTo(before.x + 80, 0);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await corner.boundingBox())?.x).toBeCloseTo(before.x, 0);

  await line.focus();
  await page.keyboard.press('Delete');
  await expect(line).toHaveCount(0);
  await canvas.expectCards('a', 'b');
});

test('W3.01 a note that is being edited stays open when a run begins', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(two);
  await page.mouse.click(660, 600, { button: 'right' });
  await page.getByRole('menuitem', { name: translate('ru', 'actions', 'name.addNote') }).click();
  const box = page.getByRole('textbox', { name: translate('ru', 'canvas', 'annotation.text') });
  await expect(box).toBeFocused();
  await page.keyboard.type('Спросить Ольгу');
  await expect(box).toHaveValue('Спросить Ольгу');
  await page.evaluate(() => window.__bench?.work(0));
  await expect(page.locator(`${outline} [data-node-id="a"]`)).toHaveAttribute('data-state', 'active');
  await canvas.click({ x: 600, y: 760 });
  await expect(box).toHaveValue('Спросить Ольгу');
});

test('W3.01 a layout keeps a group round its cards, and one undo puts back cards and frame', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show({ a: { x: 300, y: 260 }, b: { x: 0, y: 0 }, c: { x: 700, y: 60 } }, [
    ['c', 'a'],
    ['a', 'b'],
  ]);
  const group = async () => (await canvas.document()).nodes.find(({ title }) => title === translate('ru', 'content/nodes', 'group'));
  await canvas.click(await canvas.middleOf('a'));
  await page.keyboard.down('Shift');
  await canvas.click(await canvas.middleOf('b'));
  await page.keyboard.up('Shift');
  await page.keyboard.press('Control+g');
  await expect(page.getByTestId('name-editor').getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Enter');
  const before = await group();
  await canvas.click({ x: 620, y: 700 });
  await page.keyboard.press('Alt+l');
  await expect.poll(async () => (await canvas.at('b')).x - (await canvas.at('a')).x).toBe(400);
  const [a, c] = [await canvas.at('a'), await canvas.at('c')];
  expect(await group()).toMatchObject({ x: a.x - 32, y: a.y - 32 });
  expect((await group())?.x).toBe(c.x + 280 + 120);
  await page.keyboard.press('Control+z');
  await expect.poll(() => canvas.at('a')).toEqual({ x: 300, y: 260 });
  await expect.poll(group).toEqual(before);
});

test('W3.01 a note is resized by the keyboard, on the canvas and in the list, which says how large it is', async ({ page }) => {
  const canvas = await new BenchPage(page).show(two);
  await canvas.click({ x: 640, y: 760 });
  await page.keyboard.press('n');
  await expect(page.getByTestId('name-editor').getByRole('textbox')).toBeFocused();
  await page.keyboard.type('Сроки');
  await page.keyboard.press('Control+Enter');
  const size = () =>
    page.evaluate(() => {
      const note = Object.values(window.__bench?.document().nodes ?? {}).find(({ type }) => type === 'note');
      return note && [note.width, note.height];
    });
  await page.keyboard.press('Alt+Shift+ArrowRight');
  await expect.poll(size).toEqual([240, 160]);
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await expect.poll(size).toEqual([240, 180]);
  await page.keyboard.press('Control+z');
  await expect.poll(size).toEqual([240, 160]);
  await page.locator(`${outline} [data-node-type="note"]`).focus();
  await page.keyboard.press('Alt+Shift+ArrowLeft');
  await expect.poll(size).toEqual([220, 160]);
  await expect(page.getByTestId('canvas-outline').getByRole('status')).toHaveText(
    translate('ru', 'canvas', 'outline.resized', { width: 220, height: 160 }),
  );
});

test('W3.01 Escape during a resize leaves the note unchanged, and the next resize begins from there', { tag: '@rest' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).show(two);
  await canvas.click({ x: 640, y: 760 });
  await page.keyboard.press('n');
  await expect(page.getByTestId('name-editor').getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Control+Enter');
  const note = () =>
    page.evaluate(() => {
      const made = Object.values(window.__bench?.document().nodes ?? {}).find(({ type }) => type === 'note');
      return made && [made.x, made.y, made.width ?? null, made.height ?? null];
    });
  const before = await note();
  const corner = page.locator('[data-grip="se"]');
  const box = await corner.boundingBox();
  if (!box) throw new Error('No handle');
  const hold = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(hold.x, hold.y);
  await page.mouse.down();
  await page.mouse.move(hold.x + 90, hold.y + 70);
  await expect.poll(async () => (await corner.boundingBox())?.x).toBeCloseTo(box.x + 90, 0);
  await page.keyboard.press('Escape');
  await page.mouse.move(hold.x + 120, hold.y + 90);
  await page.mouse.up();
  expect(await note()).toEqual(before);
  await canvas.click({ x: hold.x - 40, y: hold.y - 40 });
  await expect.poll(async () => (await corner.boundingBox())?.x).toBeCloseTo(box.x, 0);
});

test('W3.01 F2 renames a card, and Escape leaves its name unchanged', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(two);
  await canvas.card('b').focus();
  await page.keyboard.press('F2');
  const name = page.getByTestId('name-editor').getByRole('textbox');
  await expect(name).toHaveValue('b');
  await page.keyboard.type('Новое имя');
  await page.keyboard.press('Escape');
  await expect(canvas.card('b')).not.toContainText('Новое');
  await canvas.card('b').focus();
  await page.keyboard.press('F2');
  await expect(name).toBeFocused();
  await page.keyboard.type('Новое имя');
  await page.keyboard.press('Enter');
  await expect(canvas.card('b')).toContainText('Новое имя');
});

test('W3.01 keys that are typed before the editor is there are its own: they remove no card, and none is lost', { tag: '@rest' }, async ({
  page,
}) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/edit-controls*', async (route) => {
    await promise;
    await route.continue();
  });
  const canvas = await new BenchPage(page).open(two);
  await canvas.card('b').focus();
  await page.keyboard.press('F2');
  await page.keyboard.press('Delete');
  await page.keyboard.type('New name');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Delete');
  await expect(canvas.card('b')).toHaveCount(1);
  resolve();
  await expect(canvas.card('b')).toContainText('New name');
  await expect(page.getByTestId('name-editor')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(canvas.card('b')).not.toContainText('New');
  await page.unroute('**/edit-controls*');
});
