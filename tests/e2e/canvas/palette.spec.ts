import { expect } from 'playwright/test';
import { translate } from '../../support/browser/translate.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';
import { test } from '../../support/canvas/canvas-test.ts';

const far = { near: { x: 0, y: 0 }, Планировщик: { x: 9_000, y: 4_000 }, 'План второй': { x: -8_000, y: 100 } };
const empty = { x: 560, y: 640 };

/** World coordinates of the middle of the area between the panels; `left`: where it begins. */
const middle = ({ x, y, zoom }: { x: number; y: number; zoom: number }, left = 268) => ({
  x: (left + 1440 - 0) / 2 / zoom - x / zoom,
  y: 450 / zoom - y / zoom,
});

test('W2.05 a card is found by its name with the keyboard alone, brought into view and selected', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(far);
  await page.keyboard.press('Control+k');
  const palette = page.getByTestId('palette');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('планир');
  await expect(palette.getByRole('option').first()).toContainText('Планировщик');
  await page.keyboard.press('Enter');
  await expect(palette).toHaveCount(0);
  const at = middle(await canvas.camera());
  expect(Math.abs(at.x - 9_140)).toBeLessThan(60);
  expect(Math.abs(at.y - 4_078)).toBeLessThan(120);
  await page.keyboard.press('Delete');
  await canvas.expectCards('near', 'План второй');
});

test('W2.05 Tab walks the matches on the canvas, and Ctrl Enter selects them all', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(far);
  await page.keyboard.press('Control+f');
  await page.keyboard.type('план');
  await expect(page.getByTestId('palette')).toContainText('2 карточки');
  // The search stands at the side, and covers none of them.
  const search = await page.getByTestId('palette').boundingBox();
  const beside = (search?.x ?? 0) + (search?.width ?? 0);
  expect(beside).toBe(412);
  await page.keyboard.press('Tab');
  await expect.poll(async () => Math.abs(middle(await canvas.camera(), beside).x + 7_860)).toBeLessThan(60);
  await page.keyboard.press('Tab');
  await expect.poll(async () => Math.abs(middle(await canvas.camera(), beside).x - 9_140)).toBeLessThan(60);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByTestId('palette')).toHaveCount(0);
  await page.keyboard.press('Delete');
  await canvas.expectCards('near');
});

test('W2.05 during a search the cards that do not match are dimmed, and are no longer dimmed when it ends', { tag: '@rest' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).show({ Аналитик: { x: 0, y: 420 }, Тестировщик: { x: 420, y: 420 } });
  const picture = async (card: string) => {
    const { x, y } = await canvas.middleOf(card);
    return (await page.screenshot({ clip: { x: x - 130, y: y - 60, width: 260, height: 120 } })).toString('base64');
  };
  const { x, y } = await canvas.middleOf('Тестировщик');
  await page.mouse.click(x + 160, y - 80, { button: 'right' });
  await page.getByRole('menuitem', { name: translate('ru', 'actions', 'name.addNote') }).click();
  const text = page.getByRole('textbox', { name: translate('ru', 'canvas', 'annotation.text') });
  await text.fill('Анализ рынка');
  const box = await text.boundingBox();
  await canvas.click({ x: 640, y: 780 });
  await expect(text).toHaveCount(0);
  if (!box) throw new Error('The note has no text box');
  const clip = { x: box.x + 10, y: box.y + 10, width: box.width - 20, height: 60 };
  const note = async () => (await page.screenshot({ clip })).toString('base64');
  await canvas.atRest();
  const before = { found: await picture('Аналитик'), other: await picture('Тестировщик'), note: await note() };
  await page.keyboard.press('Control+f');
  await page.keyboard.type('анал');
  await expect.poll(() => picture('Тестировщик')).not.toBe(before.other);
  await expect.poll(() => picture('Аналитик')).toBe(before.found);
  await expect.poll(note).toBe(before.note);
  await page.keyboard.press('Escape');
  await expect.poll(() => picture('Тестировщик')).toBe(before.other);
});

test('W2.05 the palette runs the actions that it lists: undo, a panel, the theme, the language', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(far);
  const choose = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('palette')).toHaveCount(0);
  };
  await canvas.card('near').focus();
  await page.keyboard.press('Delete');
  await canvas.expectCards('Планировщик', 'План второй');
  await choose(translate('ru', 'actions', 'name.undo'));
  await canvas.expectCards('near', 'Планировщик', 'План второй');
  await choose(translate('ru', 'actions', 'name.toggleConsole'));
  await expect(page.locator('[data-workspace]')).toHaveAttribute('data-console', 'open');
  await choose(translate('ru', 'actions', 'name.theme'));
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await choose(translate('ru', 'actions', 'name.language'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

test('W2.05 Shift 2 brings the selection into view, and nothing moves without a selection', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(far);
  await canvas.click(empty);
  const before = await canvas.camera();
  await page.keyboard.press('Shift+Digit2');
  await expect.poll(() => canvas.camera()).toEqual(before);
  await canvas.card('Планировщик').focus();
  await canvas.look({ x: 0, y: 0, zoom: 0.3 });
  await page.keyboard.press('Shift+Digit2');
  const { zoom } = await canvas.camera();
  expect(zoom).toBe(1);
});

test('W2.05 the question mark opens the list of keys, with the key names of the operating system', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).open(far);
  await canvas.click(empty);
  await page.keyboard.press('Shift+?');
  const sheet = page.getByTestId('shortcuts');
  await expect(sheet).toContainText('Ctrl K');
  await page.getByRole('radio', { name: 'macOS' }).click();
  await expect(sheet).toContainText('⌘ K');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
});
