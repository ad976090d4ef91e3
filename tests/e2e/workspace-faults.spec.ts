import { expect, type Page } from 'playwright/test';
import { test } from '../support/browser/browser-test.ts';
import { engineOf, hastenEngine } from '../support/browser/engine-worker.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { LandingSignIn, newPerson } from '../support/browser/landing-sign-in.ts';
import { translate } from '../support/browser/translate.ts';
import { watchErrors } from '../support/browser/watch-errors.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';
import { BreakableProxy } from '../support/faults/breakable-proxy.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

const team = ['Ассистент', 'Менеджер продукта', 'Менеджер проекта', 'Тимлид', 'Разработчик', 'Тестировщик'];

let server: TestServer;
let proxy: BreakableProxy;
test.beforeAll(async () => {
  proxy = await BreakableProxy.open(() => server.url);
  server = await startServer({ env: { ALLOWED_ORIGINS: proxy.url }, ownDatabase: true });
});
test.afterAll(async () => {
  await proxy.close();
  await server.stop();
});

/** A new account's workspace, and the uncaught errors so far. */
async function entered(page: Page): Promise<{ workspace: WorkspacePage; thrown: string[] }> {
  const thrown = watchErrors(page);
  await enterWorkspace(page, proxy.url);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.saved();
  return { workspace, thrown };
}

/** Makes every kind of browser storage fail in page and engine, as in a browser that blocks all cookies. */
async function denyStorage(page: Page): Promise<void> {
  const deny = () => {
    const refuse = () => {
      throw new DOMException('Access is denied for this document', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(globalThis, name, { get: refuse });
    IDBFactory.prototype.open = refuse;
  };
  await page.addInitScript(deny);
  await page.route(/engine\.worker/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `(${deny})();${await answer.text()}` });
  });
}

const connection = (page: Page) => page.getByTestId('connection');

test('R23.01 R31.01 when a server is killed during a run and restarts, the page says so, the run ends, and each result is there once', {
  tag: '@rest',
}, async ({ page }) => {
  const { workspace, thrown } = await entered(page);
  await workspace.write('Добавьте экспорт заказов в CSV');
  await workspace.send();
  await expect(workspace.card('Ассистент')).toHaveAttribute('data-state', 'done');
  // The first step has ended and the run goes on: the page has to learn of the rest after the restart.
  await server.kill('SIGKILL');
  await expect(connection(page)).not.toHaveAttribute('data-state', 'connected');
  server = await server.restart();
  await workspace.runEnds('finished', { within: 90_000 });
  await expect(connection(page)).toHaveAttribute('data-state', 'connected');
  await workspace.openConsole();
  for (const title of team) await expect(workspace.saidBy(title)).toHaveCount(1);
  expect(thrown).toEqual([]);
});

test('R05.01 W4.10 W7.08 a socket that fails repeatedly during a run loses nothing and shows nothing twice', { tag: '@rest' }, async ({
  page,
}) => {
  const { workspace, thrown } = await entered(page);
  await expect(connection(page)).toHaveAttribute('data-state', 'connected');
  await workspace.write('Добавьте экспорт заказов в CSV');
  await workspace.send();
  for (const title of ['Ассистент', 'Менеджер проекта']) {
    await expect(workspace.card(title)).toHaveAttribute('data-state', /active|done/);
    const before = proxy.socketsRefused;
    proxy.cutSockets();
    await expect.poll(() => proxy.socketsRefused).toBeGreaterThan(before);
    proxy.mend();
  }
  await workspace.runEnds('finished', { within: 80_000 });
  await workspace.openConsole();
  for (const title of team) await expect(workspace.saidBy(title)).toHaveCount(1);
  await expect(connection(page)).toHaveAttribute('data-state', 'connected');
  expect(thrown).toEqual([]);
});

test('R31.01 a browser with a full disk saves an edit on the server and warns that no local copy exists, until a copy can be stored', {
  tag: '@rest',
}, async ({ page }) => {
  const { workspace, thrown } = await entered(page);
  const engine = engineOf(page);
  await engine.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The disk is full', 'QuotaExceededError');
    };
    Object.assign(globalThis, { mendDisk: () => Object.assign(IDBObjectStore.prototype, { put }) });
  });
  const warning = workspace.banners().filter({ hasText: translate('ru', 'errors', 'journal.denied') });
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

