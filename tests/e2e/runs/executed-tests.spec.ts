import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import { startReferenceRunner } from '../../support/runner/reference-runner.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

const token = 'a runner token of the tests';
let runner: Awaited<ReturnType<typeof startReferenceRunner>>;
let models: ModelServer;
let server: TestServer;
test.beforeAll(async () => {
  [runner, models] = await Promise.all([startReferenceRunner({ token }), startModelServer()]);
  const env = { OPENAI_BASE_URL: models.url, OPENAI_API_KEY: 'sk-test', ARTEL_RUNNER_URL: runner.url, ARTEL_RUNNER_TOKEN: token };
  server = await startServer({ env });
});
test.afterAll(async () => {
  await server?.stop();
  await Promise.all([runner?.close(), models?.close()]);
});

const labels = translator('ru', 'console');

/** The answers of the lead, the developer and the tester. */
const answers = [
  'Решение.',
  'Готово.\n\n```sh path=check.sh\necho "<b>второй</b>"\nexit 3\n```',
  '## Проверка\n\n| № | Шаги | Состояние |\n| --- | --- | --- |\n| 1 | запустить | не выполнялась |',
];

test('G3.35 a person enters the test command, sees its log while the runner executes it, and how it ended', { tag: '@rest' }, async ({
  page,
}) => {
  models.answer(({ number }) => ({ kind: 'text', text: answers[(number - 1) % 3] ?? '' }));
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  for (const title of ['Ассистент', 'Менеджер продукта', 'Менеджер проекта']) await workspace.removeCard(title);
  await workspace.saved();
  await workspace.openConsole();
  await page.getByRole('tab', { name: labels('tabs.test') }).click();
  const form = page.getByTestId('test-command');
  const command = form.getByLabel(labels('test.command'));
  const folder = await mkdtemp(join(tmpdir(), 'artel-test-'));
  const goOn = join(folder, 'go-on');
  await command.fill(`echo первый; while [ ! -e ${goOn} ]; do sleep 0.1; done; sh check.sh`);
  await command.press('Enter');
  await expect(form).toContainText(labels('test.commandSaved'));
  await page.reload();
  await workspace.opened();
  await workspace.openConsole();
  await page.getByRole('tab', { name: labels('tabs.test') }).click();
  await workspace.write('Экспорт заказов');
  await workspace.send();
  const tests = page.getByTestId('tests');
  const outcome = page.getByTestId('test-outcome');
  await expect(outcome).toContainText(labels('test.executing'), { timeout: 20_000 });
  // The log comes while the command works, the card and the outline say what is going on.
  const log = page.getByTestId('test-log');
  await expect(log).toContainText('первый');
  await expect(log).not.toContainText('второй');
  await expect(page.locator('[data-node-id]', { hasText: translate('ru', 'canvas', 'tools.testing') }).first()).toBeAttached();
  await writeFile(goOn, '');
  await expect(outcome).toHaveAttribute('data-tone', 'failed');
  await expect(outcome).toContainText(/код выхода 3 за \d+(,\d)? с/);
  await expect(log.getByRole('region', { name: labels('test.log') })).toHaveText('первый\n<b>второй</b>\n');
  await expect(tests.locator('[data-verdict="notExecuted"] dd')).toHaveText('1');
  await page.getByRole('tab', { name: labels('tabs.communication') }).click();
  await expect(page.getByTestId('console')).toContainText('код выхода 3');

  // A run afterwards, whose tests are stopped with it.

  await page.getByRole('tab', { name: labels('tabs.test') }).click();
  await command.fill('echo вечный; sleep 300');
  await command.press('Enter');
  await expect(form).toContainText(labels('test.commandSaved'));
  await workspace.write('Ещё раз');
  await workspace.send();
  await expect(log).toContainText('вечный', { timeout: 20_000 });
  await workspace.runControl.getByRole('button', { name: translate('ru', 'workspace', 'run.stop') }).click();
  await expect(outcome).toContainText(labels('test.stopped'));
  await rm(folder, { recursive: true });
});
