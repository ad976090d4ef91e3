import { expect, type Page } from 'playwright/test';
import { test } from '../support/browser/browser-test.ts';
import { faultsInBothThemes } from '../support/browser/faults.ts';
import { translate, translator } from '../support/browser/translate.ts';
import { dialog, withCanvas } from '../support/browser/with-canvas.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let models: ModelServer;
let server: TestServer;
test.beforeAll(async () => {
  models = await startModelServer();
  server = await startServer({ env: { ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' } });
});
test.afterAll(async () => {
  await server?.stop();
  await models?.close();
});

const words = translator('ru', 'connections');
const workspaceWords = translator('ru', 'workspace');
const agentWords = translator('ru', 'connections', 'agent.');
const windowOf = (page: Page) => page.getByRole('dialog', { name: translate('ru', 'projects', 'modelsAndTools') });
const settingsOf = (page: Page) => page.getByRole('dialog').filter({ has: page.getByTestId('agent-settings') });

/** Answers the call of a test with its tool, and each step of a run with a text. */
function answerTests(): void {
  models.answer(({ body, number }) =>
    JSON.stringify(body.tools ?? []).includes('report_word')
      ? { kind: 'calls', text: 'Spring is near.', calls: [{ id: 'one', name: 'report_word', arguments: '{"word":"spring"}' }] }
      : { kind: 'text', text: `Real answer ${number}` },
  );
}

test('M3.22 M3.24 M3.27 M3.28 M3.30 a new account sees before its first run that the model is simulated; pasting a key and one press start a real run', {
  tag: '@rest',
}, async ({ page }) => {
  models.offer(['text-embedding-x', 'house-large', 'house-small']);
  answerTests();
  const { thrown } = await withCanvas(page, server.url, (card) => [dialog('task', 'Задача', 500), card(0, 'writer', 200)], [
    ['task', 'writer'],
  ]);
  const note = page.getByTestId('simulated-note');
  await expect(note).toContainText(words('simulated.all'));
  await note.getByRole('button', { name: words('simulated.addKey') }).click();

  const window = windowOf(page);
  const form = window.getByRole('form', { name: words('form.label') });
  await form.getByRole('radio', { name: agentWords('providers.compatible') }).check();
  const address = form.getByLabel(words('words:address'), { exact: true });
  await address.fill('http://someone:secret@127.0.0.1/v1');
  const key = form.getByLabel(words('words:key'), { exact: true });
  await key.fill('sk-house');
  // The key looks like one of OpenAI, but the provider was chosen.
  await expect(form.getByRole('radio', { name: agentWords('providers.compatible') })).toBeChecked();
  await form.getByRole('button', { name: words('form.connectAndStart') }).click();
  // The server's sentence stands at its field, and what was typed stays.
  await expect(address).toHaveAttribute('aria-invalid', 'true');
  await address.fill(models.url);
  await form.getByRole('button', { name: words('form.connectAndStart') }).click();
  const ofRun = await models.call(2);
  expect(ofRun.headers.authorization).toBe('Bearer sk-house');
  expect(ofRun.body.model).toBe('house-large');
  await expect(window).toHaveCount(0);
  await expect(page.getByTestId('run-control')).toContainText(workspaceWords('run.finished'));

  await page.keyboard.press('Alt+c');
  await expect(window.getByTestId('test-signs').locator('[data-sign="yes"]')).toContainText([
    words('signs.text'),
    words('signs.streaming'),
    words('signs.tools'),
  ]);
  const use = window.getByTestId('use-for-all');
  const model = use.getByRole('combobox', { name: words('model') });
  // The window may take the focus only now, which closes the list.
  await expect(async () => {
    await model.fill('');
    await model.fill('small');
    await expect(page.getByRole('option')).toContainText(['house-small'], { timeout: 3_000 });
  }).toPass();
  await model.press('ArrowDown');
  await model.press('Enter');
  await expect(model).toHaveValue('house-small');
  await use.getByRole('button', { name: words('use.preview') }).click();
  await expect(use.getByRole('table')).toContainText('house-small');
  await use.getByRole('button', { name: words('use.apply_one', { count: 1 }) }).click();
  await expect(use.getByRole('status').last()).toContainText('house-small');
  expect(await faultsInBothThemes(page)).toEqual([]);

  // The agents that use it are named before it goes.
  await window.getByRole('button', { name: words('words:removeForGood') }).click();
  const removal = page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .filter({ hasText: words('removeText') });
  await expect(removal).toContainText('Менеджер продукта');
  await removal.getByRole('button', { name: words('words:removeForGood') }).click();
  await expect(window).toContainText(words('emptyTitle'));
  expect(thrown).toEqual([]);
});

test('M3.20 M3.21 M3.25 M3.26 M3.29 an agent chooses a connection and a model, leaves temperature and length to the model, and is told of a model that has ended', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  models.offer(Array.from({ length: 700 }, (_, number) => `house-${number}`));
  answerTests();
  const local = { provider: 'ollama', address: 'http://127.0.0.1:11434/v1', models: 4 };
  await page.route('**/api/model-connections/local', (route) => route.fulfill({ json: [local] }));
  await withCanvas(page, server.url, (card) => [card(0, 'writer', 200)], []);
  const offer = page.getByTestId('banner').filter({ hasText: 'Ollama' });
  await expect(offer.getByRole('button', { name: words('local.use') })).toBeVisible();
  await offer.getByRole('button', { name: words('local.dismiss') }).click();
  await expect(offer).toHaveCount(0);
  const open = () =>
    page
      .getByTestId('sidebar')
      .getByRole('button', { name: workspaceWords('sidebar.settings', { title: 'Ассистент' }) })
      .click();
  await open();
  const settings = settingsOf(page);
  // A simulated agent asks no model; a key of its own ends that, and the successor comes by one press.
  const ended = settings.getByTestId('ended-model');
  await expect(settings).toContainText(agentWords('simulated'));
  await expect(ended).toHaveCount(0);
  // The dialog takes the focus once it is open.
  await expect(settings.locator(':focus')).toHaveCount(1);
  await settings.getByLabel(agentWords('key'), { exact: true }).fill('sk-own');
  await expect(ended).toContainText('2026');
  await ended.getByRole('button', { name: words('models.takeInstead', { model: 'gpt-6.1-sol' }) }).click();
  await expect(settings.getByRole('combobox', { name: agentWords('modelName') })).toHaveValue('gpt-6.1-sol');
  await expect(ended).toHaveCount(0);
  await settings.getByRole('button', { name: agentWords('revert') }).click();
  await settings.getByRole('button', { name: words('add') }).click();
  const form = windowOf(page).getByRole('form', { name: words('form.label') });
  await form.getByLabel(words('words:key'), { exact: true }).fill('sk-ant-wrong-provider');
  await expect(form.getByRole('radio', { name: agentWords('providers.anthropic') })).toBeChecked();
  await form.getByRole('radio', { name: agentWords('providers.compatible') }).check();
  await form.getByLabel(words('words:address'), { exact: true }).fill(models.url);
  await form.getByRole('checkbox').uncheck();
  await form.getByRole('button', { name: words('words:connect'), exact: true }).click();
  await expect(windowOf(page).getByTestId('test-signs')).toBeVisible();
  await page.keyboard.press('Escape');

  await open();
  await settings.getByRole('combobox', { name: words('agent.connection') }).click();
  await page.getByRole('option', { name: agentWords('providers.compatible') }).click();
  await expect(settings.getByRole('combobox', { name: agentWords('connections:provider') })).toHaveCount(0);
  // The list is longer than what is sent at once: the server searches.
  const model = settings.getByRole('combobox', { name: agentWords('modelName') });
  await expect(model).toHaveValue('house-0');
  await model.fill('699');
  await expect(page.getByRole('option')).toContainText(['house-699']);
  await model.press('ArrowDown');
  await model.press('Enter');
  await expect(model).toHaveValue('house-699');
  const more = settings.getByTestId('agent-more').locator('summary').first();
  await more.click();
  for (const field of ['temperature', 'maxTokens'] as const) {
    await settings.getByRole('checkbox', { name: words('agent.unsetOf', { field: agentWords(field) }) }).press('Space');
    await expect(settings.getByRole('textbox', { name: agentWords(field), exact: true })).toHaveValue('');
  }
  expect(await faultsInBothThemes(page)).toEqual([]);
  await settings.getByRole('button', { name: agentWords('words:save') }).click();
  await expect(settings).toHaveCount(0);
  await page.reload();
  await open();
  await expect(offer).toHaveCount(0);
  await expect(model).toHaveValue('house-699');
  await more.click();
  await expect(settings.getByRole('checkbox', { name: words('agent.unsetOf', { field: agentWords('temperature') }) })).toBeChecked();

  // An offer is over once it was used.
  await page.route('**/api/model-connections/local', (route) =>
    route.fulfill({ json: [{ ...local, provider: 'lmstudio', address: models.url }] }),
  );
  await page.reload();
  const other = page.getByTestId('banner').filter({ hasText: 'LM Studio' });
  await other.getByRole('button', { name: words('local.use') }).click();
  await expect(windowOf(page).getByTestId('test-signs')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(windowOf(page)).toHaveCount(0);
  await expect(page.getByTestId('minimap')).toBeVisible();
  await expect(other).toHaveCount(0);
});
