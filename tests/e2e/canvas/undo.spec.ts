import { expect } from 'playwright/test';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { translate } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

const server = setUpSharedServer();

test('R31.01 edits made before a reload are undone and redone after it, by key and by button', { tag: '@rest' }, async ({ page }) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  await expect(workspace.links()).toHaveCount(6);
  await workspace.removeCard('Разработчик');
  await workspace.removeCard('Тимлид');
  await workspace.saved();
  await page.reload();
  await workspace.opened();
  const button = (name: 'undo' | 'redo') =>
    page.getByTestId('project-bar').getByRole('button', { name: translate('ru', 'workspace', `bar.${name}`) });
  await expect(button('undo')).toBeEnabled();
  await expect(button('redo')).toBeDisabled();
  await page.keyboard.press('Control+z');
  await expect(workspace.card('Тимлид')).toHaveCount(1);
  await button('undo').click();
  await expect(workspace.card('Разработчик')).toHaveCount(1);
  await expect(workspace.links()).toHaveCount(6);
  await expect(button('undo')).toBeDisabled();
  await page.reload();
  await workspace.opened();
  await page.keyboard.press('Control+Shift+z');
  await expect(workspace.card('Разработчик')).toHaveCount(0);
  await page.keyboard.press('Control+y');
  await expect(workspace.card('Тимлид')).toHaveCount(0);
  await workspace.saved();
});

test('R31.01 a duplicated tab has its own name and its own undo, also after its reloads', { tag: '@rest-nightly' }, async ({ page }) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.saved();
  // A window opened by a page starts with a copy of its session storage, as a duplicated tab does.
  const opens = page.waitForEvent('popup');
  await page.evaluate(() => void window.open(location.href));
  const copy = await opens;
  const twin = await new WorkspacePage(copy).opened();
  const nameOf = (tab: typeof page) => tab.evaluate(() => sessionStorage.getItem('tabId'));
  await expect.poll(async () => (await nameOf(copy)) !== (await nameOf(page))).toBe(true);
  const name = await nameOf(copy);
  await twin.removeCard('Разработчик');
  await twin.saved();
  await copy.reload();
  await twin.opened();
  expect(await nameOf(copy)).toBe(name);
  await copy.keyboard.press('Control+z');
  await expect(twin.card('Разработчик')).toHaveCount(1);
});
