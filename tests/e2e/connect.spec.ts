import { expect } from 'playwright/test';
import { test } from '../support/browser/browser-test.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { translate, translator } from '../support/browser/translate.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';
import { type HookReceiver, startHookReceiver } from '../support/services/hook-receiver.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let receiver: HookReceiver;
let server: TestServer;
test.beforeAll(async () => {
  receiver = await startHookReceiver();
  server = await startServer({ env: { ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' } });
});
test.afterAll(async () => {
  await server?.stop();
  await receiver?.close();
});

const words = translator('ru', 'connect');

test('K6.09 K6.10 a person adds a hook by the keyboard, reads its secret once, replaces it, and sees what a test and a failing receiver answered', {
  tag: '@rest',
}, async ({ page }) => {
  await enterWorkspace(page, server.url);
  await new WorkspacePage(page).opened();
  await page.keyboard.press('Alt+KeyK');
  const dialog = page.getByRole('dialog', { name: words('words:connect') });
  const open = async () => {
    await dialog.getByRole('tab', { name: words('door.tells') }).press('Enter');
    await dialog.getByRole('button', { name: words('section.hooks.title') }).press('Enter');
  };
  await open();
  await dialog.getByRole('button', { name: words('new.open') }).press('Enter');
  await page.keyboard.type('ci.example.com');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(words('new.urlWrong'))).toBeVisible();
  await dialog.getByLabel(words('new.url')).fill('https://ann:word@ci.example.com/');
  await page.keyboard.press('Enter');
  // The answer of the server, not the word at the field.
  await expect(dialog.getByRole('alert').getByText(translate('ru', 'content/server', 'hook.address'))).toBeVisible();
  await dialog.getByLabel(words('new.url')).fill(`${receiver.url}/artel`);
  await page.keyboard.press('Enter');
  await expect(dialog.getByTestId('hook-secret')).toHaveText(/^whsec_/);

  await dialog.getByRole('button', { name: words('hooks.test') }).press('Enter');
  const deliveries = dialog.getByRole('list', { name: words('hooks.deliveries') });
  await expect(deliveries.getByText(words('delivery.status.delivered'))).toBeVisible();
  receiver.answer({ kind: 'status', status: 503 });
  await dialog.getByRole('button', { name: words('hooks.test') }).press('Enter');
  await expect(deliveries.getByText(words('problem.status').replace('{{status}}', '503'))).toBeVisible();

  await page.keyboard.press('Escape');
  // The palette that opens while the window fades keeps the focus.
  await page.keyboard.press('Control+k');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByTestId('palette').getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('palette')).toHaveCount(0);
  await page.keyboard.press('Alt+KeyK');
  await open();
  await expect(dialog.getByRole('switch')).toBeChecked();
  await expect(dialog.getByTestId('hook-secret')).toBeHidden();
  await dialog.getByRole('button', { name: words('words:newSecret') }).press('Enter');
  await dialog.getByRole('button', { name: words('words:makeNewSecret') }).press('Enter');
  await expect(dialog.getByTestId('hook-secret')).toHaveText(/^whsec_/);
  // The sentence ends with a time.
  await expect(dialog.getByText(words('hooks.formerSecret').slice(0, -2))).toBeVisible();
  receiver.answer({ kind: 'status', status: 204 });
  receiver.calls.length = 0;
  await dialog.getByRole('button', { name: words('hooks.test') }).press('Enter');
  await expect.poll(() => receiver.calls[0]?.headers['webhook-signature']?.split(' ').length).toBe(2);
  await dialog.getByRole('button', { name: words('words:removeForGood') }).press('Enter');
  await dialog.getByRole('button', { name: words('hooks.removeForGood') }).press('Enter');
  await expect(dialog.getByRole('switch')).toBeHidden();
});
