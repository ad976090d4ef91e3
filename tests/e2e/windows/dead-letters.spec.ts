import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { faults } from '../../support/browser/faults.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { translate } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

test('R23.01 a list that cannot be read shows the reason, and is read again on request', async ({ page, playedApi }) => {
  const { profile } = await enterPlayed(page, playedApi, 'en');
  profile.isStaff = true;
  playedApi.answer({ 'deadLetter.list': () => [] });
  await new WorkspacePage(page).opened();
  await page.route('**/api/dead-letters?*', (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message: '', requestId: '1' } }),
  );
  await page.goto(`${playedApi.url}/dead-letters`);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(translate('en', 'errors', 'unavailable'));
  expect(await faults(page)).toEqual([]);
  await page.unroute('**/api/dead-letters?*');
  await alert.getByRole('button', { name: translate('en', 'words', 'reload') }).click();
  await expect(page.getByRole('heading', { name: translate('en', 'dead-letters', 'title'), exact: true })).toBeVisible();
  await expect(alert).toHaveCount(0);
});
