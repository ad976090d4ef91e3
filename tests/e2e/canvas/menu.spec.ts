import { expect, type Page } from 'playwright/test';
import { translate } from '../../support/browser/translate.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';
import { test } from '../../support/canvas/canvas-test.ts';

const three = { a: { x: 0, y: 0 }, b: { x: 420, y: 120 }, c: { x: 0, y: 300 } };
const empty = { x: 660, y: 640 };

const item = (page: Page, action: string) => page.getByRole('menuitem', { name: translate('ru', 'actions', `name.${action}`) });

test('W2.06 the right button opens a menu of its own on a card, a link and the empty canvas', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(three, [['a', 'b']]);
  const card = await canvas.middleOf('a');
  await page.mouse.click(card.x, card.y, { button: 'right' });
  await expect(page.getByRole('menu', { name: translate('ru', 'actions', 'menu.node') })).toBeVisible();
  // At most nine entries; the palette has the rest.
  const entries = page.getByRole('menu').getByRole('menuitem');
  expect(await entries.count()).toBeLessThanOrEqual(9);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  const out = await canvas.port('a', 'out');
  await page.mouse.click(out.x + 40, out.y, { button: 'right' });
  await expect(page.getByRole('menu', { name: translate('ru', 'actions', 'menu.link') })).toBeVisible();
  await item(page, 'delete').click();
  await expect(canvas.link('a', 'b')).toHaveCount(0);
  await page.mouse.click(empty.x, empty.y, { button: 'right' });
  await expect(item(page, 'addDialog')).toBeVisible();
  expect(await entries.count()).toBeLessThanOrEqual(9);
  await item(page, 'addDialog').click();
  const dialog = page.locator('[data-testid="canvas-outline"] [data-node-type="dialog"]');
  await expect(dialog).toHaveCount(1);
  await page.keyboard.press('Control+z');
  await expect(dialog).toHaveCount(0);
});

/** Where the words of the open menu's entries begin (CSS px of the window). */
const indents = (page: Page) =>
  page
    .getByRole('menu')
    .last()
    .locator('[role^="menuitem"]')
    .evaluateAll((entries) => [
      ...new Set(
        entries.map((entry) => {
          const words = document.createRange();
          const text = document.createTreeWalker(entry, NodeFilter.SHOW_TEXT).nextNode();
          words.selectNodeContents(text ?? entry);
          return Math.round(words.getBoundingClientRect().left);
        }),
      ),
    ]);

test('W2.06 D2.01 entries of a menu stand at one indent with and without a sign, and the menu of a link leaves its port free', {
  tag: '@rest',
}, async ({ page }) => {
  const canvas = await new BenchPage(page).show({ ...three, d: { x: 420, y: 340, kind: 'dialog' } });
  const out = await canvas.port('a', 'out');
  const menu = page.getByRole('menu');
  for (const to of [
    { x: out.x + 60, y: out.y - 90 },
    { x: out.x - 40, y: out.y + 120 },
    { x: out.x - 340, y: out.y + 110 },
  ]) {
    await canvas.drag(out, to);
    await expect(menu).toBeVisible();
    expect(await indents(page)).toHaveLength(1);
    const box = await menu.boundingBox();
    if (!box) throw new Error('The menu has no box');
    const covers = out.x > box.x - 8 && out.x < box.x + box.width + 8 && out.y > box.y - 8 && out.y < box.y + box.height + 8;
    expect(covers, JSON.stringify({ to, box })).toBe(false);
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
  }
  // One entry has no icon.
  await page.locator('[data-dialog-id] button[data-hue]').click();
  await expect(page.getByRole('menuitem', { name: translate('ru', 'canvas', 'dialog.byLinks') })).toBeVisible();
  expect(await indents(page)).toHaveLength(1);
});

