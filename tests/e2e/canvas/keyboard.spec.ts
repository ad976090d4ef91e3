import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { faultsInBothThemes } from '../../support/browser/faults.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';

test('W2.05 the canvas with its cards, forms and panels, the offer of an empty canvas and the read-only canvas can be read and used by everyone', {
  tag: '@rest',
}, async ({ page }) => {
  const canvas = await new BenchPage(page).open({});
  await expect(page.getByTestId('empty-canvas')).toBeVisible();
  expect(await faultsInBothThemes(page)).toEqual([]);
  for (const query of ['&readonly', '']) {
    await canvas.openOwn(12, query);
    await canvas.look({ x: 360, y: 200, zoom: 1 });
    await expect(page.locator('[data-dialog-id]')).toHaveCount(1);
    if (query === '') {
      await canvas.card('n3').focus();
      await page.keyboard.press('Alt+p');
      await expect(page.getByTestId('performance')).toBeVisible();
    }
    expect(await faultsInBothThemes(page)).toEqual([]);
  }
});

test('W2.05 the keyboard follows the links of the graph, also to cards that the list does not show yet', { tag: '@rest-nightly' }, async ({
  page,
}) => {
  const rows = Array.from({ length: 300 }, (_, i): [string, { x: number; y: number }] => [`c${i}`, { x: 0, y: i * 200 }]);
  const canvas = await new BenchPage(page).open(Object.fromEntries(rows), [
    ['c0', 'c250'],
    ['c250', 'c3'],
    ['c0', 'c1'],
  ]);
  await expect(canvas.link('c0', 'c250')).toHaveCount(1);
  await canvas.card('c0').focus();
  await page.keyboard.press('ArrowRight');
  await expect(canvas.card('c250')).toBeFocused();
  await expect(page.locator('[data-testid="canvas-outline"] [role="status"]')).toHaveText('По связи от «c0»');
  await page.keyboard.press('ArrowRight');
  await expect(canvas.card('c3')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(canvas.card('c250')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(canvas.card('c0')).toBeFocused();
  // The second link of the card is one line below.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(canvas.link('c0', 'c1')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(canvas.card('c1')).toBeFocused();
});

test('W2.05 a card is added, linked, moved and deleted by the keyboard alone, and each step is announced', { tag: '@rest' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).open({ a: { x: 0, y: 0 }, b: { x: 420, y: 120 } });
  await canvas.card('a').focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Добавить диалог');
  await page.keyboard.press('Enter');
  const dialog = page.locator('[data-testid="canvas-outline"] [data-node-type="dialog"]');
  await expect(dialog).toHaveCount(1);
  await dialog.focus();
  await page.keyboard.press('l');
  const said = page.locator('[data-testid="canvas-outline"] [role="status"]');
  await expect(said).toContainText('выберите карточку');
  await canvas.card('a').focus();
  await page.keyboard.press('Enter');
  await expect(said).toContainText('Связь проведена');
  await expect(page.locator('[data-testid="canvas-outline"] [data-to="a"]')).toHaveCount(1);
  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(() => canvas.at('a')).toEqual({ x: 0, y: 20 });
  await page.keyboard.press('Delete');
  await expect(canvas.card('a')).toHaveCount(0);
  await expect(page.locator('[data-testid="canvas-outline"] [data-link-id]')).toHaveCount(0);
});

test('W2.12 the form stays on its card at every zoom at which it can be used, while the view moves', { tag: '@rest-nightly' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).openOwn(6);
  const form = page.locator('[data-dialog-id="n0"]');
  const { x, y } = await canvas.at('n0');
  for (const camera of [
    { x: 360, y: 200, zoom: 0.6 },
    { x: 341.5, y: 180.25, zoom: 0.87 },
    { x: 300, y: 150, zoom: 1.5 },
    { x: 310, y: 200, zoom: 3 },
  ]) {
    await canvas.look(camera);
    const box = await form.boundingBox();
    expect(box?.x).toBeCloseTo(x * camera.zoom + camera.x, 0);
    expect(box?.y).toBeCloseTo(y * camera.zoom + camera.y, 0);
    expect(box?.width).toBeCloseTo(280 * camera.zoom, 0);
  }
});

test('W2.12 text from an input method is taken in full, and the Enter that ends a composition sends nothing', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const canvas = await new BenchPage(page).openOwn(6);
  await canvas.look({ x: 360, y: 200, zoom: 1 });
  const form = page.locator('[data-dialog-id="n0"]');
  const box = form.getByRole('textbox');
  await box.click();
  const session = await page.context().newCDPSession(page);
  const compose = (text: string) =>
    session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await compose('に');
  await compose('にほん');
  await expect(box).toHaveValue('にほん');
  await box.dispatchEvent('keydown', { key: 'Enter', code: 'Enter', ctrlKey: true, isComposing: true });
  await session.send('Input.insertText', { text: '日本' });
  await expect(box).toHaveValue('日本');
  await page.keyboard.type(' и Ёжик');
  await expect(box).toHaveValue('日本 и Ёжик');
  await expect(form.getByRole('alert')).toHaveCount(0);
  await expect.poll(() => canvas.camera()).toEqual({ x: 360, y: 200, zoom: 1 });
});
