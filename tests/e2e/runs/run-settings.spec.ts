import { expect } from 'playwright/test';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';

const server = setUpSharedServer();

const words = translator('ru', 'participation', 'settings.');

test('D4.02 D4.08 one word says before and in a run how runs are set, the settings are behind it, and the budget is shown whole', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const { workspace, thrown } = await withCanvas(
    page,
    server.url,
    (card) => [dialog('task', 'Задача', 200), card(0, 'writer', 200), card(1, 'editor', 520)],
    [
      ['task', 'writer'],
      ['task', 'editor'],
    ],
  );
  const together = page.getByTestId('parallel-switch');
  const settings = page.getByTestId('run-settings');
  await expect(settings).toHaveText(words('togetherWord'));
  await workspace.write('Напиши стихи');
  await workspace.send();
  await expect(workspace.runControl).not.toHaveAttribute('data-phase', 'stopped');
  await workspace.runEnds('finished');
  await workspace.runControl.getByRole('button', { name: translate('ru', 'workspace', 'run.newTask') }).click();
  await expect(settings).toHaveText(words('togetherWord'));

  await settings.click();
  await expect(page.getByTestId('hold-switch')).toContainText(words('hold'));
  await together.click();
  await page.getByRole('menuitem', { name: words('oneByOne'), exact: true }).click();
  await expect(together).toContainText(words('next', { mode: words('nextInTurn') }));
  await page.reload();
  await workspace.opened();
  await workspace.runControl.getByRole('button', { name: translate('ru', 'workspace', 'run.newTask') }).click();
  await expect(settings).toHaveText(words('inTurnWord'));
  await settings.click();
  await expect(together).toContainText(words('next', { mode: words('nextInTurn') }));

  await together.click();
  await page.getByRole('menuitem', { name: words('byBranches'), exact: true }).click();
  await expect(together).toHaveAttribute('data-next', '4');
  await together.click();
  await expect(page.locator('[role="menuitem"][data-chosen]')).toHaveText([words('byBranches')]);
  await page.keyboard.press('Escape');

  const budget = page.getByTestId('run-budget');
  await expect(budget.getByTestId('forecast')).toBeVisible();
  await budget
    .getByRole('button', { name: translate('ru', 'budgets', 'set') })
    .first()
    .click();
  const save = budget.getByRole('button', { name: translate('ru', 'words', 'save') });
  await expect(save).toBeInViewport({ ratio: 1 });
  await expect(budget).toBeInViewport({ ratio: 1 });
  expect(await budget.evaluate((panel) => panel.scrollHeight - panel.clientHeight)).toBe(0);
  expect(thrown).toEqual([]);
});
