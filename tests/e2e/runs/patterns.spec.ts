import { expect } from 'playwright/test';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';

const server = setUpSharedServer();

const pattern = translator('ru', 'workspace', 'pattern.');

test('D4.10 D4.12 a pattern is placed around the selected card from the sidebar and from the menu of an empty place', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const { thrown, workspace } = await withCanvas(page, server.url, (card) => [dialog('task', 'Задача', 0), card(0, 'writer', 400)], [
    ['task', 'writer'],
  ]);
  const outline = page.getByTestId('canvas-outline');
  const cards = outline.locator('[data-node-id]');
  await expect(cards).toHaveCount(2);
  await outline.locator('[data-node-id="writer"]').focus();
  await workspace.openSection('insert');
  await page
    .getByTestId('sidebar')
    .getByRole('button', { name: pattern('review') })
    .click();
  await expect(cards).toHaveCount(4);
  const again = translate('ru', 'content/nodes', 'case.rework');
  await expect(outline.locator('[data-to="writer"][data-link-id]').last()).toContainText(again);
  await page.keyboard.press('Control+z');
  await expect(cards).toHaveCount(2);

  await page.mouse.click(1_150, 560, { button: 'right' });
  await page.getByRole('menuitem', { name: translate('ru', 'workspace', 'sidebar.patterns') }).click();
  await page.getByRole('menuitem', { name: pattern('person') }).click();
  await expect(cards).toHaveCount(4);
  expect(thrown).toEqual([]);
});
