import { expect, type Page } from 'playwright/test';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { faults } from '../../support/browser/faults.ts';
import { LandingSignIn } from '../../support/browser/landing-sign-in.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

const common = translator('ru', 'common');

const server = setUpSharedServer();
// A browser that has the files of the page already would load them without a connection.
test.use({ ownContext: true });

/** The note in the place of a part that did not load. */
const noteOf = (page: Page) => page.getByTestId('part-not-loaded');
const again = (page: Page) => noteOf(page).getByRole('button', { name: common('tryAgain') });

/** Makes the first `times` requests for a file fail with a network error. Resolves with a function that counts the requests. */
async function failing(page: Page, file: string, times: number): Promise<() => number> {
  let asked = 0;
  await page.route(file, (route) => (++asked <= times ? route.abort() : route.continue()));
  return () => asked;
}

test('P2.01 the sections of the landing page load although their script or style failed twice', async ({ page }) => {
  const asked = await failing(page, '**/assets/landing-sections-*.js', 2);
  await page.goto(`${server.url}/?lang=ru`);
  await expect(page.locator('#faq button').last()).toBeVisible();
  await page.locator('#faq button').last().click();
  await expect(page.locator('#faq button').last()).toHaveAttribute('aria-expanded', 'true');
  expect(asked()).toBeGreaterThan(2);
  await expect(noteOf(page)).toHaveCount(0);
});

test('P2.01 a section script that never arrives leaves the page readable, with a note that tries again', { tag: '@rest-nightly' }, async ({
  page,
}) => {
  await failing(page, '**/assets/landing-sections-*.js', Number.POSITIVE_INFINITY);
  await page.goto(`${server.url}/?lang=ru`);
  await expect(noteOf(page)).toContainText(common('part.notLoaded'));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('#faq')).toContainText(translate('ru', 'offer', 'faq.security.answer'));
  await expect(page.locator('#pricing')).toBeAttached();
  // A change elsewhere on the page leaves the sections in place.
  await new LandingSignIn(page, server.url).openSignIn();
  await expect(page.locator('#faq')).toBeAttached();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await faults(page)).toEqual([]);
  await page.unroute('**/assets/landing-sections-*.js');
  await again(page).click();
  await expect(noteOf(page)).toHaveCount(0);
  await page.locator('#faq button').last().click();
  await expect(page.locator('#faq button').last()).toHaveAttribute('aria-expanded', 'true');
});

test('R31.01 without the script that animates, panels and windows open and close all the same', async ({ page }) => {
  await failing(page, '**/assets/motion-features-*.js', Number.POSITIVE_INFINITY);
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.saved();
  for (const [key, testId] of [
    ['Alt+h', 'history'],
    ['Control+j', 'console'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByTestId(testId)).toHaveCSS('opacity', '1');
    await page.keyboard.press(key);
    await expect(page.getByTestId(testId)).toHaveCount(0);
  }
  await page.keyboard.press('Shift+?');
  await expect(page.getByRole('dialog')).toHaveCSS('opacity', '1');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('P8.03 without a connection the sign-in window shows the connection error with its causes, and the page stays', {
  tag: '@rest-nightly',
}, async ({ page, context }) => {
  await page.goto(`${server.url}/?lang=ru`);
  await page.locator('#faq button').last().click();
  await expect(page.locator('#faq button').last()).toHaveAttribute('aria-expanded', 'true');
  await context.setOffline(true);
  await page
    .getByRole('banner')
    .getByRole('button', { name: translate('ru', 'common', 'signIn') })
    .click();
  const failure = page.getByTestId('login-not-loaded');
  await expect(failure).toContainText(common('connection.text'));
  for (const cause of ['internet', 'server', 'certificate', 'cors'])
    await expect(failure).toContainText(common(`connection.causes.${cause}`));
  await expect(failure).toContainText(common('connection.advice'));
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(failure).toHaveCount(0);
  await expect(page.locator('#faq')).toBeAttached();
  await page
    .getByRole('banner')
    .getByRole('button', { name: translate('ru', 'common', 'signIn') })
    .click();
  await expect(failure).toBeVisible();
  await context.setOffline(false);
  await failure.getByRole('button', { name: common('tryAgain') }).click();
  await expect(page.getByRole('heading', { name: translate('ru', 'auth', 'signIn.title') })).toBeVisible();
});

test('R31.01 without a connection the account and invitation windows and a console tab show an error in place, and the workspace stays', {
  tag: '@rest-nightly',
}, async ({ page, context }) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  await context.setOffline(true);
  await page.getByTestId('account-menu').click();
  await page.getByRole('menuitem', { name: translate('ru', 'workspace', 'bar.accountWindow') }).click();
  await expect(noteOf(page)).toContainText(common('part.notLoaded'));
  await expect(workspace.cards().first()).toBeAttached();
  await noteOf(page)
    .getByRole('button', { name: common('close') })
    .click();
  await expect(noteOf(page)).toHaveCount(0);
  await workspace.openConsole();
  await page.getByRole('tab', { name: translate('ru', 'console', 'tabs.files') }).click();
  await expect(noteOf(page)).toHaveCount(1);
  await context.setOffline(false);
  // The browser reports that it is online again.
  await expect(noteOf(page)).toHaveCount(0);
  await page.getByTestId('account-menu').click();
  await page.getByRole('menuitem', { name: translate('ru', 'workspace', 'bar.accountWindow') }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

/** Titles of the nodes on the server. */
async function storedTitles(page: Page): Promise<string[]> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const answer = await fetch(`${server.url}/api/project/default/canvas`, { headers: { authorization: `Bearer ${token}` } });
  const { nodes } = (await answer.json()) as { nodes: Record<string, { title: string }> };
  return Object.values(nodes).map(({ title }) => title);
}

test('R31.01 a page of an earlier build whose files are gone offers the new version, and keeps unsaved edits', { tag: '@rest' }, async ({
  page,
}) => {
  await page.route('**/boot.js', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-artel-version': 'a-later-build' } });
  });
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.saved();
  // No save reaches the server before the reload.
  let isReloaded = false;
  page.on('request', (request) => {
    isReloaded ||= request.isNavigationRequest();
  });
  await page.route('**/api/project/*/canvas', (route) =>
    isReloaded || route.request().method() === 'GET' ? route.continue() : route.abort(),
  );
  await workspace.card('Разработчик').focus();
  await page.keyboard.press('F2');
  await page.getByTestId('name-editor').getByRole('textbox').fill('Разработчик витрины');
  await page.keyboard.press('Enter');
  await expect(workspace.card('Разработчик витрины')).toHaveCount(1);
  await page.route('**/assets/account-windows-*', (route) => route.fulfill({ status: 404, body: '' }));
  await page.getByTestId('account-menu').click();
  await page.getByRole('menuitem', { name: translate('ru', 'workspace', 'bar.accountWindow') }).click();
  await expect(noteOf(page)).toContainText(common('part.newVersion'));
  const offer = page.getByTestId('update-offer');
  await expect(offer).toContainText(common('part.kept'));
  await page.unroute('**/assets/account-windows-*');
  await page.unroute('**/boot.js');
  expect(await storedTitles(page)).not.toContain('Разработчик витрины');
  const reloaded = page.waitForEvent('load');
  await offer.getByRole('button', { name: common('part.reload') }).click();
  await reloaded;
  await workspace.opened();
  await expect(workspace.card('Разработчик витрины')).toHaveCount(1);
  await expect(offer).toHaveCount(0);
  await workspace.saved();
  expect(await storedTitles(page)).toContain('Разработчик витрины');
});