test('R31.01 W8.05 while the network is down for more than a minute the page says so, editing works, and the edits reach the server later', {
  tag: '@rest',
}, async ({ page }) => {
  const { workspace, thrown } = await entered(page);
  await expect(connection(page)).toHaveAttribute('data-state', 'connected');
  const time = await hastenEngine(page, 30);
  proxy.cutAll();
  await workspace.removeCard('Тимлид');
  const status = page.getByTestId('save-status');
  await expect(status).toHaveAttribute('data-status', 'offline');
  await expect(status).toHaveText(translate('ru', 'workspace', 'save.offline'));
  await expect(connection(page)).toHaveAttribute('data-state', 'offline');
  await workspace.openConsole();
  await expect(workspace.messages().filter({ hasText: translate('ru', 'errors', 'realtime.gaveUp') })).toBeVisible();
  await expect.poll(time.passed).toBeGreaterThan(60_000);
  await workspace.removeCard('Тестировщик');
  await expect(status).toHaveAttribute('data-status', 'offline');
  proxy.mend();
  await workspace.saved();
  await time.slow();
  await expect(connection(page)).toHaveAttribute('data-state', 'connected');
  await page.reload();
  await workspace.opened();
  await workspace.saved();
  await expect(workspace.cards()).toHaveCount(5);
  await expect(workspace.card('Тимлид')).toHaveCount(0);
  expect(thrown).toEqual([]);
});

test('P4.03 R20.01 a reload with an expired session while the server is away stays at its project, which opens once the server is back', {
  tag: '@rest',
}, async ({ page }) => {
  const { workspace } = await entered(page);
  const projectId = await page.evaluate(async () => {
    const [head, body, signature] = (localStorage.getItem('accessToken') ?? '').split('.');
    const payload = JSON.parse(atob((body ?? '').replaceAll('-', '+').replaceAll('_', '/')));
    const expired = btoa(JSON.stringify({ ...payload, exp: 1 }))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
    const projects = await fetch('/api/project', { headers: { Authorization: `Bearer ${localStorage.getItem('accessToken')}` } });
    localStorage.setItem('accessToken', `${head}.${expired}.${signature}`);
    return ((await projects.json()) as { id: string }[])[0]?.id;
  });
  const away = /\/(api|health)\b/;
  await page.context().route(away, (route) => route.abort());
  await page.goto(`${proxy.url}/test-project?projectId=${projectId}`);
  await expect(page.getByTestId('workspace-failure')).toBeVisible();
  expect(page.url()).toContain(`/test-project?projectId=${projectId}`);
  await page.context().unroute(away);
  await workspace.opened();
  await expect(workspace.cards()).toHaveCount(7);
  expect(page.url()).toContain(`projectId=${projectId}`);
  await page.reload();
  await workspace.opened();
});

test('R31.01 two tabs edit one project: each tab applies the saves of the other, and both versions of a conflict are offered', {
  tag: '@rest',
}, async ({ page, context }) => {
  const { workspace, thrown } = await entered(page);
  const other = await context.newPage();
  const thrownThere = watchErrors(other);
  await other.goto(`${proxy.url}/test-project?lang=ru`);
  const second = await new WorkspacePage(other).opened();
  await expect(connection(other)).toHaveAttribute('data-state', 'connected');
  await workspace.removeCard('Разработчик');
  await expect(second.card('Разработчик')).toHaveCount(0);

  proxy.cutAll();
  await workspace.removeCard('Тимлид');
  await second.removeCard('Тестировщик');
  await expect(page.getByTestId('save-status')).toHaveAttribute('data-status', 'offline');
  await expect(other.getByTestId('save-status')).toHaveAttribute('data-status', 'offline');
  proxy.mend();
  // The first tab's edit is saved, and the other tab asks for a decision.
  const keepMine = (tab: Page) => tab.getByRole('button', { name: translate('ru', 'workspace', 'conflict.mine') });
  await expect.poll(async () => (await Promise.all([page, other].map((tab) => keepMine(tab).isVisible()))).filter(Boolean)).toHaveLength(1);
  await keepMine((await keepMine(page).isVisible()) ? page : other).click();
  await workspace.saved();
  await second.saved();
  const titles = async (tab: WorkspacePage) => (await tab.readCards()).map(({ title }) => title);
  await expect.poll(async () => JSON.stringify(await titles(workspace)) === JSON.stringify(await titles(second))).toBe(true);
  expect(await titles(workspace)).toHaveLength(5);
  expect([...thrown, ...thrownThere]).toEqual([]);
});

