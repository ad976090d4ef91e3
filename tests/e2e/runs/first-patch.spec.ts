import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { faults } from '../../support/browser/faults.ts';
import { translator } from '../../support/browser/translate.ts';
import { watchErrors } from '../../support/browser/watch-errors.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import { type GitServer, startGitServer } from '../../support/services/git-server.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

const run = promisify(execFile);

let server: TestServer;
let git: GitServer;
test.beforeAll(async () => {
  git = await startGitServer();
  server = await startServer({ env: { ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' } });
});
test.afterAll(async () => {
  await server?.stop();
  await git?.close();
});

const words = translator('ru', 'console');
const inputs = translator('ru', 'inputs');

test('G3.09 G3.18 without a key the first run reads a repository, writes a change of it, and its patch applies with git', {
  tag: '@rest',
}, async ({ page }) => {
  const thrown = watchErrors(page);
  await git.git('shop', 'status');
  const folder = git.folderOf('shop');
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'README.md'), '# Shop\n\nOrders and their export.\n');
  await writeFile(join(folder, 'src/orders.ts'), 'export const orders = [];\r\nexport const total = 0;\r\n');
  await git.git('shop', 'add', '.');
  await git.git('shop', 'commit', '-qm', 'Begin');
  await git.publish('shop');

  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  const form = page.locator('[data-dialog-id]').first();
  await form.getByTestId('add-files').click();
  const address = page.getByRole('form', { name: inputs('git.title') });
  await address.getByLabel(inputs('git.address')).fill(git.urlOf('shop'));
  await address.getByRole('button', { name: inputs('git.add') }).click();
  await expect(form.getByTestId('dialog-files')).toContainText('src/orders.ts');
  await workspace.write('Экспорт заказов в CSV');
  await workspace.send();
  await workspace.runEnds('finished');

  await workspace.openConsole();
  const told = page.getByTestId('console');
  for (const tool of ['list_files', 'read_file', 'edit_file']) await expect(told).toContainText(`вызывает ${tool}`);
  await page.getByRole('tab', { name: words('tabs.files') }).click();
  const changes = page.getByTestId('file-changes');
  await expect(page.getByTestId('console')).toContainText('src/orders.ts');
  await expect(changes).toContainText(words('files.againstBase'));
  await expect(changes).toContainText('Имитация изменения');
  await page.getByRole('button', { name: words('pullRequest.open') }).click();
  const window = page.getByRole('dialog', { name: 'Экспорт заказов в CSV' });
  await expect(window).toContainText(words('pullRequest.local'));
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  const saved = page.waitForEvent('download');
  await window.getByRole('button', { name: words('pullRequest.patch'), exact: true }).click();
  const patch = await (await saved).path();

  await run('git', ['-C', folder, 'apply', '--check', patch]);
  await run('git', ['-C', folder, 'apply', patch]);
  expect((await git.git('shop', 'diff', '--name-only')).trim()).toBe('src/orders.ts');
  const changed = await readFile(join(folder, 'src/orders.ts'), 'utf8');
  expect(changed).toMatch(/^export const orders = \[\];\r\nexport const total = 0;\r\n\/\/ Имитация изменения.*Экспорт заказов в CSV/);
  expect(thrown).toEqual([]);
});
