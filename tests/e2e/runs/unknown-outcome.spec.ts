import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'playwright/test';
import { sampleOf } from '../../support/amounts.ts';
import { test } from '../../support/browser/browser-test.ts';
import { faults } from '../../support/browser/faults.ts';
import { translator } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';
import { preload } from '../../support/preload.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

const hook = preload('tools/scripted-tools.ts');

let models: ModelServer;
let server: TestServer;
let folder: string;
/** A line for each call that was carried out; the tool waits while the same file with `.hold` exists. */
let log: string;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artel-test-'));
  log = join(folder, 'tools.log');
  models = await startModelServer();
  server = await startServer({ env: { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: models.url, NODE_OPTIONS: hook, TOOL_LOG: log } });
});
test.afterAll(async () => {
  await server?.stop();
  await models?.close();
  await rm(folder, { recursive: true });
});

const words = translator('ru', 'questions');

/** What the agent gets for the call, and how often the call was carried out. */
const answers = [
  { action: 'repeat', given: 'Slowly sent: письмо', times: 2 },
  { action: 'skipCall', given: 'Человек решил не повторять его.', times: 1 },
  { action: 'enterResult', given: 'Письмо ушло в 10:00', times: 1 },
] as const;

for (const { action, given, times } of sampleOf(answers, { some: 1 }))
  test(`G3.08 a call that a killed server may have carried out is asked about on the canvas, and the run goes on with the answer ${action}`, {
    tag: '@rest',
  }, async ({ page }) => {
    models.answer(({ body }) => {
      const results = body.messages.filter(({ role }) => role === 'tool');
      if (results.length === 0) return { kind: 'calls', calls: [{ id: 'a', name: 'slow', arguments: '{"text":"письмо"}' }] };
      return { kind: 'text', text: 'Готово.' };
    });
    const carriedOut = async () =>
      (await readFile(log, 'utf8').catch(() => '')).split('\n').filter((line) => line === 'slow письмо').length;
    await rm(log, { force: true });
    await writeFile(`${log}.hold`, '');
    const { workspace } = await withCanvas(page, server.url, (card) => [dialog('task', 'Задача', 500), card(0, 'writer', 200)], [
      ['task', 'writer'],
    ]);
    await workspace.write('Отправить письмо');
    await workspace.send();
    await expect.poll(carriedOut).toBe(1);
    // The letter is sent, and its outcome is not stored yet.
    await server.kill('SIGKILL');
    server = await server.restart();

    const badge = page.locator('[data-question-badge]');
    await expect(badge).toBeVisible({ timeout: 90_000 });
    await badge.click();
    const asked = page.getByRole('dialog');
    await expect(asked).toContainText(words('reason.unknown'));
    await expect(asked.getByTestId('asked-call')).toContainText('slow');
    await expect(asked).toContainText('письмо');
    expect(await faults(page, '[role="dialog"]')).toEqual([]);
    await rm(`${log}.hold`);
    const enter = asked.getByRole('button', { name: words('enterResult') });
    await expect(enter).toBeDisabled();
    if (action === 'enterResult') await asked.getByLabel(words('callResult')).fill('Письмо ушло в 10:00');
    await asked.getByRole('button', { name: words(action), exact: true }).click();
    await workspace.runEnds('finished');
    await expect(badge).toHaveCount(0);
    expect(models.calls.at(-1)?.body.messages.at(-1)).toMatchObject({ role: 'tool' });
    expect(models.calls.at(-1)?.body.messages.at(-1)?.content).toContain(given);
    expect(await carriedOut()).toBe(times);
  });
