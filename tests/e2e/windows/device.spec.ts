import { expect } from 'playwright/test';
import { operations } from '../../../contract/operations/operations.ts';
import { test } from '../../support/browser/browser-test.ts';
import { faultsInBothThemes } from '../../support/browser/faults.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { subscribeBrowser } from '../../support/browser/push-browser.ts';
import { translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

// Its service worker stays after the page.
test.use({ ownContext: true });

const words = translator('ru', 'connect');
const { publicKey, devices } = operations['push.get'].example.response;
const { body: subscription } = operations['push.add'].example;

test('K8.06 a browser that blocks notifications says how to allow them', async ({ page, playedApi }) => {
  playedApi.answer({ 'push.get': () => ({ publicKey, devices: [] }) });
  await subscribeBrowser(page, subscription);
  await enterPlayed(page, playedApi);
  await new WorkspacePage(page).opened();
  await page.goto(`${playedApi.url}/test-project?answer=denied`);
  await new WorkspacePage(page).opened();
  await page.keyboard.press('Alt+KeyK');
  const dialog = page.getByRole('dialog', { name: words('words:connect') });
  await dialog.getByRole('tab', { name: words('door.tells') }).click();
  const toggle = dialog.getByRole('switch', { name: words('device.on') });
  await toggle.click();
  await expect(dialog.getByRole('alert')).toHaveText(words('device.denied'));
  await expect(toggle).not.toBeChecked();
  expect(playedApi.calls).not.toContain('push.add');
});

test('K8.08 the app on a home screen begins with the questions that wait', async ({ page, playedApi }) => {
  const { start_url: start, id, display } = await (await page.request.get(`${playedApi.url}/manifest.webmanifest`)).json();
  expect([id, display]).toEqual(['/', 'standalone']);
  playedApi.answer({ 'push.get': () => ({ publicKey, devices }) });
  await page.setViewportSize({ width: 390, height: 844 });
  await enterPlayed(page, playedApi);
  await page.goto(`${playedApi.url}${start}`);
  await expect(page.getByRole('dialog', { name: translator('ru', 'questions')('words:needsYou') })).toBeVisible();
  await expect(page).not.toHaveURL(/questions/);
  await page.getByRole('button', { name: translator('ru', 'questions')('notify') }).click();
  const section = page.getByRole('dialog', { name: words('words:connect') }).getByTestId('device');
  await expect(section.getByRole('switch')).toBeVisible();
  expect(await faultsInBothThemes(page, '[role="dialog"]')).toEqual([]);
});
