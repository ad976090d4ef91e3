import { expect, type Locator, type Page } from 'playwright/test';
import type { Agent } from '../../contract/agent.ts';
import { setUpSharedServer, test } from '../support/browser/browser-test.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { faults } from '../support/browser/faults.ts';
import { translate } from '../support/browser/translate.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';

const server = setUpSharedServer();

const panel = (page: Page) => page.getByTestId('versions');
const button = (page: Page, text: string) => panel(page).getByRole('button', { name: translate('ru', 'versions', text), exact: true });
const difference = (page: Page, title: string) =>
  panel(page).locator('[data-testid="difference"][data-record="node"]').filter({ hasText: title });

/** Removes an agent, as another program does. */
async function removeAgent(page: Page, title: string): Promise<void> {
  const headers = { Authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('accessToken'))}` };
  const agents = (await (await page.request.get(`${server.url}/api/nuroagent`, { headers })).json()) as Agent[];
  const id = agents.find((agent) => agent.title === title)?.id;
  expect((await page.request.delete(`${server.url}/api/nuroagent/${id}`, { headers })).status()).toBe(204);
}

/** Opens the versions, and names the present one. Returns its row. */
async function nameVersion(page: Page, name: string): Promise<Locator> {
  await page.keyboard.press('Alt+v');
  await button(page, 'markNow').click();
  await panel(page)
    .getByLabel(translate('ru', 'words', 'givenName'))
    .fill(name);
  await page.keyboard.press('Enter');
  const named = panel(page).getByTestId('version-row').filter({ hasText: name });
  await expect(named).toHaveAttribute('data-marked', 'hand');
  return named;
}

test('D6.04 G6.03 G6.04 G6.08 G6.09 G6.10 a person names a version, compares it with the canvas, walks the differences by key, restores the version and undoes that', {
  tag: '@rest',
}, async ({ page }) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  const named = await nameVersion(page, 'Полная команда, с которой утром начинали работу над витриной, корзиной и оплатой');
  const [row, whole] = [await named.boundingBox(), await panel(page).boundingBox()];
  expect((row?.x ?? 0) + (row?.width ?? 0)).toBeLessThan((whole?.x ?? 0) + (whole?.width ?? 0));

  const cards = await workspace.cards().count();
  const links = await workspace.links().count();
  await workspace.removeCard('Разработчик');
  await workspace.card('Тимлид').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await workspace.card('Тестировщик').focus();
  await page.keyboard.press('F2');
  await expect(page.getByTestId('name-editor').getByRole('textbox')).toBeFocused();
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
  await expect(difference(page, 'Тимлид')).toContainText(translate('ru', 'versions', 'kindOne.moved'));
  await expect(difference(page, 'Разработчик')).toContainText(translate('ru', 'versions', 'kindOne.removed'));
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
  await expect(panel(page)).toContainText(translate('ru', 'versions', 'restored'));
  await expect(workspace.cards()).toHaveCount(cards);
  await expect(workspace.links()).toHaveCount(links);
  await expect(workspace.card('Тестировщик')).toHaveCount(1);
  await workspace.saved();
  await page.keyboard.press('Control+z');
  await expect(workspace.card('Разработчик')).toHaveCount(0);
  await expect(difference(page, 'Контроль качества')).toContainText(translate('ru', 'versions', 'kindOne.changed'));
  await workspace.saved();
  await removeAgent(page, 'Разработчик');
  await page.reload();
  await workspace.opened();
  await expect(workspace.card('Разработчик')).toHaveCount(0);

  await page.keyboard.press('Alt+v');
  const search = panel(page).getByPlaceholder(translate('ru', 'versions', 'search'));
  await search.fill('команда');
  await expect(panel(page).getByTestId('version-row')).toHaveCount(1);
  await named.getByRole('button').first().click();
  await expect(difference(page, 'Разработчик').getByTestId('missing-agent')).toBeVisible();
  await expect(panel(page).getByTestId('missing-agent')).toHaveCount(1);

  // In a window that becomes a phone's the comparison is a sheet, and in the wide one again the cards are in view.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(panel(page).getByTestId('comparison')).toBeInViewport();
  await page.setViewportSize({ width: 1_440, height: 900 });
  await expect(page.getByTestId('zoom')).toContainText(/\d\d\s?%/);
  await page.keyboard.press('Escape');
  await expect(panel(page).getByTestId('comparison')).toHaveCount(0);
  await page.keyboard.press('Alt+v');
  await expect(panel(page)).toHaveCount(0);
});

test('D9.09 a version that is compared with an empty canvas stands alone: the ways to begin come back behind it', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  const named = await nameVersion(page, 'Вся команда');
  await page.getByTestId('canvas').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await expect(workspace.cards()).toHaveCount(0);
  const beginnings = page.getByTestId('empty-canvas');
  await expect(beginnings).toBeVisible();
  await named.getByRole('button').first().click();
  await expect(panel(page).getByTestId('comparison')).toBeVisible();
  await expect(beginnings).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(panel(page).getByTestId('comparison')).toHaveCount(0);
  await expect(beginnings).toBeVisible();
});
