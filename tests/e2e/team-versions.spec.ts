import { expect, type Page } from 'playwright/test';
import type { Agent } from '../../contract/agent.ts';
import { test } from '../support/browser/browser-test.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { faults } from '../support/browser/faults.ts';
import { translate, translator } from '../support/browser/translate.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
test.beforeAll(async () => {
  server = await startServer({ env: { ARTEL_SIMULATED_ANSWER_MS: '50' } });
});
test.afterAll(async () => {
  await server.stop();
});

const words = translator('ru', 'versions');
const panel = (page: Page) => page.getByTestId('versions');

/** Calls the API as another program of the same account does. */
async function call<T>(page: Page, method: 'GET' | 'PUT', path: string, data?: object): Promise<T> {
  const headers = { Authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('accessToken'))}` };
  const answer = await page.request.fetch(`${server.url}/api${path}`, { method, headers, ...(data && { data }) });
  expect(answer.ok()).toBe(true);
  return (await answer.json()) as T;
}

async function agentOf(page: Page, title: string): Promise<Agent> {
  const agent = (await call<Agent[]>(page, 'GET', '/nuroagent')).find((one) => one.title === title);
  if (!agent) throw new Error(`There is no agent ${title}.`);
  return agent;
}

test('G6.11 G6.12 G6.13 a person sees what a restoration of the team changes, restores it, and takes all of it back', {
  tag: '@rest',
}, async ({ page }) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  const { id } = await agentOf(page, 'Разработчик');
  const promptOf = async () => (await agentOf(page, 'Разработчик')).configuration.systemPrompt;
  await call(page, 'PUT', `/nuroagent/${id}`, { configuration: { systemPrompt: 'Пишешь код и тесты.' } });
  await page.keyboard.press('Alt+v');
  await panel(page)
    .getByRole('button', { name: words('team.save'), exact: true })
    .click();
  await panel(page).getByLabel(words('words:givenName')).fill('Перед выпуском');
  await page.keyboard.press('Enter');
  const row = panel(page).getByTestId('team-row').filter({ hasText: 'Команда: Перед выпуском' });
  await expect(row).toBeVisible();

  await call(page, 'PUT', `/nuroagent/${id}`, { configuration: { systemPrompt: 'Пишешь только код.' } });
  await call(page, 'PUT', `/nuroagent/${id}/api-configuration`, { model: 'gpt-6.1-sol', work: { maxTurns: 7 } });
  await workspace.removeCard('Тестировщик');
  await workspace.saved();
  const cards = await workspace.cards().count();
  await row.getByRole('button').first().click();
  const change = (field: string) => row.locator(`[data-field="${field}"]`);
  await expect(change('systemPrompt').locator('ins')).toHaveText(['код и тесты']);
  await expect(change('systemPrompt').locator('del')).toHaveText(['только код']);
  await expect(change('model')).toContainText('gpt-4');
  await expect(change('ownTurns')).toContainText('7');
  await expect(row).toContainText('1 карточка добавлена');
  expect(await faults(page, '[data-testid="versions"]')).toEqual([]);

  await row.getByRole('button', { name: words('team.restore'), exact: true }).click();
  await expect(row).toContainText(words('team.restored'));
  await expect(row).toContainText(words('team.sameAgents'));
  await expect(workspace.cards()).toHaveCount(cards + 1);
  expect(await promptOf()).toBe('Пишешь код и тесты.');

  // The team as it was is in the list, and one press takes all of it back.
  await expect(panel(page).getByTestId('team-row').filter({ hasText: 'Перед восстановлением «Перед выпуском»' })).toBeVisible();
  await row.getByRole('button', { name: words('team.takeBack'), exact: true }).click();
  await expect(row).toContainText(words('team.takenBack'));
  await expect(workspace.cards()).toHaveCount(cards);
  expect(await promptOf()).toBe('Пишешь только код.');
  expect((await agentOf(page, 'Разработчик')).apiConfiguration).toMatchObject({ model: 'gpt-6.1-sol', work: { maxTurns: 7 } });

  await test.step('the history of the prompt in the settings of its agent takes an earlier text back', async () => {
    const settings = translator('ru', 'connections', 'agent.');
    await page.keyboard.press('Alt+v');
    await page
      .getByTestId('sidebar')
      .getByRole('button', { name: translate('ru', 'workspace', 'sidebar.settings', { title: 'Разработчик' }) })
      .click();
    const dialog = page.getByRole('dialog').filter({ has: page.getByTestId('agent-settings') });
    await dialog.getByRole('button', { name: settings('promptHistory') }).click();
    const history = dialog.getByTestId('prompt-history');
    await expect(history.getByRole('listitem').first().locator('ins')).toHaveText(['только код']);
    await history.getByRole('listitem').nth(1).getByRole('button').click();
    await dialog.getByRole('button', { name: settings('words:save') }).click();
    await expect(dialog).toHaveCount(0);
    expect(await promptOf()).toBe('Пишешь код и тесты.');
  });
});

test('G7.06 a replay draws the cards of its run, also one that was removed since', { tag: '@rest-nightly' }, async ({ page }) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.startWith('Испечь хлеб');
  await workspace.runEnds('finished');
  await workspace.removeCard('Тестировщик');
  await workspace.saved();
  await expect(workspace.card('Тестировщик')).toHaveCount(0);
  await workspace.ofRun('replay');
  await expect(page.getByTestId('replay')).toHaveAttribute('data-status', 'ready');
  await expect(workspace.card('Тестировщик')).toHaveCount(1);
  await page
    .getByTestId('replay')
    .getByRole('button', { name: translate('ru', 'replay', 'close'), exact: true })
    .click();
  await expect(workspace.card('Тестировщик')).toHaveCount(0);
});
