import { expect, type Page } from 'playwright/test';
import { setUpSharedServer, test } from '../support/browser/browser-test.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { faultsInBothThemes } from '../support/browser/faults.ts';
import { translator } from '../support/browser/translate.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';

const words = translator('ru', 'api-keys');
const ofAccount = translator('ru', 'account');
const ofBudgets = translator('ru', 'budgets');
const ofWorkspace = translator('ru', 'workspace');

const server = setUpSharedServer();

async function openKeys(page: Page) {
  await page.getByTestId('account-menu').click();
  await page.getByRole('menuitem', { name: ofWorkspace('bar.accountWindow') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: ofAccount('tabs.settings') }).click();
  await dialog.getByRole('button', { name: ofAccount('settings.keysOpen') }).click();
  return page.getByTestId('api-keys');
}

test('K2.01 K2.03 K2.08 a person creates a key with a budget, calls with it, sees its use, and revokes it', async ({ page }) => {
  await enterWorkspace(page, server.url);
  await new WorkspacePage(page).opened();
  const keys = await openKeys(page);
  await keys.getByRole('button', { name: words('new.open') }).click();
  const create = keys.getByRole('button', { name: words('new.create') });
  await create.click();
  await expect(keys.getByText(words('new.nameMissing'))).toBeVisible();
  await keys.getByLabel(words('words:name')).fill('Ночная сборка');
  await keys.getByText(words('words:budget'), { exact: true }).click();
  await keys.getByLabel(ofBudgets('calls'), { exact: true }).fill('много');
  await create.click();
  await expect(keys.getByText(ofBudgets('wrong'))).toBeVisible();
  await keys.getByLabel(ofBudgets('calls'), { exact: true }).fill('20');
  expect(await faultsInBothThemes(page, '[role="dialog"]')).toEqual([]);
  await create.click();
  const key = await keys.getByTestId('new-key').innerText();
  expect(key).toMatch(/^art_[0-9A-Za-z]{40}$/);
  await expect(keys.getByTestId('new-command')).toContainText(key);
  const row = keys.getByRole('listitem').filter({ hasText: 'Ночная сборка' });
  await expect(row).toContainText(words('unused'));
  await expect(row).toContainText(ofBudgets('words:usedOfLimit', { used: '0', limit: '20' }));
  expect(await faultsInBothThemes(page, '[role="dialog"]')).toEqual([]);

  const call = () => page.request.get(`${server.url}/api/project`, { headers: { authorization: `Bearer ${key}` } });
  expect((await call()).status()).toBe(200);
  await page.reload();
  await new WorkspacePage(page).opened();
  const again = await openKeys(page);
  await expect(again.getByText(/127\.0\.0\.1|::1/)).toBeVisible();
  await expect(again).not.toContainText(key);
  await page.setViewportSize({ width: 390, height: 844 });
  await again.getByRole('button', { name: words('revoke.of', { name: 'Ночная сборка' }) }).click();
  await again.getByRole('button', { name: words('revoke.confirm') }).click();
  await expect(again.getByText(words('revoked', { at: '' }).trim())).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect((await call()).status()).toBe(401);
});
