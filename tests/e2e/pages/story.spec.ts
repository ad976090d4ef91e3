import { expect, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { LandingSignIn, newPerson } from '../../support/browser/landing-sign-in.ts';
import { translate } from '../../support/browser/translate.ts';
import { watchCards, whoWorked } from '../../support/browser/watch-cards.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

const task = 'Добавьте экспорт заказов в CSV за выбранный период';

/** A new account's team in the order of its links, without the tester at the end. */
const team = ['Ассистент', 'Менеджер продукта', 'Менеджер проекта', 'Тимлид', 'Разработчик'];

test.describe('the whole story, without a key', () => {
  let server: TestServer;
  test.beforeAll(async () => {
    server = await startServer({ ownDatabase: true });
  });
  test.afterAll(() => server.stop());

  test('W4.05 W4.06 W4.09 R10.01 R13.01 a new user signs up, sends a task, reads every result and finds all of it after a reload', async ({
    page,
  }) => {
    const { workspace, changes } = await runTheTask(page, server);
    expect(whoWorked(changes)).toEqual(team);
    expect(neverTwoAtOnce(changes)).toBe(true);

    await workspace.openConsole();
    for (const title of team) {
      await expect(workspace.saidBy(title)).toHaveCount(1);
      await expect(workspace.messages().filter({ hasText: translate('ru', 'errors', 'task.completed', { agent: title }) })).toHaveCount(1);
    }
    await expect(workspace.messages().filter({ hasText: translate('ru', 'errors', 'run.completed') })).toHaveCount(1);
    await expect(workspace.saidBy(team[0] as string)).toContainText('симуляция');
    await workspace.readMessageOf('Разработчик');
    await expect(workspace.openMessage.locator('pre').first()).toContainText('export');

    await expectTheSameAfterReload(workspace);
  });
});

test.describe('the whole story, with a model', () => {
  let server: TestServer;
  let model: ModelServer;
  test.beforeAll(async () => {
    model = await startModelServer();
    model.answer(({ number }) => ({ kind: 'text', text: `## Итог ${number}\n\nРабота номер ${number} сделана.`, afterMs: 500 }));
    server = await startServer({ env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-test' } });
  });
  test.afterAll(async () => {
    await server.stop();
    await model.close();
  });

  test('R24.01 R25.01 W3.05 five agents make five calls in the order of the links, each carrying the results before it', async ({
    page,
  }) => {
    const { workspace, changes } = await runTheTask(page, server);
    expect(whoWorked(changes)).toEqual(team);

    expect(model.calls).toHaveLength(5);
    for (const [index, { body, headers }] of model.calls.entries()) {
      const sent = body.messages.map(({ content }) => content).join('\n');
      expect(sent).toContain(task);
      for (let earlier = 1; earlier <= index; earlier++) expect(sent).toContain(`Работа номер ${earlier} сделана.`);
      expect(sent).not.toContain(`Работа номер ${index + 1} сделана.`);
      expect(headers.authorization).toBe('Bearer sk-test');
    }
    expect(new Set(model.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(5);

    await workspace.openConsole();
    for (const [index, title] of team.entries()) await expect(workspace.saidBy(title)).toContainText(`Работа номер ${index + 1} сделана.`);
    await expect(workspace.messages().filter({ hasText: 'симуляция' })).toHaveCount(0);
    await expectTheSameAfterReload(workspace);
    expect(model.calls).toHaveLength(5);
  });
});

/** Signs up, removes the tester from the canvas, sends the task, and resolves when the run has ended. */
async function runTheTask(page: Page, { url }: TestServer) {
  await (await new LandingSignIn(page, url).open()).signUp(newPerson());
  const workspace = await new WorkspacePage(page).opened();
  await expect(workspace.cards()).toHaveCount(7);
  await workspace.removeCard('Тестировщик');
  await workspace.saved();

  const seen = await watchCards(page);
  await workspace.write(task);
  await workspace.send();
  await expect(workspace.messageBox).toHaveValue('');
  await workspace.runEnds('finished');
  return { workspace, changes: await seen() };
}

async function expectTheSameAfterReload(workspace: WorkspacePage): Promise<void> {
  const before = { cards: await workspace.readCards(), links: await workspace.readLinks(), said: await workspace.readSaid() };
  await workspace.page.reload();
  await workspace.opened();
  await workspace.runEnds('finished');
  await expect.poll(() => workspace.readCards()).toEqual(before.cards);
  await expect.poll(() => workspace.readLinks()).toEqual(before.links);
  await workspace.openConsole();
  await expect(workspace.said()).toHaveCount(before.said.length);
  expect(await workspace.readSaid()).toEqual(before.said);
  await workspace.openHistory();
  await expect(workspace.historyItems()).toHaveCount(1);
  await expect(workspace.historyItems().first()).toContainText(task);
}

function neverTwoAtOnce(changes: { title: string; state: string }[]): boolean {
  const active = new Set<string>();
  return changes.every(({ title, state }) => {
    if (state === 'active') active.add(title);
    else active.delete(title);
    return active.size <= 1;
  });
}
