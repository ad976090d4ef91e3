import { expect, type Page, test } from 'playwright/test';
import { FrontDoor, newPerson } from '../support/browser/front-door.ts';
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

async function signedUp(page: Page): Promise<WorkspacePage> {
  await (await new FrontDoor(page, server.url).open()).signUp(newPerson());
  return new WorkspacePage(page).opened();
}

test('R31.01 an edit survives a reload that comes before it was saved', async ({ page }) => {
  const workspace = await signedUp(page);
  await workspace.saved();
  await workspace.removeCard('Разработчик');
  await page.reload();
  await workspace.opened();
  await expect(workspace.card('Разработчик')).toHaveCount(0);
  await workspace.saved();
});

test('R31.01 an edit made without a network goes out when it is back', async ({ page, context }) => {
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

test('R31.01 a worker that crashes in the middle of a run is replaced: canvas and run go on, and the page says so', async ({ page }) => {
  const workspace = await signedUp(page);
  await workspace.removeCard('Разработчик');
  await workspace.write('Добавьте экспорт заказов в CSV');
  await workspace.send();
  await expect(workspace.runControl).toContainText('Ассистент');
  const engine = page.workers().find((worker) => worker.url().includes('engine'));
  await engine?.evaluate(() => void setTimeout(() => Promise.reject(new Error('A crash for this test'))));
  await expect(workspace.strips().filter({ hasText: say('ru', 'errors', 'engine.restarted') })).toBeVisible();
  await expect(workspace.card('Разработчик')).toHaveCount(0);
  await expect(workspace.card('Тимлид')).toHaveCount(1);
  await workspace.runEnds('finished', { within: 80_000 });
  await workspace.openConsole();
  await expect(workspace.saidBy('Тимлид')).toHaveCount(1);
});
