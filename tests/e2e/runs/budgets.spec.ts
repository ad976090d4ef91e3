import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';
import { writePrices } from '../../support/price-file.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

let folder: string;
let models: ModelServer;
let server: TestServer;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artel-test-'));
  models = await startModelServer();
  models.answer({ kind: 'text', text: 'The bakery opens in May.', afterMs: 300 });
  const ARTEL_PRICES_FILE = await writePrices(join(folder, 'prices.jsonl'), models.url, [
    { model: 'gpt-4', currency: 'RUB', input: 90_000_000_000, output: 90_000_000_000 },
  ]);
  server = await startServer({ env: { OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url, ARTEL_PRICES_FILE } });
});
test.afterAll(async () => {
  await server?.stop();
  await models?.close();
  await rm(folder, { recursive: true, force: true });
});

const words = translator('ru', 'budgets');
const asking = translator('ru', 'questions');
const control = (page: Page) => page.getByTestId('run-control');

test('G4.12 a budget is set before a run with the keyboard, its bar and the costs are seen, the run asks at the limit, and ends with what there is', {
  tag: '@rest',
}, async ({ page }) => {
  const { thrown, workspace } = await withCanvas(
    page,
    server.url,
    (card) => [dialog('task', 'Задача', 0), card(0, 'first', 0), card(1, 'second', 260), card(2, 'third', 520)],
    [
      ['task', 'first'],
      ['first', 'second'],
      ['second', 'third'],
    ],
  );
  await page.getByTestId('run-settings').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('run-budget').getByText(words('forecast.none'))).toBeVisible();
  const row = page.getByTestId('budget project run');
  await row.getByRole('button', { name: words('set') }).press('Enter');
  const calls = row.getByLabel(words('calls'));
  await row.getByRole('button', { name: words('words:save') }).press('Enter');
  await expect(row.getByText(words('empty'))).toBeVisible();
  await calls.fill('0');
  await calls.press('Enter');
  await expect(row.getByText(words('wrong'))).toBeVisible();
  await calls.fill('2');
  const warnAt = row.getByLabel(words('warnAt'));
  await warnAt.fill('101');
  await warnAt.press('Enter');
  await expect(row.getByText(words('notPercent'))).toBeVisible();
  await warnAt.fill('60');
  await warnAt.press('Enter');
  await expect(row.getByText('2', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');

  await workspace.pressStart();
  await expect(page.getByTestId('questions-button')).toHaveAttribute('data-count', '1', { timeout: 30_000 });
  await expect(page.getByTestId('budget-bar')).toContainText('2 из 2');
  expect(models.calls).toHaveLength(2);
  await page.getByTestId('questions-button').getByRole('button').click();
  await page.getByTestId('question-row').click();
  const window = page.getByRole('dialog');
  await expect(window.getByTestId('asked-budget')).toContainText(words('scope.project'));
  await window.getByLabel(asking('newFigure')).fill('1');
  await window.getByRole('button', { name: asking('newLimit') }).click();
  await expect(window.getByText(asking('budgetFigureWrong'))).toBeVisible();
  await window.getByRole('button', { name: asking('endHere') }).click();

  await expect(control(page)).toContainText(translate('ru', 'workspace', 'endedAtBudget'), { timeout: 20_000 });
  expect(models.calls).toHaveLength(2);
  // 30 tokens of each call at 0.09 roubles.
  await workspace.openConsole();
  await page.getByRole('tab', { name: translate('ru', 'console', 'tabs.summary') }).click();
  await expect(page.getByTestId('lane').first()).toContainText('2,70');
  await expect(page.getByTestId('summary')).toContainText('5,40');
  await page.getByRole('tab', { name: translate('ru', 'console', 'tabs.communication') }).click();
  await expect(page.getByTestId('console').getByText('2,70').first()).toBeVisible();
  await page.keyboard.press('Alt+H');
  await page.getByTestId('history-item').getByRole('button').first().click();
  await expect(page.getByTestId('history-item')).toContainText('5,40');
  expect(thrown).toEqual([]);
});

test('G4.10 the forecast before a start counts only the cards that would run, also with a person among these cards', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const { thrown, workspace } = await withCanvas(
    page,
    server.url,
    (card) => [
      dialog('task', 'Задача', 0),
      card(0, 'first', 0),
      {
        ...card(1, 'anna', 260),
        ...{ title: 'Анна', role: 'user', isUser: true, serverAgentId: 'anna', step: { person: { question: 'Какая печь?', inputs: [] } } },
      },
      card(2, 'second', 520),
      { ...card(3, 'other', 0), x: 900 },
    ],
    [
      ['task', 'first'],
      ['first', 'anna'],
      ['anna', 'second'],
    ],
  );
  const budget = page.getByTestId('run-budget');
  await page.getByTestId('run-settings').click();
  await expect(budget.getByText(words('forecast.none'))).toBeVisible();
  await page.keyboard.press('Escape');
  for (const count of [1, 2]) {
    await (count === 1 ? workspace.pressStart() : workspace.ofRun('again'));
    await page.getByTestId('questions-button').getByRole('button').click();
    await page.getByTestId('question-row').click();
    const question = page.getByRole('dialog');
    await question.getByLabel(asking('words:yourAnswer')).fill('Дровяная');
    await question.getByRole('button', { name: asking('words:sendAnswer'), exact: true }).click();
    await expect(question).toHaveCount(0);
    await workspace.runEnds('finished');
    await control(page)
      .getByRole('button', { name: translate('ru', 'workspace', 'run.newTask') })
      .click();
    await page.getByTestId('run-settings').click();
    const forecast = page.getByTestId('forecast');
    await expect(forecast).toContainText(words(count === 1 ? 'forecast.of_one' : 'forecast.of_few', { count }));
    // Two calls of 30 tokens at 0.09 roubles.
    await expect(forecast).toContainText('5,40');
    await expect(forecast).toContainText('60');
    await page.keyboard.press('Escape');
    await expect(forecast).toHaveCount(0);
    await page.getByTestId('back-to-run').click();
  }
  expect(thrown).toEqual([]);
});

test('G4.12 after a stop during a call, summary and history show its cost as estimated, without a reload', async ({ page }) => {
  models.calls.length = 0;
  models.answer({ kind: 'hang' });
  const { thrown, workspace } = await withCanvas(page, server.url, (card) => [dialog('task', 'Задача', 0), card(0, 'first', 0)], [
    ['task', 'first'],
  ]);
  await workspace.pressStart();
  await models.call(1);
  await control(page)
    .getByRole('button', { name: translate('ru', 'workspace', 'run.stop') })
    .click();
  await workspace.openConsole();
  await page.getByRole('tab', { name: translate('ru', 'console', 'tabs.summary') }).click();
  const estimated = /около [\d\s]+,\d\d/;
  await expect(page.getByTestId('lane').first()).toContainText(estimated);
  await expect(page.getByTestId('summary')).toContainText(estimated);
  await page.keyboard.press('Alt+H');
  await page.getByTestId('history-item').getByRole('button').first().click();
  await expect(page.getByTestId('history-item')).toContainText(estimated);
  expect(thrown).toEqual([]);
});
