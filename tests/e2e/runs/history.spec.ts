import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { hastenEngine } from '../../support/browser/engine-worker.ts';
import { enterAs } from '../../support/browser/enter-workspace.ts';
import { faults } from '../../support/browser/faults.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { watchErrors } from '../../support/browser/watch-errors.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

let server: TestServer;
let model: ModelServer;
test.beforeAll(async () => {
  model = await startModelServer();
  const answerTo = (number: number) => (number === 5 ? `Длинный ответ. ${'Слово. '.repeat(500)}Последние слова.` : `Ответ ${number}.`);
  model.answer(({ number }) => ({ kind: 'text', text: answerTo(number) }));
  server = await startServer({ env: { ARTEL_REALTIME: 'off', OPENAI_BASE_URL: model.url } });
});
test.afterAll(async () => {
  await server.stop();
  await model.close();
});

const words = translator('ru', 'workspace');

/** A user with `count` completed tasks, named by their numbers. */
async function afterRuns(count: number): Promise<RunAccount> {
  const account = await signUp(server.url, 'ru');
  const pipeline = await account.pipeline('assistant');
  for (let number = 1; number <= count; number++) {
    const { id } = await account.start(pipeline, `Задача номер ${number}.`);
    await account.until(id, ({ status }) => status === 'completed');
  }
  return account;
}

test('W2.18 W2.21 W3.07 W7.07 W9.02 W2.02 R05.01 the history is read page by page, searched, opened and shortened, and shows new items automatically, also with HTTP alone', {
  tag: '@rest',
}, async ({ page }) => {
  const thrown = watchErrors(page);
  const account = await afterRuns(23);
  await enterAs(page, server.url, account);
  const workspace = await new WorkspacePage(page).opened();
  await expect(page.getByTestId('connection')).toHaveText(words('connection.off'));
  await expect(page.getByTestId('connection')).toHaveAttribute('aria-disabled', 'true');

  await workspace.openHistory();
  const panel = page.getByTestId('history');
  const items = workspace.historyItems();
  await expect(items).toHaveCount(10);
  await expect(items.first()).toContainText('Задача номер 23.');
  await expect(panel.getByRole('heading')).toContainText('23');
  const more = (count: number) => panel.getByRole('button', { name: words('words:showMore', { count }) });
  // The second press comes in the next turn, while the first page is still loading.
  const pressed = Promise.withResolvers<void>();
  await page.route(/\/api\/PipelineExecution\?.*offset=10/, async (route) => {
    await pressed.promise;
    await route.continue();
  });
  const pressedAt = await more(10).evaluate(async (button: HTMLElement) => {
    button.click();
    await new Promise((shown) => setTimeout(shown));
    button.click();
    return performance.now();
  });
  pressed.resolve();
  await expect(items).toHaveCount(20);
  await page.waitForFunction((at) => performance.now() - at > 500, pressedAt);
  await more(3).click();
  await expect(items).toHaveCount(23);
  await expect(more(0)).toHaveCount(0);

  await panel.getByRole('button', { name: words('history.searchToggle') }).click();
  const search = panel.getByRole('textbox', { name: words('history.search') });
  await search.fill('11. НОМЕР');
  await expect(items).toHaveCount(1);
  await expect(items.locator('mark')).toHaveText(['номер', '11.']);
  await search.fill('такого не было');
  await expect(panel).toContainText(words('history.nothingFound', { query: 'такого не было' }));
  await expect(items).toHaveCount(0);
  // The list has the beginning of a long result: the server searches all of it, and the window shows all of it.
  await search.fill('последние слова');
  await expect(items).toHaveCount(1);
  await items.first().getByRole('button').click();
  await items
    .first()
    .getByRole('button', { name: words('history.showResult') })
    .click();
  await expect(page.getByRole('dialog')).toContainText('Длинный ответ.');
  await expect(page.getByRole('dialog')).toContainText('Последние слова.');
  await page.keyboard.press('Escape');
  await search.press('Escape');
  await expect(items).toHaveCount(10);

  const newest = items.first();
  await newest.getByRole('button').click();
  await expect(newest.locator('dl')).toContainText(words('history.dialogRun'));
  await expect(newest.locator('dl')).toContainText(words('words:time'));
  await expect(newest.locator('dl')).toContainText(`${words('words:tokens')}30`);
  expect(await faults(page, '[data-testid="history"]')).toEqual([]);
  await newest.getByRole('button', { name: words('history.showResult') }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Задача номер 23.');
  await expect(dialog).toContainText('Ответ 23.');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  const remove = newest.getByRole('button', { name: words('history.remove') });
  await remove.click();
  await expect(dialog).toContainText(words('history.removeText', { request: 'Задача номер 23.' }));
  await dialog.getByRole('button', { name: translate('ru', 'common', 'cancel') }).click();
  await expect(newest).toContainText('Задача номер 23.');
  await remove.click();
  await dialog.getByRole('button', { name: words('words:delete') }).click();
  await expect(newest).toContainText('Задача номер 22.');
  await expect.poll(async () => (await account.history()).length).toBe(22);

  // A change on another device is read within 30 s, without an event from the server.
  await hastenEngine(page, 30);
  await workspace.ofProject(words('bar.reload'));
  const [latest] = await account.history();
  const long = 'И ещё немного. '.repeat(20);
  // The first two may be read with the project and with the run that ended last.
  for (const said of ['Сказано раз.', 'Сказано два.', 'Сказано три.']) {
    await account.call('PUT', `/ProjectResultHistory/${latest?.id}`, { summary: `${said} ${long}` });
    await expect(newest).toContainText(said);
  }
  await expect(newest).not.toContainText(long.slice(0, 120));
  expect(thrown).toEqual([]);
});
