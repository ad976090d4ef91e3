import { expect, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { translate } from '../../support/browser/translate.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';

const two = { a: { x: 0, y: 0 }, b: { x: 420, y: 120 } };
/** A point of the screen without cards and panels, at the camera position after the page opens. */
const empty = { x: 760, y: 620 };

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const putOnClipboard = (page: Page, text: string) => page.evaluate((given) => navigator.clipboard.writeText(given), text);

test('W3.01 a group is cut with its content, and pasted with it', { tag: '@rest-nightly' }, async ({ page }) => {
  const canvas = await new BenchPage(page).open(two, [['a', 'b']]);
  await canvas.click(await canvas.middleOf('a'));
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+g');
  await expect(page.getByTestId('name-editor').getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('name-editor')).toHaveCount(0);
  await page.keyboard.press('Control+x');
  await canvas.expectCards();
  await page.mouse.move(empty.x, empty.y);
  await page.keyboard.press('Control+v');
  await expect.poll(async () => (await canvas.document()).nodes).toHaveLength(3);
  expect((await canvas.document()).links).toHaveLength(1);
});

test('W3.01 cards that are copied are pasted at the pointer with the links among them, selected, and undone as one', {
  tag: '@rest',
}, async ({ page }) => {
  const canvas = await new BenchPage(page).open(two, [['a', 'b']]);
  await canvas.click(await canvas.middleOf('a'));
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await expect.poll(() => clipboard(page)).toContain('"canvas"');
  expect(JSON.parse(await clipboard(page))).toMatchObject({
    artel: 'canvas',
    nodes: [{ id: 'a' }, { id: 'b' }],
    connections: [{ id: 'a-b' }],
  });
  await page.mouse.move(empty.x, empty.y);
  await page.keyboard.press('Control+v');
  await expect.poll(async () => (await canvas.document()).nodes).toHaveLength(4);
  const { nodes, links } = await canvas.document();
  const [first, second] = nodes.filter(({ id }) => id !== 'a' && id !== 'b');
  if (!first || !second) throw new Error('Nothing was pasted');
  // The middle of both cards is under the pointer.
  const { x, y } = await canvas.camera();
  expect({ x: (first.x + second.x + 280) / 2, y: (first.y + second.y + 156) / 2 }).toEqual({ x: empty.x - x, y: empty.y - y });
  expect({ x: second.x - first.x, y: second.y - first.y }).toEqual({ x: 420, y: 120 });
  expect(links).toHaveLength(2);
  expect(links).toContainEqual({ from: first.id, to: second.id });
  await expect.poll(async () => (await canvas.selected()).sort()).toEqual([first.id, second.id].sort());
  const told = page.getByTestId('edit-announcer');
  await expect(told).toHaveText('Добавлены 2 карточки, добавлена 1 связь');
  await page.keyboard.press('Control+z');
  await canvas.expectCards('a', 'b');
  await expect(told).toHaveText('Убраны 2 карточки, убрана 1 связь');
});

test('W3.01 a cut removes the cards, and pasting restores them, also after a reload', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).open(two, [['a', 'b']]);
  await canvas.click(await canvas.middleOf('a'));
  await page.keyboard.press('Control+x');
  await canvas.expectCards('b');
  await canvas.open({ c: { x: 0, y: 0 } });
  await page.mouse.move(empty.x, empty.y);
  await page.keyboard.press('Control+v');
  await expect.poll(async () => (await canvas.document()).nodes.map(({ title }) => title).sort()).toEqual(['a', 'c']);
});

test('W3.01 Ctrl D puts copies of the selection next to it', { tag: '@rest-nightly' }, async ({ page }) => {
  const canvas = await new BenchPage(page).open(two);
  await canvas.click(await canvas.middleOf('b'));
  await page.keyboard.press('Control+d');
  await expect.poll(async () => (await canvas.document()).nodes).toHaveLength(3);
  const copy = (await canvas.document()).nodes.find(({ id }) => id !== 'a' && id !== 'b');
  expect(copy).toMatchObject({ x: 440, y: 140, title: 'b' });
  await expect.poll(() => canvas.selected()).toEqual([copy?.id]);
});

test('W5.05 cards with mistakes are refused with a list of what is wrong, and other text in one line', { tag: '@rest-nightly' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).open(two);
  await canvas.click(empty);
  await putOnClipboard(page, JSON.stringify({ nodes: [{ id: 'n', type: 'agent', title: 'Тимлид', x: '3', y: 0 }], connections: [] }));
  await page.keyboard.press('Control+v');
  const list = page.getByTestId('refused-cards');
  await expect(list.getByRole('listitem')).toHaveText([
    translate('ru', 'errors', 'clip.cardField', { number: 1, name: 'Тимлид', field: 'x' }),
  ]);
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await putOnClipboard(page, 'Просто текст');
  await page.keyboard.press('Control+v');
  await expect(page.getByTestId('banner')).toContainText(translate('ru', 'errors', 'clip.notCards'));
  await canvas.expectCards('a', 'b');
});

test('W3.01 text that is selected or written elsewhere keeps its own clipboard', { tag: '@rest-nightly' }, async ({ page }) => {
  const canvas = await new BenchPage(page).openOwn(6);
  await canvas.look({ x: 360, y: 200, zoom: 1 });
  const box = page.locator('[data-dialog-id="n0"] textarea');
  await box.fill('Выгрузка заказов');
  await box.press('Control+a');
  await box.press('Control+x');
  await expect.poll(() => clipboard(page)).toBe('Выгрузка заказов');
  await box.press('Control+v');
  await box.press('Control+v');
  await expect(box).toHaveValue('Выгрузка заказовВыгрузка заказов');
  expect((await canvas.document()).nodes).toHaveLength(6);
});
