import { expect, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { faults } from '../../support/browser/faults.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

const words = translator('ru', 'modals');
const sidebarWords = translator('ru', 'workspace', 'sidebar.');

/** Records every request of the page that is not a read. */
function writesOf(page: Page): string[] {
  const writes: string[] = [];
  page.on('request', (request) => {
    // The socket ticket and the forecast, which stores nothing, may be requested at any time.
    if (request.method() !== 'GET' && !/\/(auth\/socket-ticket|budget\/forecast)$/.test(request.url()))
      writes.push(`${request.method()} ${request.url()}`);
  });
  return writes;
}

test('W2.19 W3.09 plans are chosen for a new agent and for one more of a role, and both say that they do not work yet', async ({
  page,
  playedApi,
}) => {
  await enterPlayed(page, playedApi);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.saved();
  const writes = writesOf(page);
  const sidebar = page.getByTestId('sidebar');
  const dialog = page.getByRole('dialog');

  const add = sidebar.getByRole('button', { name: sidebarWords('words:newAgent') });
  const byPlan = dialog.getByRole('button', { name: words('newAgent.byPlan') });
  await add.click();
  await byPlan.click();
  await expect(dialog).toHaveAccessibleName(words('addAgent.title'));
  const plans = dialog.getByRole('radio');
  await expect(plans).toHaveCount(3);
  await expect(dialog.getByRole('radio', { name: words('plan.name.growth') })).toBeChecked();
  await expect(dialog.locator('[data-plan="growth"]')).toContainText('20 $');
  await expect(dialog.locator('[data-plan="growth"]')).toContainText('67 %');
  await expect(dialog.locator('[data-plan="team"]')).toContainText('43 %');
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await dialog.getByRole('radio', { name: words('plan.name.growth') }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('radio', { name: words('plan.name.team') })).toBeChecked();
  await dialog.getByRole('button', { name: words('addAgent.action') }).press('Enter');
  await expect(dialog).toHaveAccessibleName(words('notYet.title'));
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  const close = dialog.getByRole('contentinfo').getByRole('button', { name: words('common:close') });
  await expect(close).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await add.press('Enter');
  await byPlan.press('Enter');
  await expect(dialog.getByRole('radio', { name: words('plan.name.growth') })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await sidebar.getByRole('button', { name: sidebarWords('buy', { title: 'Тестировщик' }) }).click();
  await expect(dialog).toHaveAccessibleName(words('buyAgent.title'));
  await expect(dialog.getByRole('radio')).toHaveCount(2);
  await expect(dialog.getByRole('radio', { name: words('plan.name.double') })).toBeChecked();
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await dialog.getByRole('button', { name: words('buyAgent.action') }).click();
  await expect(dialog).toHaveAccessibleName(words('notYet.title'));
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await workspace.ofProject(words('words:inviteMember'));
  const send = dialog.getByRole('button', { name: words('invite.send') });
  await send.click();
  await expect(dialog.getByRole('alert')).toHaveText(words('invite.required'));
  await dialog.getByLabel(words('invite.email')).fill('не почта');
  await expect(dialog.getByRole('alert')).toHaveText(words('invite.invalid'));
  await dialog.getByLabel(words('invite.email')).fill('Masha@Example.org');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText(words('invite.unavailable', { email: 'masha@example.org' }));
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect(writes).toEqual([]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('W2.19 the windows fit a phone, and their buttons stay in view', { tag: '@rest' }, async ({ page, playedApi }) => {
    await enterPlayed(page, playedApi, 'en');
    await new WorkspacePage(page, 'en').opened();
    const dialog = page.getByRole('dialog');
    await page.getByTestId('mobile-menu').tap();
    await page.getByRole('menuitem', { name: translate('en', 'workspace', 'sidebar.title') }).tap();
    const add = page.getByTestId('sidebar').getByRole('button', { name: translate('en', 'words', 'newAgent') });
    // The sidebar slides in.
    await add.scrollIntoViewIfNeeded();
    await expect(add).toBeInViewport({ ratio: 1 });
    await add.tap();
    await dialog.getByRole('button', { name: translate('en', 'modals', 'newAgent.byPlan') }).tap();
    const go = dialog.getByRole('button', { name: translate('en', 'modals', 'addAgent.action') });
    await expect(go).toBeInViewport({ ratio: 1 });
    for (const card of await dialog.locator('[data-plan]').all()) await expect(card).toBeInViewport({ ratio: 1 });
    await go.tap();
    await expect(dialog).toHaveAccessibleName(translate('en', 'modals', 'notYet.title'));
  });
});
