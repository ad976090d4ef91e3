import { expect, type Locator, type Page } from 'playwright/test';
import { test } from '../support/browser/browser-test.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { translator } from '../support/browser/translate.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
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

const words = translator('ru', 'errors');
const labels = translator('ru', 'console');

/** The console's command line, located by accessible names. */
function lineOf(page: Page): { input: Locator; agent: Locator; status: Locator; options: Locator; cancel: Locator } {
  return {
    input: page.getByRole('combobox', { name: labels('line.label') }),
    agent: page.getByRole('combobox', { name: labels('line.agent') }),
    status: page.getByTestId('command-status'),
    options: page.getByRole('listbox', { name: labels('line.suggestions') }).getByRole('option'),
    cancel: page.getByTestId('command-line').getByRole('button', { name: labels('line.cancel'), exact: true }),
  };
}

test('W2.15 W2.16 W2.17 W3.06 W7.03 W9.02 slash commands are written with the keyboard, done by an agent, and answered in the conversation', async ({
  page,
}) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.openConsole();
  const line = lineOf(page);
  const { keyboard } = page;
  await expect(line.status).toHaveText(words('console.status.noAgent'));

  await line.input.focus();
  await keyboard.type('   ');
  await keyboard.press('Enter');
  await expect(workspace.messages()).toHaveText([new RegExp(words('console.opened'))]);

  await line.input.fill('');
  await keyboard.type('/');
  await expect(line.options).toHaveCount(8);
  await keyboard.type('a');
  await expect(line.options).toHaveCount(3);
  await keyboard.press('ArrowDown');
  await expect(line.options.nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect(line.input).toHaveAttribute('aria-activedescendant', (await line.options.nth(1).getAttribute('id')) ?? '');
  await keyboard.press('Escape');
  await expect(line.options).toHaveCount(0);
  await line.input.fill('/he');
  await keyboard.press('Enter');
  await expect(workspace.messages().last()).toContainText(words('console.helpOf.project-stats'));

  await line.input.fill('/ai Зачем нужны тесты?');
  await keyboard.press('Enter');
  await expect(workspace.banners()).toContainText(words('console.noAgent'));
  await expect(line.input).toHaveValue('/ai Зачем нужны тесты?');

  await line.agent.click();
  await expect(page.getByRole('option')).toHaveCount(5);
  await page.getByRole('option', { name: 'Тимлид' }).click();
  model.answer({ kind: 'text', text: 'Чтобы спать спокойно.' });
  await line.input.focus();
  await keyboard.press('Enter');
  await expect(workspace.saidBy('Тимлид')).toContainText('Чтобы спать спокойно.');
  await expect(line.input).toHaveValue('');
  await expect(line.status).toHaveText(words('console.status.ai'));
  expect(model.calls.at(-1)?.body).toMatchObject({ model: 'gpt-3.5-turbo', max_tokens: 1_000, temperature: 0.7 });

  await line.input.fill('/analyze');
  await keyboard.press('Enter');
  await expect(workspace.saidBy('Тимлид')).toHaveCount(2);
  expect(model.calls.at(-1)?.body).toMatchObject({ model: 'gpt-4', max_tokens: 2_000, temperature: 0.3 });

  await line.input.fill('/command Составь план');
  await keyboard.press('Enter');
  await expect(workspace.saidBy('Тимлид')).toHaveCount(3);
  await expect(line.status).toHaveText(words('console.status.command'));

  await line.input.fill('/thought Всё просто');
  await keyboard.press('Enter');
  await expect(line.status).toHaveText(words('console.status.thought'));
  await line.input.fill('/agent-stats');
  await keyboard.press('Enter');
  await expect(workspace.messages().last()).toContainText(words('console.stats.commands', { total: 3, successful: 3, failed: 0 }));
  await line.input.fill('/project-stats');
  await keyboard.press('Enter');
  await expect(workspace.messages().last()).toContainText(words('console.stats.agents', { total: 6, active: 6 }));
  await line.input.fill('/pipeline-info');
  await keyboard.press('Enter');
  await expect(workspace.banners().first()).toContainText(words('console.noPipeline'));
  await line.input.fill('потанцуем?');
  await keyboard.press('Enter');
  await expect(workspace.messages().last()).toContainText(words('console.unknown', { command: 'потанцуем?' }));

  await keyboard.press('ArrowUp');
  await keyboard.press('ArrowUp');
  await expect(line.input).toHaveValue('/project-stats');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await expect(line.input).toHaveValue('');

  // After a reload the server's commands are listed again, in the order of their requests.
  await page.reload();
  await workspace.opened();
  await workspace.openConsole();
  await expect(workspace.saidBy('Тимлид')).toHaveCount(3);
  await expect(workspace.saidBy('Тимлид').first()).toContainText('Чтобы спать спокойно.');
  await expect(workspace.said().filter({ hasText: '/analyze' })).toHaveCount(1);
  await expect(workspace.said().first()).toContainText('/ai Зачем нужны тесты?');
});

test('W2.15 W2.16 W8.02 a wait is shown and can be cancelled, and no command is accepted during a run', async ({ page }) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.openConsole();
  const line = lineOf(page);
  await line.agent.click();
  await page.getByRole('option', { name: 'Ассистент' }).click();

  model.answer({ kind: 'hang' });
  const asked = model.calls.length + 1;
  await line.input.fill('/ai Ответь когда-нибудь');
  await line.input.press('Enter');
  await expect(line.status).toHaveText(labels('line.waiting', { agent: 'Ассистент', command: 'ai' }));
  await model.call(asked);
  await line.cancel.click();
  await model.aborted(asked);
  await expect(workspace.messages().last()).toContainText(words('task.cancelled', { agent: 'Ассистент' }));
  await expect(line.cancel).toHaveCount(0);

  const running = model.calls.length + 1;
  await workspace.write('Добавьте экспорт заказов в CSV');
  await workspace.send();
  await model.call(running);
  await expect(line.input).toBeDisabled();
  await expect(line.input).toHaveAttribute('placeholder', labels('line.working'));
  model.answer({ kind: 'text', text: 'Готово.' });
  model.release('Готово.');
  await workspace.runEnds('finished');
  await expect(line.input).toBeEnabled();
  await line.input.fill('/pipeline-info');
  await line.input.press('Enter');
  await expect(workspace.messages().last()).toContainText('1. Ассистент');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('W2.16 a command is taken from the list with a finger', { tag: '@rest' }, async ({ page }) => {
    await enterWorkspace(page, server.url);
    // Until the project is open a command is refused with a notice, and its text stays.
    await new WorkspacePage(page).opened();
    await page.getByTestId('console-bar').getByRole('button').first().tap();
    const line = lineOf(page);
    await line.input.tap();
    await page.keyboard.type('/');
    await line.options.nth(3).tap();
    await expect(page.getByTestId('message').last()).toContainText(words('console.helpOf.ai'));
    await expect(line.input).toHaveValue('');
  });
});
