import { expect } from 'playwright/test';
import { translate, translator } from '../../support/browser/translate.ts';
import { chooseInView } from '../../support/browser/view-menu.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';
import { test } from '../../support/canvas/canvas-test.ts';

const two = { a: { x: 0, y: 0 }, b: { x: 420, y: 120 } };
/** A point of the screen without cards and panels, at the camera position after the page opens. */
const empty = { x: 560, y: 560 };

test.describe('looking around', () => {
  test('W2.06 a drag on empty canvas pans, with the left button and with the middle one', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    await canvas.drag(empty, { x: 620, y: 530 });
    await expect.poll(() => canvas.camera()).toEqual({ x: 380, y: 90, zoom: 1 });
    await canvas.drag(await canvas.middleOf('a'), { x: 600, y: 400 }, 'middle');
    // The middle of the card, which is 280 x 156, is now at (600, 400).
    await expect.poll(() => canvas.camera()).toEqual({ x: 600 - 140, y: 400 - 78, zoom: 1 });
    await page.keyboard.down('Space');
    await canvas.drag({ x: 600, y: 400 }, { x: 550, y: 420 });
    await page.keyboard.up('Space');
    await expect.poll(() => canvas.camera()).toEqual({ x: 410, y: 342, zoom: 1 });
    expect(await canvas.selected()).toEqual([]);
    await expect.poll(() => canvas.at('a')).toEqual({ x: 0, y: 0 });
  });

  test.describe('a wheel step of one pixel', () => {
    test.use({ deviceScaleFactor: 1 });
    test('W2.06 the wheel zooms about the pointer, between the limits', { tag: '@rest' }, async ({ page }) => {
      const canvas = await new BenchPage(page).show(two);
      await page.mouse.move(empty.x, empty.y);
      const before = await canvas.camera();
      const world = (camera: typeof before) => ({ x: (empty.x - camera.x) / camera.zoom, y: (empty.y - camera.y) / camera.zoom });
      await page.mouse.wheel(0, -100);
      await expect.poll(async () => (await canvas.camera()).zoom).toBeCloseTo(1.1);
      const after = await canvas.camera();
      expect(world(after).x).toBeCloseTo(world(before).x);
      expect(world(after).y).toBeCloseTo(world(before).y);
      // The browser reports a trackpad pinch as a wheel event with Ctrl. It leaves the page's own zoom unchanged.
      await page.keyboard.down('Control');
      await page.mouse.wheel(0, -10);
      await page.keyboard.up('Control');
      await expect.poll(async () => (await canvas.camera()).zoom).toBeCloseTo(1.1 * Math.E ** 0.1);
      expect(await page.evaluate(() => [window.devicePixelRatio, window.visualViewport?.scale])).toEqual([1, 1]);
      for (let i = 0; i < 40; i++) await page.mouse.wheel(0, 100);
      await expect.poll(async () => (await canvas.camera()).zoom).toBe(0.1);
      for (let i = 0; i < 45; i++) await page.mouse.wheel(0, -100);
      await expect.poll(async () => (await canvas.camera()).zoom).toBe(3);
    });
  });

  test('W2.05 W9.01 plus, minus, zero and Shift 1 zoom by the keyboard, the buttons of the panel by 0.2 between 10 and 300 %, and the figure follows', {
    tag: '@rest',
  }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    await canvas.click(empty);
    await page.keyboard.press('+');
    expect((await canvas.camera()).zoom).toBeCloseTo(1.2);
    await expect(page.getByTestId('zoom')).toContainText('120');
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    expect((await canvas.camera()).zoom).toBeCloseTo(0.8);
    await page.keyboard.press('0');
    expect((await canvas.camera()).zoom).toBe(1);
    await canvas.look({ x: 9_000, y: 9_000, zoom: 2 });
    await page.keyboard.press('Shift+Digit1');
    const { x, zoom } = await canvas.camera();
    expect(x).toBeGreaterThan(0);
    expect(420 * zoom + 280 * zoom + x).toBeLessThan(1_440);
    const panel = page.getByTestId('zoom');
    const button = (name: string) => panel.getByRole('button', { name: translate('ru', 'workspace', `zoom.${name}`) });
    const figure = (percent: number) => expect(panel).toContainText(translate('ru', 'workspace', 'zoom.percent', { value: percent }));
    await button('out').click();
    await figure(80);
    await button('in').click();
    await button('in').click();
    await figure(120);
    expect((await canvas.camera()).zoom).toBeCloseTo(1.2);
    await canvas.look({ x: 0, y: 0, zoom: 0.2 });
    await button('out').click();
    await figure(10);
    await expect(button('out')).toBeDisabled();
    await canvas.look({ x: 0, y: 0, zoom: 2.9 });
    await button('in').click();
    await figure(300);
    await expect(button('in')).toBeDisabled();
    await chooseInView(page, 'reset');
    await figure(100);
  });

  test('W2.06 no context menu opens on the canvas', { tag: '@rest' }, async ({ page }) => {
    await new BenchPage(page).show(two);
    await page.evaluate(() => {
      window.addEventListener('contextmenu', (event) => document.body.setAttribute('data-menu', String(event.defaultPrevented)));
    });
    await page.mouse.click(empty.x, empty.y, { button: 'right' });
    await expect(page.locator('body')).toHaveAttribute('data-menu', 'true');
  });
});