test('R31.01 a browser that denies all storage opens the workspace and saves its edits on the server, and the page says that it keeps nothing', {
  tag: '@rest',
}, async ({ page }) => {
  const thrown = watchErrors(page);
  await denyStorage(page);
  const person = newPerson();
  await (await new LandingSignIn(page, proxy.url).open()).signUp(person);
  const workspace = await new WorkspacePage(page).opened();
  const warning = workspace.banners().filter({ hasText: translate('ru', 'errors', 'journal.denied') });
  await expect(warning).toBeVisible();
  const status = page.getByTestId('save-status');
  await expect(status).toHaveAttribute('data-status', 'failed');
  const sent = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.url().endsWith('/canvas'));
  await workspace.removeCard('Тимлид');
  expect((await sent).status()).toBe(200);
  await expect(status).toHaveText(translate('ru', 'workspace', 'save.failed'));

  proxy.cutAll();
  await workspace.removeCard('Тестировщик');
  await expect(status).toHaveText(translate('ru', 'workspace', 'save.unkept'));
  proxy.mend();
  await expect(status).toHaveText(translate('ru', 'workspace', 'save.failed'));
  await workspace.write('Добавьте экспорт');
  await workspace.send();
  await expect(workspace.card('Ассистент')).toHaveAttribute('data-state', /active|done/);
  expect(thrown).toEqual([]);
});

test('W2.02 W4.04 W8.03 R37.01 the menu beside the project’s name matches agents and canvas; an agent that another device removed blocks the start and is made again', async ({
  page,
}) => {
  const { workspace, thrown } = await entered(page);
  const press = (key: string) => workspace.ofProject(translate('ru', 'actions', key));
  const told = (key: string, count?: number) =>
    workspace.banners().filter({ hasText: translate('ru', 'errors', key, count ? { count } : {}) });
  await press('name.syncMenu');
  await expect(told('agent.allJoined')).toBeVisible();
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const headers = { Authorization: `Bearer ${token}` };
  const agents = (await (await fetch(`${server.url}/api/nuroagent`, { headers })).json()) as { id: string; title: string }[];
  const tester = agents.find(({ title }) => title === 'Тестировщик');
  expect((await fetch(`${server.url}/api/nuroagent/${tester?.id}`, { method: 'DELETE', headers })).ok).toBe(true);
  await workspace.write('Добавьте экспорт');
  await workspace.send();
  const missing = translate('ru', 'errors', 'agent.serverMissing', { name: 'Тестировщик' });
  await expect(workspace.messageProblem).toContainText(missing);
  await expect(workspace.messageBox).toHaveValue('Добавьте экспорт');
  await workspace.openConsole();
  const refusal = workspace.messages().filter({ hasText: `1. ${missing}` });
  await expect(refusal).toContainText(translate('ru', 'errors', 'pipeline.hint.agent'));
  await expect(workspace.messages().filter({ hasText: translate('ru', 'errors', 'run.stoppedByErrors') })).toHaveCount(1);
  await press('name.syncMenu');
  await expect(told('agent.someMissing_one', 1)).toBeVisible();
  await press('name.restoreAgents');
  await expect(told('agent.restored_one', 1)).toBeVisible();
  const now = (await (await fetch(`${server.url}/api/nuroagent`, { headers })).json()) as { id: string; title: string }[];
  expect(now.map(({ title }) => title)).toContain('Тестировщик');
  await workspace.saved();
  await workspace.send();
  await expect(workspace.card('Ассистент')).toHaveAttribute('data-state', /active|done/);
  await expect(workspace.messageProblem).toHaveCount(0);
  expect(thrown).toEqual([]);
});
