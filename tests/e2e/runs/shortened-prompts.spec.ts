import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { translate } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

let models: ModelServer;
let server: TestServer;
test.beforeAll(async () => {
  models = await startModelServer();
  server = await startServer({ env: { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: models.url } });
});
test.afterAll(async () => {
  await server?.stop();
  await models?.close();
});

test('M4.09 console and timeline say that a prompt was shortened', { tag: '@rest-nightly' }, async ({ page }) => {
  const long = 'Цена хлеба — три евро. '.repeat(2_000);
  models.answer(({ body }) => {
    const prompt = JSON.stringify(body.messages);
    if (prompt.length < 20_000)
      return { kind: 'text', text: prompt.includes('Цена хлеба') ? '# Ответ\n\nПрочитано.' : `# Ответ\n\n${long}` };
    return {
      kind: 'status',
      status: 400,
      message: "This model's maximum context length is 9000 tokens. However, you requested 19000 tokens.",
    };
  });
  const { workspace } = await withCanvas(
    page,
    server.url,
    (card) => [dialog('task', 'Задача', 500), card(0, 'first', 200), card(1, 'second', 200)],
    [
      ['task', 'first'],
      ['first', 'second'],
    ],
  );
  await workspace.pressStart();
  await expect(page.getByTestId('run-control').getByText(translate('ru', 'workspace', 'run.finished'), { exact: true })).toBeVisible({
    timeout: 20_000,
  });
  await workspace.openConsole();
  await expect(page.getByTestId('console')).toContainText('сокращённые результаты агентов: 1');
  await page.getByRole('tab', { name: translate('ru', 'console', 'tabs.summary') }).click();
  await expect(page.getByTestId('summary')).toContainText(translate('ru', 'canvas', 'stepMark.shortened'));
});
