import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { faults } from '../../support/browser/faults.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

const words = translator('ru', 'leads');

let server: TestServer;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(async () => {
  await server.stop();
});

/** The request that the form of the landing page sends. */
async function ask(name: string, more: object = {}): Promise<void> {
  const body = JSON.stringify({ name, email: `${name.length}-${Date.now()}@example.org`, consent: true, ...more });
  await fetch(`${server.url}/api/leads`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

test('P7.03 R13.01 staff sorts, edits and deletes demo requests, and no other account can see them', { tag: '@rest-nightly' }, async ({
  page,
  browser,
}) => {
  // On loopback the first account is staff.
  await enterWorkspace(page, server.url);
  await new WorkspacePage(page).opened();
  await page.getByTestId('account-menu').click();
  await page.getByRole('menuitem', { name: translate('ru', 'workspace', 'bar.leads') }).click();
  await expect(page).toHaveURL(/\/leads$/);
  await expect(page.getByText(words('empty.title'))).toBeVisible();
  await ask('Борис Чайка', { company: 'Полка', comment: 'Покажите холст на большом проекте' });
  await ask('Вера Соколова', { company: 'Верфь', role: 'CTO' });
  await ask('Анна Лис');
  await page.reload();
  const rows = page.getByTestId('lead');
  const who = () => rows.getByRole('strong').or(rows.locator('strong')).allTextContents();
  await expect(rows).toHaveCount(3);
  expect(await who()).toEqual(['Анна Лис', 'Вера Соколова', 'Борис Чайка']);
  const header = (column: string) => page.getByRole('columnheader', { name: words(`column.${column}`) });
  await header('name').getByRole('button').click();
  await expect(header('name')).toHaveAttribute('aria-sort', 'ascending');
  expect(await who()).toEqual(['Анна Лис', 'Борис Чайка', 'Вера Соколова']);
  expect(await faults(page)).toEqual([]);

  const dialog = page.getByRole('dialog');
  const choose = async (field: string, option: string) => {
    await dialog.getByLabel(words(`details.${field}`), { exact: true }).click();
    await page.getByRole('option', { name: words(`${field}.${option}`), exact: true }).click();
    await expect(page.getByRole('option')).toHaveCount(0);
  };
  await rows.getByRole('button', { name: `${words('open')} Борис Чайка` }).click();
  await expect(dialog).toContainText('Покажите холст на большом проекте');
  await choose('status', 'contacted');
  await choose('priority', 'high');
  await dialog.getByRole('button', { name: words('comments.send') }).click();
  await expect(dialog.getByRole('alert').filter({ visible: true })).toHaveText(words('comments.required'));
  await expect(dialog.getByLabel(words('words:note'), { exact: true })).toBeFocused();
  await dialog.getByLabel(words('words:note'), { exact: true }).fill('Договорились на среду');
  await dialog.getByRole('button', { name: words('comments.send') }).click();
  await expect(dialog.getByRole('listitem')).toContainText('Договорились на среду');
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await header('priority').getByRole('button').click();
  await expect(rows.first()).toContainText(words('priority.high'));
  await page.getByLabel(words('search')).fill('верфь');
  await expect(rows).toHaveCount(1);
  await rows.getByRole('button').click();
  await dialog.getByRole('button', { name: words('details.remove') }).click();
  await dialog.getByRole('button', { name: words('words:delete') }).click();
  await expect(rows).toHaveCount(0);
  await page.reload();
  await expect(rows).toHaveCount(2);
  await rows.getByRole('button', { name: `${words('open')} Борис Чайка` }).click();
  await expect(dialog.getByRole('listitem')).toContainText('Договорились на среду');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await faults(page)).toEqual([]);

  const stranger = await (await browser.newContext({ locale: 'ru-RU' })).newPage();
  await stranger.goto(`${server.url}/leads`);
  await expect(stranger).toHaveURL(/\/forbidden$/);
  await enterWorkspace(stranger, server.url);
  await new WorkspacePage(stranger).opened();
  await stranger.getByTestId('account-menu').click();
  await expect(stranger.getByRole('menuitem', { name: translate('ru', 'workspace', 'bar.accountWindow') })).toBeVisible();
  await expect(stranger.getByRole('menuitem', { name: translate('ru', 'workspace', 'bar.leads') })).toHaveCount(0);
  await stranger.goto(`${server.url}/leads`);
  await expect(stranger).toHaveURL(/\/forbidden$/);
});
