import { expect, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { dialog, withPlayedCanvas } from '../../support/browser/with-canvas.ts';

const words = translator('ru', 'actions', 'run.');
const line = (page: Page, id: string) => page.locator(`[data-testid="canvas-outline"] [data-node-id="${id}"]`);

/** Opens the menu of a node by the keyboard. */
async function openMenu(page: Page, id: string) {
  await line(page, id).focus();
  await page.keyboard.press('Shift+F10');
  const menu = page.getByRole('menu');
  await expect(menu).toBeVisible();
  const { width } = page.viewportSize() ?? { width: 0 };
  // The menu fades in at its place.
  await expect.poll(async () => isWithin(await menu.boundingBox(), width)).toBe(true);
}

function isWithin(box: { x: number; width: number } | null, width: number): boolean {
  return box !== null && box.x >= 0 && box.x + box.width <= width;
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])
  test(`G1.04 G1.05 a card’s and a group’s part in a run are set in their menus, undone, and kept over a reload (${viewport.width} px)`, async ({
    page,
    playedApi,
  }) => {
    await page.setViewportSize(viewport);
    const { workspace, thrown } = await withPlayedCanvas(
      page,
      playedApi,
      (card) => [
        dialog('task', 'Задача', 200),
        card(0, 'writer', 200),
        { id: 'team', type: 'group', title: 'Переводы', x: 320, y: 160, width: 360, height: 240 },
      ],
      [['task', 'writer']],
    );
    const first = page.getByRole('menuitemcheckbox', { name: words('firstWins') });
    await openMenu(page, 'writer');
    await page.getByRole('menuitem', { name: words('title') }).press('Enter');
    await expect(first).not.toBeChecked();
    await first.click();
    await expect(line(page, 'writer')).toContainText(translate('ru', 'canvas', 'outline.setting.firstWins'));
    await openMenu(page, 'writer');
    await page.getByRole('menuitem', { name: words('title') }).press('Enter');
    await expect(first).toBeChecked();
    await page.getByRole('menuitemcheckbox', { name: words('goOn') }).click();
    await expect(line(page, 'writer')).toContainText(translate('ru', 'canvas', 'outline.setting.goOn'));
    await expect(line(page, 'writer')).toContainText(translate('ru', 'canvas', 'outline.setting.firstWins'));

    await openMenu(page, 'team');
    await expect(page.getByRole('menuitemradio', { name: words('list.none') })).toBeChecked();
    await page.getByRole('menuitemradio', { name: words('list.skip') }).click();
    const isList = translate('ru', 'canvas', 'outline.setting.list');
    await expect(line(page, 'team')).toContainText(isList);
    await page.keyboard.press('Control+z');
    await expect(line(page, 'team')).not.toContainText(isList);
    await page.keyboard.press('Control+Shift+z');
    await workspace.saved();
    await page.reload();
    await workspace.opened();
    await openMenu(page, 'team');
    await expect(page.getByRole('menuitemradio', { name: words('list.skip') })).toBeChecked();
    await page.getByRole('menuitemradio', { name: words('list.none') }).click();
    await expect(line(page, 'team')).not.toContainText(isList);
    expect(thrown).toEqual([]);
  });
