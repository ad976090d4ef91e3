import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { translate, translator } from '../../support/browser/translate.ts';
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

const words = translator('ru', 'canvas');
const again = translator('ru', 'rerun');
const shots = process.env.ARTEL_SHOTS;

test('M2.27 M2.28 M2.29 a card shows that its step waits and that its result is cut off, and one press continues the text', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  test.setTimeout(60_000);
  const shoot = async (name: string) => shots && page.screenshot({ path: `${shots}/${name}.png` });
  models.answer((call) => {
    if (call.number === 1) return { kind: 'status', status: 429, retryAfter: '4', message: 'Busy' };
    if (call.body.messages.at(-1)?.role === 'user' && call.number > 2) return { kind: 'status', status: 400, message: 'No.' };
    return { kind: 'text', text: 'Половина:\n\n```ts path=src/a.ts\nexport const ', end: 'length' };
  });
  const { workspace, thrown, agents } = await withCanvas(
    page,
    server.url,
    (card) => [dialog('task', 'Задача', 200), card(0, 'writer', 200)],
    [['task', 'writer']],
  );
  const title = agents[0]?.title ?? '';
  const line = page.locator('[data-testid="canvas-outline"] [data-node-id="writer"]');
  await workspace.write('Напиши код');
  await workspace.send();
  await expect(line).toContainText(words('tools.waits', { seconds: 4 }));
  await shoot('waits');
  await workspace.runEnds('finished');
  await expect(page.getByTestId('run-control')).toContainText(translate('ru', 'workspace', 'run.lacks.cut_one', { count: 1 }));
  await expect(line).toContainText(`${words('stepMark.cut')}, ${words('stepMark.noFile')}`);
  await shoot('cut-card');

  await workspace.openConsole();
  await expect(page.getByTestId('console')).toContainText(`${title}: ${words('stepMark.noFile')}`);
  await page.getByRole('tab', { name: translate('ru', 'console', 'tabs.summary') }).click();
  const lane = page.getByTestId('lane');
  await expect(lane).toContainText(words('stepMark.cut'));
  await expect(lane.getByRole('button', { name: again('continueFrom', { name: title }) })).toBeVisible();
  await shoot('cut-summary');

  models.answer({ kind: 'text', text: 'one = 1;\n```' });
  await line.focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: again('words:runAgain'), exact: true }).press('Enter');
  await shoot('continue-menu');
  await page.getByRole('menuitem', { name: again('continueHere') }).press('Enter');
  await expect(line).not.toContainText(words('stepMark.cut'));
  await workspace.runEnds('finished');
  await expect(lane).not.toContainText(words('stepMark.cut'));
  await shoot('continued');
  expect(models.calls.at(-1)?.body.messages.some(({ content }) => String(content).endsWith('export const '))).toBe(true);
  expect(thrown).toEqual([]);
});
