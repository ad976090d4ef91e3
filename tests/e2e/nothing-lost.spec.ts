import { expect, type Page } from 'playwright/test';
import { setUpSharedServer, test } from '../support/browser/browser-test.ts';
import { engineOf } from '../support/browser/engine-worker.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { translate } from '../support/browser/translate.ts';
import { watchErrors } from '../support/browser/watch-errors.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';

const server = setUpSharedServer();

async function signedUp(page: Page): Promise<WorkspacePage> {
  await enterWorkspace(page, server.url);
  return new WorkspacePage(page).opened();
}

test('R31.01 an edit survives a reload that comes before it was saved', { tag: '@rest' }, async ({ page }) => {
  const workspace = await signedUp(page);
  await workspace.saved();
  await workspace.removeCard('Разработчик');
  await page.reload();
  await workspace.opened();
  await expect(workspace.card('Разработчик')).toHaveCount(0);
  await workspace.saved();
});

test('R31.01 an edit made without a network is saved when the network is back', { tag: '@rest' }, async ({ page, context }) => {
  const workspace = await signedUp(page);
  await workspace.saved();
  await context.setOffline(true);
  await workspace.removeCard('Тимлид');
  await expect(page.getByTestId('save-status')).toHaveAttribute('data-status', 'offline');
  await context.setOffline(false);
  await workspace.saved();
  await page.reload();
  await workspace.opened();
  await expect(workspace.card('Тимлид')).toHaveCount(0);
});

/** Removes a card from the server's canvas, as another device of the same user would. */
async function removeElsewhere(page: Page, title: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const address = `${server.url}/api/project/default/canvas`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'X-Client-Id': 'another-device' };
  const canvas = (await (await fetch(address, { headers })).json()) as { version: number; nodes: Record<string, { title: string }> };
  const id = Object.keys(canvas.nodes).find((nodeId) => canvas.nodes[nodeId]?.title === title) as string;
  const patches = [{ op: 'remove', collection: 'nodes', id }];
  const saved = await fetch(address, { method: 'PATCH', headers, body: JSON.stringify({ baseVersion: canvas.version, patches }) });
  expect(saved.status).toBe(200);
}

test('R31.01 changes from another device are taken without a question; with unsaved edits both versions are offered, also after a reload', {
  tag: '@rest',
}, async ({ page, context }) => {
  const workspace = await signedUp(page);
  await workspace.saved();
  await expect(page.getByTestId('connection')).toHaveAttribute('data-state', 'connected');
  await removeElsewhere(page, 'Разработчик');
  await expect(workspace.card('Разработчик')).toHaveCount(0);

  await context.setOffline(true);
  await workspace.removeCard('Тимлид');
  await removeElsewhere(page, 'Тестировщик');
  await context.setOffline(false);
  const status = page.getByTestId('save-status');
  await expect(status).toHaveAttribute('data-status', 'conflict');
  await page.reload();
  await workspace.opened();
  await expect(status).toHaveAttribute('data-status', 'conflict');
  await expect(workspace.card('Тимлид')).toHaveCount(0);
  await expect(workspace.card('Тестировщик')).toHaveCount(1);
  await page.getByRole('button', { name: translate('ru', 'workspace', 'conflict.mine') }).click();
  await workspace.saved();
  await page.reload();
  await workspace.opened();
  await expect(workspace.card('Тестировщик')).toHaveCount(1);
  await expect(workspace.card('Тимлид')).toHaveCount(0);
});

test('R31.01 a worker that crashes during a run is replaced: canvas and run are kept, and the page shows a note', { tag: '@rest' }, async ({
  page,
}) => {
  const thrown = watchErrors(page);
  const workspace = await signedUp(page);
  await workspace.removeCard('Разработчик');
  await workspace.write('Добавьте экспорт заказов в CSV');
  await workspace.send();
  await expect(workspace.card('Ассистент')).toHaveAttribute('data-state', /active|done/);
  // In a turn of its own: a rejection in the evaluated call would come back as its error.
  await engineOf(page).evaluate(() => void setTimeout(() => Promise.reject(new Error('A crash for this test'))));
  await expect(workspace.banners().filter({ hasText: translate('ru', 'errors', 'engine.restarted') })).toBeVisible();
  await expect(workspace.card('Разработчик')).toHaveCount(0);
  await expect(workspace.card('Тимлид')).toHaveCount(1);
  await workspace.runEnds('finished', { within: 80_000 });
  await workspace.openConsole();
  await expect(workspace.saidBy('Тимлид')).toHaveCount(1);
  expect(thrown.filter((error) => !error.includes('A crash for this test'))).toEqual([]);
});

test('G8.32 a worker that ends unexpectedly is replaced at once, and a hanging worker is shown within three seconds', {
  tag: '@rest',
}, async ({ page }) => {
  const thrown = watchErrors(page);
  const workspace = await signedUp(page);
  const restarted = workspace.banners().filter({ hasText: translate('ru', 'errors', 'engine.restarted') });
  await engineOf(page).evaluate(() => self.close());
  // Sooner than a worker that does not answer, which is replaced after ten seconds.
  await expect(restarted).toBeVisible({ timeout: 9_000 });
  await expect(page.getByTestId('connection')).toHaveAttribute('data-state', 'connected');
  void engineOf(page)
    .evaluate(() => {
      for (;;);
    })
    .catch(() => {});
  // The three seconds themselves are counted where the clock is the test's (`engine/bridge.test.ts`).
  await expect(page.getByTestId('save-status')).toHaveAttribute('data-status', 'silent', { timeout: 9_000 });
  await expect(page.getByTestId('connection')).toHaveAttribute('data-state', 'silent');
  await expect(page.getByTestId('save-status')).toHaveAttribute('data-status', 'saved', { timeout: 20_000 });
  await expect(page.getByTestId('connection')).toHaveAttribute('data-state', 'connected');
  expect(thrown).toEqual([]);
});
