import { expect, type Page, test } from 'playwright/test';
import type { Agent } from '../../contract/agent.ts';
import type { CanvasDocument, CanvasNode } from '../../contract/canvas.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { watchErrors } from '../support/browser/watch-errors.ts';
import { say } from '../support/browser/words.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let model: ModelServer;
test.beforeAll(async () => {
  model = await startModelServer();
  server = await startServer({ env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-test' } });
});
test.afterAll(async () => {
  await server.stop();
  await model.close();
});
test.beforeEach(() => {
  model.calls.length = 0;
  model.answer({ kind: 'hang' });
});

const words = (key: string, values?: Record<string, string>) => say('ru', 'canvas', `dialog.${key}`, values);

/** Calls the API as the user of the page. */
async function call<T>(page: Page, method: string, path: string, data?: unknown): Promise<T> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const answer = await page.request.fetch(`${server.url}/api${path}`, { method, data, headers: { Authorization: `Bearer ${token}` } });
  expect(answer.ok()).toBe(true);
  return (await answer.json()) as T;
}

const link = (from: string, to: string) => ({
  id: `conn-${from}-${to}`,
  from: { agentId: from, port: 'out' as const },
  to: { agentId: to, port: 'in' as const },
});

/** Replaces the canvas of a new account with what `make` builds of its agents. */
async function withCanvas(
  page: Page,
  make: (card: (index: number, id: string, y: number) => CanvasNode) => CanvasNode[],
  links: [string, string][],
) {
  const thrown = watchErrors(page);
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.saved();
  const agents = await call<Agent[]>(page, 'GET', '/nuroagent');
  const { version } = await call<CanvasDocument & { version: number }>(page, 'GET', '/project/default/canvas');
  const card = (index: number, id: string, y: number): CanvasNode => {
    const { id: serverAgentId, title, name, role } = agents[index] as Agent;
    return { id, type: 'agent', title, name, role, serverAgentId, color: { background: '#222', border: '#444' }, x: 360, y };
  };
  const nodes = Object.fromEntries(make(card).map((node) => [node.id, node]));
  const connections = Object.fromEntries(links.map(([from, to]) => [`conn-${from}-${to}`, link(from, to)]));
  await call(page, 'PUT', '/project/default/canvas', { nodes, connections, baseVersion: version });
  await page.reload();
  await workspace.opened();
  return { workspace, thrown, agents };
}

const dialog = (id: string, title: string, y: number): CanvasNode => ({ id, type: 'dialog', title, goal: `Goal of ${title}`, x: 0, y });

function dialogOn(page: Page, id: string) {
  const form = page.locator(`[data-dialog-id="${id}"]`);
  return {
    box: form.locator('textarea'),
    effect: form.getByTestId('message-effect'),
    queued: form.getByTestId('queued-messages'),
    send: () => form.getByRole('button', { name: words('send'), exact: true }).click(),
    withdraw: () => form.getByRole('button', { name: words('withdraw') }).click(),
  };
}

test('R41.01 a message of a second dialog starts its own run after the one under way, over a reload, and can be withdrawn', async ({
  page,
}) => {
  const { workspace, thrown, agents } = await withCanvas(
    page,
    (card) => [dialog('d', 'Магазин', 0), card(0, 'a', 0), dialog('e', 'Пекарня', 420), card(1, 'b', 420)],
    [
      ['d', 'a'],
      ['e', 'b'],
    ],
  );
  const [shop, bakery] = [dialogOn(page, 'd'), dialogOn(page, 'e')];
  await shop.box.fill('Построй магазин');
  await shop.send();
  await model.call(1);
  await bakery.box.fill('Испеки хлеб');
  await expect(bakery.effect).toHaveText(words('effect.queue', { agent: agents[1]?.title ?? '' }));
  await bakery.send();
  await expect(bakery.box).toHaveValue('');
  await expect(bakery.queued).toContainText('Испеки хлеб');
  await bakery.withdraw();
  await expect(bakery.box).toHaveValue('Испеки хлеб');
  await expect(bakery.queued).toHaveCount(0);
  await bakery.send();
  await expect(bakery.queued).toContainText('Испеки хлеб');

  await page.reload();
  await workspace.opened();
  await expect(dialogOn(page, 'e').queued).toContainText('Испеки хлеб');
  model.release('Магазин готов.');
  const second = await model.call(2);
  expect(JSON.stringify(second.body)).toContain('Испеки хлеб');
  expect(JSON.stringify(second.body)).not.toContain('Построй магазин');
  await expect(dialogOn(page, 'e').queued).toHaveCount(0);
  model.release('Хлеб готов.');
  await workspace.runEnds('finished');
  expect(model.calls).toHaveLength(2);
  expect(thrown).toEqual([]);
});

test('R41.01 a message during the last step starts a follow-up run of its agent with the results of the run', async ({ page }) => {
  const { workspace, thrown, agents } = await withCanvas(page, (card) => [dialog('d', 'Магазин', 0), card(0, 'a', 0)], [['d', 'a']]);
  const shop = dialogOn(page, 'd');
  await shop.box.fill('Построй магазин');
  await shop.send();
  await model.call(1);
  await shop.box.fill('И покрась');
  await expect(shop.effect).toHaveText(words('effect.followUp', { agent: agents[0]?.title ?? '' }));
  await shop.send();
  await expect(shop.queued).toContainText('И покрась');
  model.release('Магазин построен из кирпича.');
  const followUp = JSON.stringify((await model.call(2)).body);
  for (const part of ['И покрась', 'Построй магазин', 'Магазин построен из кирпича.']) expect(followUp).toContain(part);
  model.release('Покрашено.');
  await workspace.runEnds('finished');
  expect(thrown).toEqual([]);
});
