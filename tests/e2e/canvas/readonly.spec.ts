import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { Fingers } from '../../support/browser/fingers.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { expectInView } from '../../support/browser/view-menu.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';

const two = { a: { x: 0, y: 0 }, b: { x: 420, y: 120 } };
const readOnly = { readOnly: true };
const words = translator('ru', 'workspace');

test.describe('in read-only mode a user', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

  test('W6.01 a viewer looks around, selects and copies, and no pointer or key changes the canvas', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).open(two, [['a', 'b']], readOnly);
    const before = await canvas.document();
    const camera = await canvas.camera();
    const a = await canvas.middleOf('a');
    await canvas.drag(a, { x: a.x + 60, y: a.y + 40 });
    await expect.poll(() => canvas.camera()).toEqual({ ...camera, x: camera.x + 60, y: camera.y + 40 });
    await canvas.drag(await canvas.port('b', 'out'), await canvas.port('a', 'in'));
    await canvas.look(camera);
    const [out, end] = [await canvas.port('a', 'out'), await canvas.port('b', 'in')];
    await page.mouse.move((out.x + end.x) / 2, (out.y + end.y) / 2);
    await canvas.click(await canvas.middleOf('a'));
    await expect(page.locator('[data-remove-link]')).toHaveCount(0);
    await page.keyboard.press('Control+x');
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain('"canvas"');
    expect(JSON.parse(await copied())).toMatchObject({ nodes: [{ id: 'a' }] });
    const edits = ['Control+v', 'Control+d', 'Delete', 'Backspace', 'ArrowRight', 'Control+z', 'Control+y', 'Alt+l'];
    for (const key of edits) await page.keyboard.press(key);
    await page.keyboard.down('Alt');
    await canvas.drag(await canvas.middleOf('b'), { x: 900, y: 600 });
    await page.keyboard.up('Alt');
    await page.keyboard.press('Control+a');
    await expect.poll(async () => (await canvas.selected()).length).toBe(2);
    expect(await canvas.document()).toEqual(before);
  });

  test('W6.01 a viewer walks the list of cards, and no key in the list links, moves or deletes a card', { tag: '@rest-nightly' }, async ({
    page,
  }) => {
    const canvas = await new BenchPage(page).open(two, [['a', 'b']], readOnly);
    const before = await canvas.document();
    await canvas.card('a').focus();
    for (const key of ['l', 'Delete', 'Shift+ArrowDown']) await page.keyboard.press(key);
    await page.keyboard.press('ArrowRight');
    await expect(canvas.card('b')).toBeFocused();
    await page.keyboard.press('Enter');
    expect(await canvas.document()).toEqual(before);
  });

  test('W6.01 W2.09 a viewer sees an open sidebar that places nothing, and no control that edits or runs', {
    tag: '@rest',
  }, async ({ page }) => {
    const canvas = await new BenchPage(page).open(two, [], readOnly);
    const before = await canvas.document();
    const sidebar = page.getByTestId('sidebar');
    await expect(sidebar).toContainText(words('sidebar.readOnly'));
    await expect(sidebar.getByRole('button', { name: words('sidebar.collapse') })).toHaveCount(0);
    await page.keyboard.press('Control+b');
    await expect(sidebar).toBeVisible();
    const row = await canvas.row(words('trigger.start'));
    await canvas.drag(row, { x: 800, y: 600 });
    await canvas.click(row);
    expect(await canvas.document()).toEqual(before);
    await expect(page.getByTestId('run-control')).toHaveCount(0);
    const bar = page.getByTestId('project-bar');
    await expect(bar.getByRole('button', { name: words('bar.more') })).toBeVisible();
    await expect(bar.getByRole('button', { name: words('bar.undo') })).toHaveCount(0);
    await expectInView(page, 'snap', 'absent');
    await expectInView(page, 'hand', 'on');
    await page.keyboard.press('Control+j');
    await expect(page.getByTestId('console')).toBeVisible();
    await expect(page.getByRole('combobox', { name: translate('ru', 'console', 'line.label') })).toBeDisabled();
  });

  test('W6.01 a viewer finds the actions that look and copy in the menu and the palette, and no action that edits', {
    tag: '@rest-nightly',
  }, async ({ page }) => {
    const canvas = await new BenchPage(page).open(two, [], readOnly);
    const { x, y } = await canvas.middleOf('a');
    await page.mouse.click(x, y, { button: 'right' });
    const item = (name: string) => page.getByRole('menuitem', { name: translate('ru', 'actions', `name.${name}`) });
    await expect(item('copy')).toBeEnabled();
    for (const name of ['cut', 'duplicate', 'delete']) await expect(item(name)).toBeDisabled();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words('trigger.start'));
    await expect(page.getByRole('option', { name: new RegExp(words('trigger.start')) })).toHaveCount(0);
  });

  test('W6.01 a viewer reads a dialog, and can neither write, set nor send anything in the dialog', { tag: '@rest-nightly' }, async ({
    page,
  }) => {
    const canvas = await new BenchPage(page).openOwn(6, '&readonly');
    await canvas.look({ x: 360, y: 200, zoom: 1 });
    const form = page.locator('[data-dialog-id="n0"]');
    const box = form.getByRole('textbox');
    await box.click();
    await page.keyboard.type('Выгрузка заказов');
    await expect(box).toHaveValue('');
    await page.keyboard.press('Control+Enter');
    await expect(form.getByRole('button', { name: translate('ru', 'common', 'send') })).toBeDisabled();
    await expect(form.getByRole('switch')).toBeDisabled();
    await expect(form.getByRole('alert')).toHaveCount(0);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('W6.01 a finger neither drags a card nor draws a link, while list and keyboard still edit', { tag: '@rest-nightly' }, async ({
    page,
  }) => {
    const canvas = await new BenchPage(page).open(two);
    await canvas.look({ x: 20, y: 200, zoom: 0.5 });
    const fingers = await Fingers.of(page);
    const a = await canvas.middleOf('a');
    await fingers.drag(a, { x: a.x, y: a.y + 40 });
    await expect.poll(async () => (await canvas.camera()).y).toBeCloseTo(240);
    await fingers.drag(await canvas.port('a', 'out'), await canvas.port('b', 'in'));
    expect(await canvas.document()).toMatchObject({ nodes: [two.a, two.b], links: [] });
    await canvas.card('a').focus();
    await page.keyboard.press('l');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(canvas.link('a', 'b')).toHaveCount(1);
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(() => canvas.at('b')).toEqual({ x: 420, y: 140 });
  });

  test('W6.01 in read-only mode the sidebar opens over the canvas and closes again', { tag: '@rest-nightly' }, async ({ page }) => {
    const canvas = await new BenchPage(page).open(two, [], readOnly);
    await canvas.look({ x: 20, y: 200, zoom: 0.5 });
    const sidebar = page.getByTestId('sidebar');
    await expect(sidebar).toHaveCount(0);
    const fingers = await Fingers.of(page);
    await fingers.tap(await canvas.middleOf('a'));
    await expect.poll(() => canvas.selected()).toEqual(['a']);
    await page.getByRole('button', { name: words('bar.menu') }).tap();
    await page.getByRole('menuitem', { name: words('sidebar.title') }).tap();
    await expect(sidebar).toContainText(words('sidebar.readOnly'));
    await sidebar.getByRole('button', { name: words('sidebar.collapse') }).tap();
    await expect(sidebar).toHaveCount(0);
  });
});

test('W2.15 R43.01 in read-only mode the line is disabled, and a button for each command explains it', async ({ page }) => {
  await new BenchPage(page).open({ a: { x: 0, y: 0 } }, [], { readOnly: true });
  await page.keyboard.press('Control+j');
  await expect(page.getByRole('combobox', { name: translate('ru', 'console', 'line.label') })).toBeDisabled();
  await expect(page.getByRole('combobox', { name: translate('ru', 'console', 'line.agent') })).toHaveCount(0);
  await page.getByRole('button', { name: '/analyze', exact: true }).click();
  await expect(page.getByTestId('message').last()).toContainText(translate('ru', 'errors', 'console.announce.analyze'));
});
