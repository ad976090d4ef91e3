import { expect, type Page } from 'playwright/test';
import { setUpSharedServer, test } from '../support/browser/browser-test.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { translate, translator } from '../support/browser/translate.ts';
import { watchErrors } from '../support/browser/watch-errors.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';

const server = setUpSharedServer();

const inputs = translator('ru', 'inputs');

/** Pastes a text at the focus, as a key does. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((words) => navigator.clipboard.writeText(words), text);
  await page.keyboard.press('Control+v');
}

test('G8.33 G8.35 a text too long for the dialog becomes a file of its run; a shorter rest is shown; a workflow of n8n is named', {
  tag: '@rest',
}, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const thrown = watchErrors(page);
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  const form = page.locator('[data-dialog-id]').first();
  await expect(form.getByTestId('add-files')).toBeVisible();

  await page.locator('[role="application"]').first().focus();
  await paste(page, JSON.stringify({ nodes: [{ type: 'n8n-nodes-base.set', typeVersion: 3, position: [0, 0] }], connections: {} }));
  await expect(workspace.banners().first()).toContainText('n8n');

  await workspace.messageBox.click();
  await paste(page, 'слово '.repeat(17_000));
  const name = inputs('pastedName', { number: 1 });
  await expect(form.getByTestId('pasted-as-file')).toContainText(name);
  await expect(form.getByTestId('dialog-files')).toContainText(name);
  await expect(workspace.messageBox).toHaveValue('');

  await workspace.write('я'.repeat(99_990));
  await workspace.messageBox.press('End');
  await paste(page, '0123456789 left out');
  await expect(form.getByTestId('left-out')).toContainText(translate('ru', 'common', 'leftOut.copy'));
  await form.getByTestId('left-out').getByRole('button').first().click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(' left out');
  await expect(workspace.messageBox).toHaveValue(/0123456789$/);

  await page.screenshot({ path: test.info().outputPath('limits.png') });
  expect(thrown).toEqual([]);
});
