import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { dialog, withPlayedCanvas } from '../../support/browser/with-canvas.ts';

test('R24.01 with two teams the bar names the one that starts, and offers the other, which stays chosen', async ({ page, playedApi }) => {
  const { thrown } = await withPlayedCanvas(
    page,
    playedApi,
    (card) => [dialog('d', 'Магазин', 0), card(0, 'a', 0), dialog('e', 'Пекарня', 420), card(1, 'b', 420)],
    [
      ['d', 'a'],
      ['e', 'b'],
    ],
  );
  const bar = page.getByTestId('message-bar');
  const choice = bar.getByTestId('team-choice');
  const field = bar.getByRole('textbox');
  await expect(choice).toHaveText('Магазин');
  await choice.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem')).toHaveText([/^Магазин/, /^Пекарня/]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(choice).toHaveText('Пекарня');
  await expect(choice).toBeFocused();
  await expect(bar).toHaveAttribute('data-for', 'e');
  // The choice outlives the selection of its card.
  await page.getByTestId('canvas').press('Escape');
  await page.locator('[data-dialog-id="d"] textarea').fill('Построй магазин');
  await expect(choice).toHaveText('Пекарня');
  await field.fill('Испеки хлеб');
  await field.fill('');
  await expect(bar).toHaveAttribute('data-for', 'e');
  await expect(field).toBeFocused();
  // After a reload the only text says which team is meant.
  await page.reload();
  await expect(choice).toHaveText('Магазин');
  await expect(field).toHaveValue('Построй магазин');
  expect(thrown).toEqual([]);
});
