import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { faults } from '../../support/browser/faults.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

const words = translator('ru', 'account');
const ofWorkspace = translator('ru', 'workspace');

test('G8.05 the account window shows the stored sizes by kind, and removes the largest items', async ({ page, playedApi }) => {
  const ofStorage = translator('ru', 'storage');
  await enterPlayed(page, playedApi);
  let stored = 3;
  const bytesOfEach = 440_000;
  playedApi.answer({
    'storage.get': () => ({
      usedBytes: stored * bytesOfEach,
      limitBytes: 2_048 * 1024 * 1024,
      state: 'calm',
      eventsKeptDays: 365,
      kinds: [
        { kind: 'agents', bytes: 4_000 },
        { kind: 'versions', bytes: 3_000 },
        { kind: 'canvases', bytes: 2_000 },
        { kind: 'commands', bytes: 1_000 },
        { kind: 'pipelines', bytes: stored * bytesOfEach },
      ],
      projects: { count: 1, limit: 500 },
      pipelines: { count: stored, limit: 10_000 },
    }),
    'storage.free': ({ params, query }) => {
      expect({ ...params, ...query }).toEqual({ kind: 'pipelines', olderThanDays: 0 });
      const removed = stored;
      stored = 0;
      return { removed };
    },
  });
  await new WorkspacePage(page).opened();

  await page.getByTestId('account-menu').click();
  await page.getByRole('menuitem', { name: ofWorkspace('bar.accountWindow') }).click();
  await page.getByRole('tab', { name: words('tabs.storage') }).click();
  const storage = page.getByTestId('storage');
  await expect(storage).toContainText('из 2 048 МиБ');
  const first = storage.getByRole('listitem').first();
  await expect(first).toContainText(ofStorage('kinds.pipelines'));
  await expect(first).toContainText(/1,\d МиБ/);
  await expect(first).toContainText(ofStorage('cure.pipelines'));
  // The three largest are named; the others are one line.
  await expect(storage.getByRole('list').first().getByRole('listitem')).toHaveCount(4);
  await expect(storage.getByRole('list').first().getByRole('listitem').last()).toContainText(ofStorage('kinds.commands'));
  await expect(storage).toContainText('3 из 10 000');
  expect(await faults(page, '[role="dialog"]')).toEqual([]);

  await storage.getByRole('button', { name: ofStorage('unused.action') }).press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ofStorage('words:delete'), exact: true })
    .press('Enter');
  await expect(storage.getByRole('status').filter({ hasText: ofStorage('removed', { removed: 3 }) })).toBeVisible();
  await expect(storage).toContainText('0 из 10 000');
  // The window has one height, whatever it shows.
  const heights = new Set<number>();
  for (const tab of await page.getByRole('dialog').getByRole('tab').all()) {
    await tab.click();
    heights.add(await page.getByRole('dialog').evaluate((window) => (window as HTMLElement).offsetHeight));
  }
  expect(heights.size).toBe(1);
  await expect(storage.getByRole('listitem').filter({ hasText: ofStorage('kinds.pipelines') })).toHaveCount(0);
});

test('P4.06 W2.02 W6.01 a session that the server refuses says so, and a check either reloads the project or says that it failed', async ({
  page,
  playedApi,
}) => {
  await enterPlayed(page, playedApi);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.saved();
  const refuse = { status: 401, json: { message: 'Sign in', code: 'unauthorized', requestId: 'r' } };
  await page.route('**/api/**', (route) => route.fulfill(refuse));
  await workspace.ofProject(ofWorkspace('bar.reload'));
  const banner = workspace.banners().filter({ hasText: ofWorkspace('banner.notAuthenticated') });
  const check = banner.getByRole('button', { name: ofWorkspace('banner.checkAuth') });
  await check.click();
  await expect(banner).toContainText(ofWorkspace('banner.checkFailed'));
  await page.unroute('**/api/**');
  await check.click();
  await expect(banner).toHaveCount(0);
  await expect(workspace.cards()).not.toHaveCount(0);
  await workspace.saved();
});