test.describe('cards and links', () => {
  test('W4.12 a dragged card moves by the distance of the mouse divided by the zoom; undo and redo move it back and forth', {
    tag: '@rest',
  }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    await canvas.look({ x: 400, y: 200, zoom: 0.5 });
    const from = await canvas.middleOf('a');
    await canvas.drag(from, { x: from.x + 60, y: from.y + 100 });
    await expect.poll(() => canvas.at('a')).toEqual({ x: 120, y: 200 });
    await page.keyboard.press('Control+z');
    await expect.poll(() => canvas.at('a')).toEqual({ x: 0, y: 0 });
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => canvas.at('a')).toEqual({ x: 120, y: 200 });
  });

  test('W4.12 Escape during a drag leaves the card where it was', async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    const from = await canvas.middleOf('a');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 90, from.y + 90);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await canvas.drag(await canvas.middleOf('b'), { x: (await canvas.middleOf('b')).x + 40, y: (await canvas.middleOf('b')).y });
    await expect.poll(() => canvas.at('b')).toEqual({ x: 460, y: 120 });
    await expect.poll(() => canvas.at('a')).toEqual({ x: 0, y: 0 });
  });

  test('W4.11 a link is drawn from an out port to an in port of another card', async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    await canvas.drag(await canvas.port('a', 'out'), await canvas.port('b', 'in'));
    await expect(canvas.link('a', 'b')).toHaveCount(1);
  });

  test('W4.11 D2.01 a link dropped on empty canvas or on its own card is not made, an in port starts none, and one dropped on a card is made', {
    tag: '@rest',
  }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    const links = page.locator('[data-testid="canvas-outline"] [data-link-id]');
    const menu = page.getByRole('menu');
    await canvas.drag(await canvas.port('a', 'out'), empty);
    await expect(menu).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
    await canvas.drag(await canvas.port('a', 'out'), await canvas.port('a', 'in'));
    await canvas.drag(await canvas.port('b', 'in'), await canvas.port('a', 'out'));
    // The new link is the only one: the outline would list other links before it.
    await canvas.drag(await canvas.port('a', 'out'), await canvas.middleOf('b'));
    await expect(canvas.link('a', 'b')).toHaveCount(1);
    await expect(links).toHaveCount(1);
    await expect.poll(() => canvas.at('a')).toEqual(two.a);
    await expect.poll(() => canvas.at('b')).toEqual(two.b);
  });

  test('W2.08 a link under the pointer shows a button at its middle, which deletes it', async ({ page }) => {
    const canvas = await new BenchPage(page).show(two, [['a', 'b']]);
    await expect(canvas.link('a', 'b')).toHaveCount(1);
    const [out, end] = [await canvas.port('a', 'out'), await canvas.port('b', 'in')];
    const button = page.locator('[data-remove-link]');
    await expect(button).toHaveCount(0);
    await page.mouse.move(out.x + 25, out.y);
    await expect(button).toBeVisible();
    const box = await button.boundingBox();
    expect(box && box.x + box.width / 2).toBeCloseTo((out.x + end.x) / 2, 0);
    expect(box && box.y + box.height / 2).toBeCloseTo((out.y + end.y) / 2, 0);
    await page.mouse.move(empty.x, empty.y);
    await expect(button).toHaveCount(0);
    await page.mouse.move(out.x + 25, out.y);
    await page.mouse.move((out.x + end.x) / 2, (out.y + end.y) / 2);
    await button.click();
    await expect(canvas.link('a', 'b')).toHaveCount(0);
    await page.keyboard.press('Control+z');
    await expect(canvas.link('a', 'b')).toHaveCount(1);
  });

  test('D2.01 D2.04 two clicks on the middle of a link open its settings, and a link to an empty place offers cards', {
    tag: '@rest',
  }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(two, [['a', 'b']]);
    await expect(canvas.link('a', 'b')).toHaveCount(1);
    const [out, end] = [await canvas.port('a', 'out'), await canvas.port('b', 'in')];
    const middle = { x: (out.x + end.x) / 2, y: (out.y + end.y) / 2 };
    await page.mouse.move(empty.x, empty.y);
    await page.mouse.click(middle.x, middle.y);
    await expect(page.locator('[data-remove-link]')).toBeVisible();
    await page.mouse.dblclick(middle.x, middle.y);
    await expect(page.locator('[data-link-badge][aria-expanded="true"]')).toHaveCount(1);
    await expect(canvas.link('a', 'b')).toHaveCount(1);
    // The form may still be on its way: Escape closes what was asked for all the same.
    await page.keyboard.press('Escape');
    await expect(page.locator('[data-link-badge][aria-expanded="true"]')).toHaveCount(0);

    await canvas.drag(await canvas.port('b', 'out'), empty);
    await page.getByRole('menuitem', { name: /Find a card|Найти карточку/ }).click();
    await page.keyboard.type('a');
    await page.keyboard.press('Enter');
    await expect(canvas.link('b', 'a')).toHaveCount(1);
  });

  test('D3.01 a link over a card of its row leads above it: the pointer finds it there', { tag: '@rest' }, async ({ page }) => {
    const row = { a: { x: 0, y: 200 }, b: { x: 330, y: 200 }, c: { x: 660, y: 200 } };
    const canvas = await new BenchPage(page).show(row, [['a', 'c']]);
    await expect(canvas.link('a', 'c')).toHaveCount(1);
    const [out, end] = [await canvas.port('a', 'out'), await canvas.port('c', 'in')];
    const lane = { x: (out.x + end.x) / 2, y: out.y - 78 - 40 };
    const button = page.locator('[data-remove-link]');
    // What finds routes is loaded after the first picture.
    await expect(async () => {
      await page.mouse.move(lane.x + 60, lane.y - 60);
      await page.mouse.move(lane.x + 60, lane.y);
      await expect(button).toBeVisible({ timeout: 500 });
    }).toPass();
    const box = await button.boundingBox();
    expect(box && box.x + box.width / 2).toBeCloseTo(lane.x, 0);
    expect(box && box.y + box.height / 2).toBeCloseTo(lane.y, 0);
  });

  test('W9.01 a backward link goes out by 40, below both cards, and in by 40: the pointer finds it there', async ({ page }) => {
    const canvas = await new BenchPage(page).show({ left: { x: 0, y: 0 }, right: { x: 500, y: 40 } }, [['right', 'left']]);
    await expect(canvas.link('right', 'left')).toHaveCount(1);
    const [out, end] = [await canvas.port('right', 'out'), await canvas.port('left', 'in')];
    const button = page.locator('[data-remove-link]');
    // The lower card ends 78 below its port; the link passes 40 below that.
    const below = out.y + 78 + 40;
    for (const at of [
      { x: out.x + 40, y: out.y + 60 },
      { x: (out.x + end.x) / 2 + 200, y: below },
      { x: end.x - 40, y: end.y + 60 },
    ]) {
      await page.mouse.move(empty.x, empty.y + 200);
      await expect(button).toHaveCount(0);
      await page.mouse.move(at.x, at.y);
      await expect(button).toBeVisible();
    }
    const box = await button.boundingBox();
    expect(box && box.y + box.height / 2).toBeCloseTo(below, 0);
    await page.mouse.move((out.x + end.x) / 2, (out.y + end.y) / 2);
    await expect(button).toHaveCount(0);
  });

  test('W4.12 deleting a card deletes its links, and undo restores both', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).show({ ...two, c: { x: 0, y: 300 } }, [
      ['a', 'b'],
      ['c', 'b'],
      ['a', 'c'],
    ]);
    await canvas.expectCards('a', 'b', 'c');
    await canvas.click(await canvas.middleOf('b'));
    await page.keyboard.press('Delete');
    await canvas.expectCards('a', 'c');
    await expect(canvas.link('a', 'b')).toHaveCount(0);
    await expect(canvas.link('a', 'c')).toHaveCount(1);
    await page.keyboard.press('Control+z');
    await canvas.expectCards('a', 'b', 'c');
    await expect(canvas.link('c', 'b')).toHaveCount(1);
    await page.keyboard.press('Control+y');
    await canvas.expectCards('a', 'c');
  });

  test('W4.11 the outline offers the actions of the mouse by keyboard: walk, link, move, delete', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    await canvas.card('a').focus();
    await page.keyboard.press('l');
    await page.keyboard.press('ArrowRight');
    await expect(canvas.card('b')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(canvas.link('a', 'b')).toHaveCount(1);
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(() => canvas.at('b')).toEqual({ x: 420, y: 140 });
    await expect(canvas.card('b')).toBeFocused();
    await page.keyboard.press('Delete');
    await canvas.expectCards('a');
    await expect(canvas.card('a')).toBeFocused();
  });
});

