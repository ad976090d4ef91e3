import { expect, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

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

const words = translator('ru', 'canvas', 'dialog.');

function dialogOn(page: Page, id: string) {
  const form = page.locator(`[data-dialog-id="${id}"]`);
  return {
    box: form.locator('textarea'),
    effect: form.getByTestId('message-effect'),
    queued: form.getByTestId('queued-messages'),
    send: () => form.getByRole('button', { name: words('common:send'), exact: true }).click(),
    withdraw: () => form.getByRole('button', { name: words('words:withdraw') }).click(),
  };
}

test('R41.01 a message of a second dialog starts its own run after the current one, also after a reload, and can be withdrawn', {
  tag: '@rest',
}, async ({ page }) => {
  const { workspace, thrown, agents } = await withCanvas(
    page,
    server.url,
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
  // What is said below the second form would lie under the run control.
  await page.getByTestId('canvas').focus();
  await page.keyboard.press('Shift+ArrowDown');
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
  const { workspace, thrown, agents } = await withCanvas(page, server.url, (card) => [dialog('d', 'Магазин', 0), card(0, 'a', 0)], [
    ['d', 'a'],
  ]);
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

test('W2.12 W8.01 a refused message whose card is out of sight is reported once, and its form shows the reason when it is back', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const { workspace, thrown } = await withCanvas(
    page,
    server.url,
    (card) => [dialog('d', 'Магазин', 0), card(0, 'a', 0), card(1, 'b', 300)],
    [
      ['d', 'a'],
      ['a', 'b'],
    ],
  );
  const shop = dialogOn(page, 'd');
  await shop.box.fill('Построй магазин');
  await shop.send();
  await model.call(1);
  const { promise: sent, resolve: refuse } = Promise.withResolvers<() => Promise<void>>();
  await page
    .context()
    .route('**/context', (route) => refuse(() => route.fulfill({ status: 403, json: { code: 'forbidden', message: '' } })));
  await shop.box.fill('И покрась');
  await shop.send();
  const answer = await sent;
  const refused = workspace.banners().filter({ hasText: translate('ru', 'errors', 'forbidden') });
  const pan = async (key: 'ArrowLeft' | 'ArrowRight') => {
    await page.getByTestId('canvas').focus();
    for (let steps = 0; steps < 6; steps += 1) await page.keyboard.press(`Shift+${key}`);
  };
  await pan('ArrowRight');
  await expect(shop.box).toHaveCount(0);
  await answer();
  await expect(refused).toContainText('Магазин');
  await expect(refused).toHaveCount(1);
  await pan('ArrowLeft');
  await expect(workspace.messageProblem).toContainText(translate('ru', 'errors', 'forbidden'));
  await expect(shop.box).toHaveValue('И покрась');
  expect(thrown).toEqual([]);
});

test('R37.01 W2.02 two nodes with the same agent are not ready; a button gives each its own, and a run starts', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const { workspace, thrown } = await withCanvas(
    page,
    server.url,
    (card) => [dialog('d', 'Магазин', 0), card(0, 'a', 0), { ...card(0, 'b', 300), title: 'Копия' }],
    [
      ['d', 'a'],
      ['a', 'b'],
    ],
  );
  const ofRun = translator('ru', 'workspace', 'run.');
  await expect(workspace.runControl).toContainText(ofRun('notReady'));
  await workspace.ofProject(translate('ru', 'actions', 'name.restoreAgents'));
  await expect(workspace.runControl).toContainText(ofRun('ready'));
  await workspace.removeCard('Копия');
  await page.keyboard.press('Control+z');
  await expect(workspace.card('Копия')).toHaveCount(1);
  await dialogOn(page, 'd').box.fill('Построй магазин');
  await dialogOn(page, 'd').send();
  await model.call(1);
  expect(thrown).toEqual([]);
});

test('W2.02 R24.01 after a failed reload canvas and run control stay, the error is shown, and a retry works; a start node opens its settings', async ({
  page,
}) => {
  const { workspace } = await withCanvas(
    page,
    server.url,
    (card) => [dialog('d', 'Магазин', 0), card(0, 'a', 0), { id: 's', type: 'start', title: 'Пуск', x: 0, y: -150 }],
    [['d', 'a']],
  );
  await page.route('**/api/project/*/canvas', (route) => route.abort());
  await workspace.ofProject(translate('ru', 'workspace', 'bar.reload'));
  const retry = workspace.banners().getByRole('button', { name: translate('ru', 'common', 'tryAgain') });
  await expect(retry).toBeVisible();
  await expect(workspace.runControl).toBeVisible();
  await expect(workspace.card('Пуск')).toHaveCount(1);
  await page.unroute('**/api/project/*/canvas');
  await retry.click();
  await expect(retry).toHaveCount(0);
  await workspace.card('Пуск').focus();
  await page.keyboard.press('Enter');
  const settings = page.getByRole('dialog', { name: translate('ru', 'workspace', 'startNode.title') });
  await settings.getByLabel(translate('ru', 'words', 'title')).fill('Начало');
  await settings.getByRole('button', { name: translate('ru', 'words', 'save') }).click();
  await expect(settings).toHaveCount(0);
  await expect(workspace.card('Начало')).toHaveCount(1);
});
