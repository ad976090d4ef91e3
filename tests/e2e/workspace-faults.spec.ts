import { expect, type Page, test } from 'playwright/test';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { say } from '../support/browser/words.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { Wire } from '../support/wire.ts';

const team = ['Ассистент', 'Менеджер продукта', 'Менеджер проекта', 'Тимлид', 'Разработчик', 'Тестировщик'];

let server: TestServer;
let wire: Wire;
test.beforeAll(async () => {
  wire = await Wire.open(() => server.url);
  server = await startServer({ env: { ALLOWED_ORIGINS: wire.url } });
});
test.afterAll(async () => {
  await wire.close();
  await server.stop();
});

/** A new account's workspace, and what the page has thrown so far. */
async function entered(page: Page): Promise<{ workspace: WorkspacePage; thrown: string[] }> {
  const thrown: string[] = [];
  page.on('pageerror', (error) => thrown.push(error.message));
  await enterWorkspace(page, wire.url);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.saved();
  return { workspace, thrown };
}

const connection = (page: Page) => page.getByTestId('connection');

test('R23.01 R31.01 a server that is killed in the middle of a run and comes back: the page says so, the run ends, and each result is there once', async ({
  page,
}) => {
  const { workspace, thrown } = await entered(page);
  await workspace.write('Добавьте экспорт заказов в CSV');
  await workspace.send();
  await expect(workspace.card('Ассистент')).toHaveAttribute('data-state', 'done');
  await server.kill('SIGKILL');
  await expect(connection(page)).not.toHaveAttribute('data-mood', 'connected');
  server = await server.restart();
  await workspace.runEnds('finished', { within: 90_000 });
  await expect(connection(page)).toHaveAttribute('data-mood', 'connected');
  await workspace.openConsole();
  for (const title of team) await expect(workspace.saidBy(title)).toHaveCount(1);
  expect(thrown).toEqual([]);
});

test('R05.01 W4.10 a socket that falls again and again in a run loses nothing and shows nothing twice', async ({ page }) => {
  const { workspace, thrown } = await entered(page);
  await expect(connection(page)).toHaveAttribute('data-mood', 'connected');
  await workspace.write('Добавьте экспорт заказов в CSV');
  await workspace.send();
  for (const title of ['Ассистент', 'Менеджер проекта']) {
    await expect(workspace.card(title)).toHaveAttribute('data-state', /active|done/);
    const before = wire.socketsRefused;
    wire.cutSockets();
    await expect.poll(() => wire.socketsRefused).toBeGreaterThan(before);
    wire.mend();
  }
  await workspace.runEnds('finished', { within: 80_000 });
  await workspace.openConsole();
  for (const title of team) await expect(workspace.saidBy(title)).toHaveCount(1);
  await expect(connection(page)).toHaveAttribute('data-mood', 'connected');
  expect(thrown).toEqual([]);
});

test('R31.01 a browser whose disk is full keeps an edit on the server and says that it has no copy, until it can keep one again', async ({
  page,
}) => {
  const { workspace, thrown } = await entered(page);
  const engine = page.workers().find((worker) => worker.url().includes('engine'));
  if (!engine) throw new Error('No engine');
  await engine.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The disk is full', 'QuotaExceededError');
    };
    Object.assign(globalThis, { mendDisk: () => Object.assign(IDBObjectStore.prototype, { put }) });
  });
  const warning = workspace.strips().filter({ hasText: say('ru', 'errors', 'journal.denied') });
  await workspace.removeCard('Разработчик');
  await expect(warning).toBeVisible();
  const status = page.getByTestId('save-status');
  await expect(status).toHaveAttribute('data-status', 'failed');
  await engine.evaluate(() => void (globalThis as unknown as { mendDisk: () => void }).mendDisk());
  await workspace.removeCard('Тимлид');
  await expect(warning).toHaveCount(0);
  await workspace.saved();
  await page.reload();
  await workspace.opened();
  await expect(workspace.cards()).toHaveCount(5);
  expect(thrown).toEqual([]);
});

test('W2.02 R37.01 beside the project’s name menu and canvas are matched, and an agent that another device has removed is made again', async ({
  page,
}) => {
  const { workspace, thrown } = await entered(page);
  const press = (key: string) =>
    page
      .getByTestId('project-bar')
      .getByRole('button', { name: say('ru', 'actions', key) })
      .click();
  const told = (key: string, count?: number) => workspace.strips().filter({ hasText: say('ru', 'errors', key, count ? { count } : {}) });
  await press('name.syncMenu');
  await expect(told('agent.allJoined')).toBeVisible();
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const headers = { Authorization: `Bearer ${token}` };
  const agents = (await (await fetch(`${server.url}/api/nuroagent`, { headers })).json()) as { id: string; title: string }[];
  const tester = agents.find(({ title }) => title === 'Тестировщик');
  expect((await fetch(`${server.url}/api/nuroagent/${tester?.id}`, { method: 'DELETE', headers })).ok).toBe(true);
  await press('name.syncMenu');
  await expect(told('agent.someMissing_one', 1)).toBeVisible();
  await press('name.restoreAgents');
  await expect(told('agent.restored_one', 1)).toBeVisible();
  const now = (await (await fetch(`${server.url}/api/nuroagent`, { headers })).json()) as { id: string; title: string }[];
  expect(now.map(({ title }) => title)).toContain('Тестировщик');
  await workspace.saved();
  expect(thrown).toEqual([]);
});