test.describe('the dialog card', () => {
  test('W2.12 keys that are typed into the box do not reach the canvas', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).openOwn(6);
    await canvas.look({ x: 360, y: 200, zoom: 1 });
    const box = page.locator('[data-dialog-id="n0"] textarea');
    await box.click();
    await page.keyboard.type('Сделай выгрузку заказов: 100 строк + итог - срочно');
    await page.keyboard.press('Enter');
    await page.keyboard.insertText('Ёлка');
    await page.keyboard.press('Backspace');
    await expect(box).toHaveValue('Сделай выгрузку заказов: 100 строк + итог - срочно\nЁлк');
    await expect.poll(() => canvas.camera()).toEqual({ x: 360, y: 200, zoom: 1 });
    await expect(canvas.card('n0')).toHaveCount(1);
  });

  test('W2.12 the form moves with its card and is removed when the zoom is too small for typing', async ({ page }) => {
    const canvas = await new BenchPage(page).openOwn(6);
    await canvas.look({ x: 360, y: 200, zoom: 1 });
    const form = page.locator('[data-dialog-id="n0"]');
    const before = await form.boundingBox();
    const hold = { x: 360 + 60, y: 200 - 40 + 58 };
    await canvas.drag(hold, { x: hold.x + 80, y: hold.y + 30 });
    await expect.poll(() => canvas.at('n0')).toEqual({ x: 80, y: -10 });
    const moved = async () => {
      const after = await form.boundingBox();
      return after && before && { x: after.x - before.x, y: after.y - before.y };
    };
    await expect.poll(moved).toEqual({ x: 80, y: 30 });
    await canvas.look({ x: 360, y: 200, zoom: 0.5 });
    await expect(form).toHaveCount(0);
  });

  test('W2.12 a card over the form hides it, also during a drag, and the hidden part takes no click', { tag: '@rest' }, async ({
    page,
  }) => {
    const canvas = await new BenchPage(page).openOwn(6);
    await canvas.look({ x: 360, y: 200, zoom: 1 });
    const box = page.locator('[data-dialog-id="n0"] textarea');
    const place = await box.boundingBox();
    if (!place) throw new Error('No message box');
    const spot = { x: place.x + place.width - 20, y: place.y + 30 };
    const isBox = () => page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.tagName === 'TEXTAREA', spot);
    expect(await isBox()).toBe(true);
    const from = await canvas.middleOf('n1');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(spot.x + 40, spot.y + 10);
    await page.mouse.move(spot.x + 100, spot.y);
    await expect.poll(isBox).toBe(false);
    await page.mouse.up();
    await expect.poll(isBox).toBe(false);
    await page.keyboard.press('Control+z');
    await expect.poll(isBox).toBe(true);
  });

  test('W2.12 an unsent text is still there when the card comes back into view', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).openOwn(6);
    await canvas.look({ x: 360, y: 200, zoom: 1 });
    const box = page.locator('[data-dialog-id="n0"] textarea');
    await box.fill('Черновик');
    await canvas.click({ x: 800, y: 640 });
    await canvas.look({ x: 5_000, y: 5_000, zoom: 1 });
    await expect(box).toHaveCount(0);
    await canvas.look({ x: 360, y: 200, zoom: 1 });
    await expect(box).toHaveValue('Черновик');
  });

  test('W2.12 at low zoom the box opens by a double click on its card, and by Enter in the outline', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).openOwn(6);
    const box = page.locator('[data-dialog-id="n0"] textarea');
    await canvas.look({ x: 600, y: 400, zoom: 0.3 });
    await page.mouse.dblclick(600 + 140 * 0.3, 400 + 78 * 0.3);
    await expect(box).toBeFocused();
    expect((await canvas.camera()).zoom).toBe(1);
    await canvas.look({ x: 9_000, y: 400, zoom: 0.2 });
    await canvas.card('n0').focus();
    await page.keyboard.press('Enter');
    await expect(box).toBeFocused();
    await expect(box).toBeInViewport({ ratio: 1 });
  });

  test('W4.07 the card shows the target of the message after every edit: the linked agent, else the nearest', async ({ page }) => {
    const canvas = await new BenchPage(page).show(two);
    await canvas.drag(await canvas.row(translate('ru', 'workspace', 'trigger.dialog')), { x: 880, y: 600 });
    const form = page.locator('[data-dialog-id]');
    const goesTo = (agent: string) =>
      form.getByRole('button', { name: translate('ru', 'canvas', 'dialog.target', { agent }), exact: true });
    await expect(goesTo('b')).toBeVisible();
    const box = await form.boundingBox();
    if (!box) throw new Error('No dialog');
    // Its port is 118 below its top edge.
    await canvas.drag({ x: box.x + box.width, y: box.y + 118 }, await canvas.port('a', 'in'));
    await expect(goesTo('a')).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(goesTo('b')).toBeVisible();
    await canvas.drag(await canvas.middleOf('b'), { x: 1_300, y: 140 });
    await expect(goesTo('a')).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(goesTo('b')).toBeVisible();
    await canvas.card('b').focus();
    await page.keyboard.press('Delete');
    await expect(goesTo('a')).toBeVisible();
  });

  test('W2.12 the form has a box with four rows, a menu of targets, a switch, and settings that are saved with the card', {
    tag: '@rest',
  }, async ({ page }) => {
    const canvas = await new BenchPage(page).openOwn(6);
    await canvas.look({ x: 360, y: 200, zoom: 1 });
    const words = translator('ru', 'canvas', 'dialog.');
    const kept = () => page.evaluate(() => window.__bench?.document().nodes.n0);
    const form = page.locator('[data-dialog-id="n0"]');
    await expect(form.getByRole('textbox')).toHaveAttribute('rows', '4');
    expect(
      await form.getByRole('textbox').evaluate((box) => box.clientHeight / Number.parseFloat(getComputedStyle(box).lineHeight)),
    ).toBeGreaterThan(4);
    const agent = (await canvas.document()).nodes.find(({ id }) => id === 'n4')?.title ?? '';
    await form.getByRole('button', { name: /^Кому/ }).click();
    await page.getByRole('menuitem', { name: agent }).click();
    await expect(form.getByRole('button', { name: words('target', { agent }), exact: true })).toBeVisible();
    const autoStart = form.getByRole('switch', { name: words('common:autoStart') });
    await expect(autoStart).toBeChecked();
    await autoStart.click();
    await expect.poll(kept).toMatchObject({ targetAgentId: 'n4', targetAgentTitle: agent, autoStartSimulation: false });
    await form.getByRole('button', { name: words('settings') }).click();
    const settings = page.getByRole('dialog', { name: words('settings') });
    await expect(settings.getByRole('textbox', { name: words('trigger') })).toHaveValue('start_workflow');
    await settings.getByRole('textbox', { name: words('trigger') }).fill('run_nightly');
    await settings.getByRole('textbox', { name: words('goal') }).fill('Ночная выгрузка');
    await settings.getByRole('button', { name: words('words:save') }).click();
    await expect(settings).toHaveCount(0);
    await expect(form).toContainText('Ночная выгрузка');
    await expect.poll(kept).toMatchObject({ triggerCommand: 'run_nightly', goal: 'Ночная выгрузка' });
  });

  test('W5.01 the settings and the files of a dialog show under the pointer and in focus', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).openOwn(6);
    await canvas.look({ x: 360, y: 200, zoom: 1 });
    await page.mouse.move(1_200, 700);
    const form = page.locator('[data-dialog-id="n0"]');
    const gear = form.getByRole('button', { name: translate('ru', 'canvas', 'dialog.settings') });
    const clip = form.getByTestId('add-files');
    const show = async (opacity: '0' | '1') => {
      for (const button of [gear, clip]) await expect(button).toHaveCSS('opacity', opacity);
    };
    await show('0');
    // The title is drawn on the canvas: the form has no part of the page there.
    const box = await form.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 90, (box?.y ?? 0) + 20);
    await show('1');
    await page.mouse.move(1_200, 700);
    await show('0');
    await form.getByRole('textbox').focus();
    await show('1');
  });

  test('W5.01 an empty message is refused below the box, and typing removes the error', { tag: '@rest' }, async ({ page }) => {
    const canvas = await new BenchPage(page).openOwn(6);
    await canvas.look({ x: 360, y: 200, zoom: 1 });
    const form = page.locator('[data-dialog-id="n0"]');
    await form.getByRole('textbox').fill('   ');
    await form.getByRole('button', { name: 'Отправить' }).click();
    await expect(form.getByRole('alert')).toBeVisible();
    await expect(form.getByRole('textbox')).toHaveValue('   ');
    await form.getByRole('textbox').fill('Текст');
    await expect(form.getByRole('alert')).toHaveCount(0);
  });
});

