import { expect } from 'playwright/test';
import { translate } from '../../support/browser/translate.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';
import { test } from '../../support/canvas/canvas-test.ts';

const outline = '[data-testid="canvas-outline"]';

test('D4.30 D4.31 D4.33 D4.35 a group folds by F, takes a link after asking for its card, and opens for a card that is found', {
  tag: '@rest',
}, async ({ page }) => {
  const canvas = await new BenchPage(page).show(
    { g: { x: -40, y: -60, kind: 'group', title: 'Команда' }, a: { x: 40, y: 40 }, y: { x: 80, y: 400 }, x: { x: 600, y: 0 } },
    [['a', 'x']],
  );
  await canvas.click({ x: 320 + 180, y: 120 + 60 });
  await page.keyboard.press('f');
  const group = page.locator(`${outline} [data-node-type="group"]`);
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await expect(page.locator(`${outline} [data-node-id="a"]`)).toHaveCount(0);
  await expect(page.locator(`${outline} [data-from="g"][data-to="x"]`)).toHaveCount(1);
  expect((await canvas.document()).links).toEqual([{ from: 'a', to: 'x' }]);

  // From the out port of the card below to the middle of the folded card.
  await canvas.drag({ x: 320 + 360, y: 120 + 478 }, { x: 320 + 100, y: 120 + 20 });
  await page.getByRole('menuitem', { name: 'a', exact: true }).click();
  await expect.poll(async () => (await canvas.document()).links).toContainEqual({ from: 'y', to: 'a' });

  await page.keyboard.press('Control+f');
  await page.getByRole('combobox', { name: translate('ru', 'actions', 'palette.label') }).fill('a');
  await page.keyboard.press('Enter');
  await expect(page.locator(`${outline} [data-node-id="a"]`)).toHaveCount(1);
  await expect(group).toHaveAttribute('aria-expanded', 'true');
});