test('W2.06 the menu opens with all its items: none comes later and moves the others', { tag: '@rest' }, async ({ browser }) => {
  const page = await browser.newPage();
  await page.route('**/assets/quick-menu-*.js', (route) => held.then(() => route.continue()));
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const canvas = await new BenchPage(page).open(three);
  const asked = page.waitForRequest('**/assets/quick-menu-*.js');
  await page.mouse.click(empty.x, empty.y, { button: 'right' });
  await asked;
  await canvas.atRest();
  expect(await page.getByRole('menu').count()).toBe(0);
  release();
  await expect(page.getByRole('menu')).toBeVisible();
  expect(await page.getByRole('menu').textContent()).toContain(translate('ru', 'workspace', 'sidebar.patterns'));
  await page.close();
});

test('W2.06 the menu of several cards counts them and removes them all; one undo brings them back', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(three, [['a', 'b']]);
  await canvas.click(empty);
  await page.keyboard.press('Control+a');
  const card = await canvas.middleOf('b');
  await page.mouse.click(card.x, card.y, { button: 'right' });
  await expect(page.getByRole('menu')).toContainText('Выделено 3 карточки');
  await item(page, 'delete').click();
  await canvas.expectCards();
  await page.keyboard.press('Control+z');
  await canvas.expectCards('a', 'b', 'c');
});

test('W2.06 the menu copies, cuts, pastes and duplicates', { tag: '@rest' }, async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const canvas = await new BenchPage(page).show(three);
  const cards = page.locator('[data-testid="canvas-outline"] [data-node-id]');
  const card = await canvas.middleOf('a');
  await page.mouse.click(card.x, card.y, { button: 'right' });
  await item(page, 'cut').click();
  await canvas.expectCards('b', 'c');
  await page.mouse.click(empty.x, empty.y, { button: 'right' });
  await item(page, 'paste').click();
  await expect(cards).toHaveCount(3);
  await expect(cards.filter({ hasText: 'a,' })).toHaveCount(1);
  const other = await canvas.middleOf('c');
  await page.mouse.click(other.x, other.y, { button: 'right' });
  await item(page, 'duplicate').click();
  await expect(cards.filter({ hasText: 'c,' })).toHaveCount(2);
});

test('W2.06 the keyboard opens the menu of the selection, moves through it and closes it', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(three);
  await canvas.card('c').focus();
  await page.keyboard.press('Shift+F10');
  const menu = page.getByRole('menu');
  await expect(menu).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(canvas.card('c')).toBeFocused();
  await page.keyboard.press('ContextMenu');
  await expect(menu).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(item(page, 'delete')).toBeFocused();
  await page.keyboard.press('Enter');
  await canvas.expectCards('a', 'b');
});

test('W2.06 a second press elsewhere moves the menu there, and the wheel closes it', { tag: '@rest' }, async ({ page }) => {
  const canvas = await new BenchPage(page).show(three);
  const card = await canvas.middleOf('a');
  await page.mouse.click(card.x, card.y, { button: 'right' });
  await expect(page.getByRole('menu', { name: translate('ru', 'actions', 'menu.node') })).toBeVisible();
  // Clear of the first menu.
  await page.mouse.click(empty.x + 240, empty.y, { button: 'right' });
  await expect(page.getByRole('menu', { name: translate('ru', 'actions', 'menu.canvas') })).toBeVisible();
  await page.mouse.move(empty.x - 40, empty.y - 40);
  await page.mouse.wheel(0, -100);
  await expect(page.getByRole('menu')).toHaveCount(0);
});

test.describe('by touch', () => {
  test.use({ hasTouch: true });

  test('W2.06 a long press opens the menu, and a finger that moves does not', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(three);
    const { x, y } = await canvas.middleOf('a');
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    const place = empty;
    await send('touchStart', [place]);
    await send('touchMove', [{ x: place.x + 50, y: place.y }]);
    await send('touchEnd', []);
    await expect.poll(async () => (await canvas.camera()).x).toBe(370);
    await send('touchStart', [{ x: x + 50, y }]);
    await expect(page.getByRole('menu', { name: translate('ru', 'actions', 'menu.node') })).toBeVisible();
    await send('touchEnd', []);
    await item(page, 'delete').tap();
    await canvas.expectCards('b', 'c');
  });
});
