import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from 'playwright/test';
import type { InputSet } from '../../../contract/input.ts';
import { test } from '../../support/browser/browser-test.ts';
import { enterAs } from '../../support/browser/enter-workspace.ts';
import { faultsInBothThemes } from '../../support/browser/faults.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import type { TestDatabase } from '../../support/open-test-database.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { startServerOnDatabase } from '../../support/server-on-database.ts';
import { type GitServer, startGitServer } from '../../support/services/git-server.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import type { TestServer } from '../../support/start-server.ts';
import { storeChanges } from '../../support/store-changes.ts';

let models: ModelServer;
let git: GitServer;
let database: TestDatabase;
let server: TestServer;
test.beforeAll(async () => {
  [models, git] = await Promise.all([startModelServer(), startGitServer()]);
  const env = { OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on', ARTEL_CLIENT: 'on' };
  ({ database, server } = await startServerOnDatabase(env));
});
test.afterAll(async () => {
  await server?.stop();
  await Promise.all([database?.remove(), models?.close(), git?.close()]);
});

const words = translator('ru', 'inputs', 'changes.');
const cart = Array.from({ length: 9 }, (_, at) => `export const item${at} = ${at};\n`).join('');

/** A run on a repository that has removed a file, moved two, and made one executable. */
async function changedRun(ann: RunAccount): Promise<void> {
  await git.git('shop', 'status');
  const folder = git.folderOf('shop');
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'README.md'), '# Магазин\n');
  await writeFile(join(folder, 'src', 'cart.ts'), cart);
  await writeFile(join(folder, 'logo.bin'), Buffer.from([0xf6, 0, 0xed, 0xe0, 0x0a]));
  await writeFile(join(folder, 'build.sh'), '#!/bin/sh\n');
  await chmod(join(folder, 'build.sh'), 0o644);
  await symlink('README.md', join(folder, 'link'));
  await git.git('shop', 'add', '.');
  await git.git('shop', 'commit', '-qm', 'Begin');
  await git.publish('shop');
  const { body: set } = await ann.call<InputSet>('POST', '/inputSet', { projectId: 'default' });
  await ann.call('POST', `/inputSet/${set.id}/repository`, { url: git.urlOf('shop') });
  models.answer({ kind: 'hang' });
  const { id } = await ann.start(await ann.pipeline('developer'), 'Приберись', { inputSetId: set.id });
  await models.call(1);
  await storeChanges(database.pool, { id, stepId: (await ann.details(id)).steps[0]?.stepId ?? '' }, [
    { path: 'README.md', removed: true },
    { path: 'build.sh', content: '#!/bin/sh\n', executable: true },
    { path: 'logo.bin', removed: true },
    { path: 'assets/logo.bin', movedFrom: 'logo.bin' },
    { path: 'src/cart.ts', removed: true },
    { path: 'lib/cart.ts', content: `${cart}export const more = 9;\n`, movedFrom: 'src/cart.ts' },
    { path: 'new.ts', content: 'export {};\n' },
  ]);
  models.release('Готово.');
  await ann.until(id, ({ status }) => status === 'completed');
}

async function openFiles(page: Page): Promise<void> {
  await page.keyboard.press('Control+j');
  await page.getByRole('tab', { name: translate('ru', 'console', 'tabs.files') }).click();
}

test('C2.02 C6.06 the Files tab shows what was removed, moved and made executable, and links of the base, in both themes', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const ann = await signUp(server.url, 'ru');
  await changedRun(ann);
  await enterAs(page, server.url, ann);
  await new WorkspacePage(page).opened();
  await openFiles(page);
  const tree = page.getByTestId('file-tree');
  const line = (name: string) => tree.getByRole('treeitem').filter({ hasText: name });
  await expect(line('README.md')).toContainText(words('removed'));
  await expect(line('cart.ts')).toContainText(words('renamed', { from: 'src/cart.ts' }));
  await expect(line('build.sh')).toContainText(words('executable'));
  await expect(line('logo.bin')).toContainText(words('binary'));
  await expect(page.getByText(words('deleted_one', { count: 1 }))).toBeVisible();

  await line('README.md').click();
  const viewer = page.getByTestId('file-viewer');
  await expect(viewer.getByTestId('file-changes')).toContainText('# Магазин');
  await expect(viewer.getByRole('button', { name: translate('ru', 'console', 'files.save') })).toHaveCount(0);
  await line('logo.bin').click();
  await expect(viewer).toContainText(words('binaryLines'));
  await line('cart.ts').click();
  await expect(viewer).toContainText(words('renamed', { from: 'src/cart.ts' }));
  await expect(viewer.getByTestId('file-changes')).toContainText('export const more = 9;');
  expect(await faultsInBothThemes(page, '[data-testid="files"]')).toEqual([]);

  await page.getByText(translate('ru', 'console', 'files.given'), { exact: true }).click();
  const base = page.getByTestId('base-files');
  await base.getByRole('textbox', { name: translate('ru', 'console', 'files.search') }).fill('LINK');
  await expect(base.getByRole('treeitem')).toHaveCount(1);
  await base.getByTestId('file-tree').press('Enter');
  await expect(base.getByTestId('base-file')).toContainText(translate('ru', 'inputs', 'base.about.link'));
  expect(await faultsInBothThemes(page, '[data-testid="base-files"]')).toEqual([]);
  await page.getByText(translate('ru', 'console', 'files.changes'), { exact: true }).click();

  await page.getByRole('button', { name: translate('ru', 'console', 'pullRequest.open') }).click();
  const request = page.getByTestId('pull-request');
  await expect(request).toContainText('переименован из');
  await expect(request.locator('summary').filter({ hasText: 'lib/cart.ts' })).toContainText(words('renamed', { from: 'src/cart.ts' }));
  expect(await faultsInBothThemes(page, '[role="dialog"]')).toEqual([]);
  await page.keyboard.press('Escape');
});
