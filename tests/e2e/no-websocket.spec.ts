import { expect } from 'playwright/test';
import { test } from '../support/browser/browser-test.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';
import { BreakableProxy } from '../support/faults/breakable-proxy.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let proxy: BreakableProxy;
test.beforeAll(async () => {
  proxy = await BreakableProxy.open(() => server.url);
  server = await startServer({ env: { ALLOWED_ORIGINS: proxy.url } });
});
test.afterAll(async () => {
  await proxy.close();
  await server.stop();
});

test('W7.08 the address of the page’s WebSocket carries a ticket and no access token', async ({ page }) => {
  const addresses: URL[] = [];
  page.on('websocket', (socket) => addresses.push(new URL(socket.url())));
  const granted = page.waitForResponse((response) => response.url().endsWith('/api/auth/socket-ticket'));
  await enterWorkspace(page, server.url);
  const { ticket } = await (await granted).json();
  await expect.poll(() => addresses.length, { timeout: 15_000 }).toBeGreaterThan(0);
  expect(addresses[0]?.pathname).toBe('/api/natsws');
  expect([...(addresses[0]?.searchParams ?? [])]).toEqual([['ticket', ticket]]);
});

test('R05.01 W4.10 without any WebSocket during the whole run, each result still arrives', async ({ page }) => {
  proxy.cutSockets();
  await enterWorkspace(page, proxy.url);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.write('Добавьте экспорт заказов в CSV');
  await workspace.send();
  await workspace.runEnds('finished', { within: 80_000 });
  expect(proxy.socketsRefused).toBeGreaterThan(0);
  await workspace.openConsole();
  for (const title of ['Ассистент', 'Менеджер продукта', 'Менеджер проекта', 'Тимлид', 'Разработчик', 'Тестировщик']) {
    await expect(workspace.saidBy(title)).toHaveCount(1);
  }
});
