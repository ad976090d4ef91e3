import { strToU8, zipSync } from 'fflate';
import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import { type RunnerProcess, sandboxes, startRunner } from '../../support/runner/start-runner.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

let server: TestServer;
let runner: RunnerProcess | null = null;
test.beforeAll(async () => {
  // The first account of a server of this machine may connect its runner.
  server = await startServer({ env: { ARTEL_SIMULATED_ANSWER_MS: '50' } });
});
test.afterAll(async () => {
  await runner?.stop();
  await server?.stop();
});

const words = translator('ru', 'runner');
const labels = translator('ru', 'console');
const repository = {
  'package.json': '{"name":"sum","type":"module","scripts":{"test":"node --test"}}',
  'sum.js': 'export const sum = (a, b) => a + b;\n',
  'sum.test.js':
    'import test from "node:test";\nimport assert from "node:assert";\nimport { sum } from "./sum.js";\ntest("sum", () => assert.equal(sum(1, 2), 3));\n',
};

test('C5.07 a person starts a runner, connects it by one press, takes the offered command, and sees a real green test', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  // biome-ignore lint/suspicious/noSkippedTests: a runner does not start without a sandbox
  test.skip(sandboxes.length === 0, 'not executed: this machine has no sandbox');
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.openConsole();
  await page.getByRole('tab', { name: labels('tabs.test') }).click();
  const line = page.getByTestId('local-runner');
  await expect(line).toContainText(words('none'));
  await expect(line).toContainText('npm run runner');
  await expect(page.getByTestId('test-command')).toBeHidden();

  runner = await startRunner({ ARTEL_RUNNER_SANDBOX: sandboxes[0] ?? '', DATA_DIR: server.dataDir });
  await line.getByRole('button', { name: words('use') }).click();
  await expect(line).toContainText(words('connected'));
  const archive = Object.fromEntries(Object.entries(repository).map(([path, text]) => [path, strToU8(text)]));
  const input = page.locator('[data-testid^="files-of-"]').first();
  await input.setInputFiles({ name: 'sum.zip', mimeType: 'application/zip', buffer: Buffer.from(zipSync(archive)) });
  const form = page.getByTestId('test-command');
  await form.getByRole('button', { name: words('suggested', { command: 'npm test' }) }).click();
  await expect(form.getByLabel(labels('test.command'))).toHaveValue('npm test');
  await expect(form).toContainText(labels('test.commandSaved'));

  await workspace.write('Проверь сумму');
  await workspace.send();
  const outcome = page.getByTestId('test-outcome');
  await expect(outcome).toHaveAttribute('data-tone', 'passed', { timeout: 60_000 });
  const log = page.getByTestId('test-log');
  // It may be open still from the time of the command.
  await log.evaluate((details) => details.setAttribute('open', ''));
  await expect(log).toContainText('# pass 1');

  await line.getByRole('button', { name: words('words:disconnect') }).click();
  await expect(line).toContainText(words('found'));
  await expect(form).toBeHidden();
});
