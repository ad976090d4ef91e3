import { expect, type Page, test } from 'playwright/test';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { faults } from '../support/browser/faults.ts';
import { say } from '../support/browser/words.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(async () => {
  await server.stop();
});

const panel = (page: Page) => page.getByTestId('versions');
const button = (page: Page, text: string) => panel(page).getByRole('button', { name: say('ru', 'versions', text), exact: true });
const difference = (page: Page, title: string) =>
  panel(page).locator('[data-testid="difference"][data-record="node"]').filter({ hasText: title });

test('G6.03 G6.04 G6.08 G6.09 G6.10 a person names a version, sees what differs from it, walks through it by key, restores it and undoes that', async ({
  page,
}) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  await page.keyboard.press('Alt+v');
  await button(page, 'markNow').click();
  await panel(page)
    .getByLabel(say('ru', 'versions', 'name'))
    .fill('Полная команда');
  await page.keyboard.press('Enter');
  const named = panel(page).getByTestId('version-row').filter({ hasText: 'Полная команда' });
  await expect(named).toHaveAttribute('data-marked', 'hand');

  const cards = await workspace.cards().count();
  const links = await workspace.links().count();
  await workspace.removeCard('Разработчик');
  await workspace.card('Тимлид').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await workspace.card('Тестировщик').focus();
  await page.keyboard.press('F2');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Контроль качества');
  await page.keyboard.press('Enter');
  await workspace.saved();
  await expect(panel(page).getByTestId('version-row').first()).toContainText('1 карточка удалена');

  await named.getByRole('button').first().click();
  await expect(panel(page).getByTestId('legend-removed')).toContainText('3');
  await expect(panel(page).getByTestId('legend-moved')).toHaveAttribute('aria-pressed', 'false');
  await expect(difference(page, 'Тимлид')).toHaveCount(0);
  await panel(page).getByTestId('legend-moved').click();
  await expect(difference(page, 'Тимлид')).toContainText(say('ru', 'versions', 'kindOne.moved'));
  await expect(difference(page, 'Разработчик')).toContainText(say('ru', 'versions', 'kindOne.removed'));
  expect(await faults(page, '[data-testid="versions"]')).toEqual([]);

  // By key, with the focus anywhere but in a text: each one opens its fields in turn.
  for (const key of [']', ']', '[']) await page.keyboard.press(key === ']' ? 'BracketRight' : 'BracketLeft');
  await expect(panel(page).getByTestId('fields')).toHaveCount(1);
  await difference(page, 'Контроль качества').getByRole('button').click();
  await expect(panel(page).getByTestId('fields')).toContainText('Тестировщик');

  // The comparison follows an edit that is made meanwhile, and its undo.
  await workspace.removeCard('Контроль качества');
  await expect(panel(page).getByTestId('legend-changed')).toContainText('0');
  await page.keyboard.press('Control+z');
  await expect(panel(page).getByTestId('legend-changed')).toContainText('1');

  await button(page, 'restore').click();
  await expect(panel(page)).toContainText(say('ru', 'versions', 'restored'));
  await expect(workspace.cards()).toHaveCount(cards);
  await expect(workspace.links()).toHaveCount(links);
  await expect(workspace.card('Тестировщик')).toHaveCount(1);
  await workspace.saved();
  await page.keyboard.press('Control+z');
  await expect(workspace.card('Разработчик')).toHaveCount(0);
  await workspace.saved();
  await page.reload();
  await workspace.opened();
  await expect(workspace.card('Разработчик')).toHaveCount(0);

  await page.keyboard.press('Alt+v');
  const search = panel(page).getByPlaceholder(say('ru', 'versions', 'search'));
  await search.fill('команда');
  await expect(panel(page).getByTestId('version-row')).toHaveCount(1);
  await named.getByRole('button').first().click();
  await expect(panel(page).getByTestId('comparison')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel(page).getByTestId('comparison')).toHaveCount(0);
  await page.keyboard.press('Alt+v');
  await expect(panel(page)).toHaveCount(0);
});
