import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { faults } from '../../support/browser/faults.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';
import { type GitServer, startGitServer } from '../../support/services/git-server.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';
import { turnOf } from '../../support/tools/with-tools.ts';

let server: TestServer;
let model: ModelServer;
let git: GitServer;
let pages: http.Server;
let host: string;
test.beforeAll(async () => {
  [model, git] = await Promise.all([startModelServer(), startGitServer()]);
  pages = http.createServer((_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('A page.'));
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-test', ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on', ARTEL_FETCH_HOSTS: host };
  server = await startServer({ env });
});
test.afterAll(async () => {
  await server?.stop();
  await Promise.all([model?.close(), git?.close()]);
  pages?.closeAllConnections();
  pages?.close();
});

const words = translator('ru', 'questions');
const inputs = translator('ru', 'inputs');

test('G3.06 the first call of a run on a foreign repository shows its target and its content, and one consent holds for the run', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const address = (path: string) => `http://${host}/${path}`;
  model.answer((call) => {
    const path = ['collect?secret=42', 'more'][turnOf(call)];
    if (path === undefined) return { kind: 'text', text: 'Готово.' };
    return { kind: 'calls', calls: [{ id: path, name: 'fetch_page', arguments: JSON.stringify({ url: address(path) }) }] };
  });
  await git.git('shop', 'status');
  await writeFile(join(git.folderOf('shop'), 'shop.txt'), 'Магазин\n');
  await git.git('shop', 'add', '.');
  await git.git('shop', 'commit', '-qm', 'Begin');
  await git.publish('shop');
  await withCanvas(page, server.url, (card) => [dialog('d', 'Магазин', 0), card(0, 'a', 0)], [['d', 'a']]);
  const form = page.locator('[data-dialog-id="d"]');
  await form.getByTestId('add-files').click();
  const repository = page.getByRole('form', { name: inputs('git.title') });
  await repository.getByLabel(inputs('git.address')).fill(git.urlOf('shop'));
  await repository.getByRole('button', { name: inputs('git.add') }).click();
  await expect(form.getByTestId('dialog-git')).toContainText('shop, main');
  await form.locator('textarea').fill('Прочитай');
  await form.getByRole('button', { name: translate('ru', 'common', 'send'), exact: true }).click();

  const badge = page.locator('[data-question-badge]');
  await expect(badge).toBeVisible({ timeout: 20_000 });
  await badge.click();
  const asked = page.getByRole('dialog');
  await expect(asked).toContainText(words('reason.outside'));
  await expect(asked.getByTestId('asked-host')).toContainText(host);
  await expect(asked.getByLabel(words('callSends'))).toHaveValue(`{\n  "url": "${address('collect?secret=42')}"\n}`);
  await expect(asked.getByRole('button', { name: words('approve'), exact: true })).toBeVisible();
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await asked.getByRole('button', { name: words('approveHostInRun', { host }) }).press('Enter');
  await expect(badge).toHaveCount(0);
  await expect(page.getByTestId('run-control').getByText(translate('ru', 'workspace', 'run.finished'), { exact: true })).toBeVisible({
    timeout: 20_000,
  });
  expect(model.calls.at(-1)?.body.messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
});