test.describe('on a narrow window', () => {
  test.use({ viewport: { width: 900, height: 800 } });

  test('W2.07 cards do not move, ports start nothing, no link is deleted, and neither the wheel nor a button zooms', {
    tag: '@rest',
  }, async ({ page }) => {
    const canvas = await new BenchPage(page).show({ ...two, c: { x: 0, y: 200 } }, [['c', 'b']]);
    await expect(page.getByTestId('zoom')).toHaveCount(0);
    await canvas.look({ x: 60, y: 200, zoom: 1 });
    const from = await canvas.middleOf('a');
    await canvas.drag(from, { x: from.x, y: from.y + 50 });
    await expect.poll(() => canvas.camera()).toEqual({ x: 60, y: 250, zoom: 1 });
    await canvas.drag(await canvas.port('a', 'out'), await canvas.port('b', 'in'));
    await page.mouse.wheel(0, -100);
    expect((await canvas.camera()).zoom).toBe(1);
    await expect.poll(() => canvas.at('a')).toEqual(two.a);
    await expect(canvas.card('a')).toHaveCount(1);
    await expect(canvas.link('a', 'b')).toHaveCount(0);
    await canvas.look({ x: 60, y: 200, zoom: 1 });
    const out = await canvas.port('c', 'out');
    await page.mouse.move(out.x + 30, out.y);
    await page.mouse.move(out.x + 25, out.y);
    await canvas.click({ x: out.x + 25, y: out.y });
    await expect.poll(() => page.evaluate(() => window.__bench?.document().connections['c-b'] !== undefined)).toBe(true);
    await expect(page.locator('[data-remove-link]')).toHaveCount(0);
  });
});
