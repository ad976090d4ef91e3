import { expect, type Page, type Response } from 'playwright/test';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { LandingSignIn, newPerson } from '../../support/browser/landing-sign-in.ts';
import { type Language, translate } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

const server = setUpSharedServer();

test('R01.01 the language of the address stays on the next page and the next visit', async ({ page }) => {
  await page.goto(`${server.url}/?lang=en`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  for (const path of ['/privacy-policy', '/public-test', '/', '/no-such-page']) {
    await page.goto(`${server.url}${path}`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  }
  await page.goto(`${server.url}/?lang=ru`);
  await page.goto(`${server.url}/privacy-policy`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(translate('ru', 'privacy', 'title'));
});

test('R01.01 an account keeps its language: another browser uses it, and its workspace never shows the other language', {
  tag: '@rest-nightly',
}, async ({ page, browser }) => {
  const person = newPerson();
  const signIn = await new LandingSignIn(page, server.url, 'en').open();
  await signIn.signUp(person);
  await new WorkspacePage(page, 'en').opened();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');

  const elsewhere = await browser.newContext({ locale: 'ru-RU' });
  const other = await elsewhere.newPage();
  await (await new LandingSignIn(other, server.url).open()).openSignIn();
  await new LandingSignIn(other, server.url).fillSignIn(person);
  await expect(other).toHaveURL(/\/test-project/);
  await new WorkspacePage(other, 'en').opened();
  await expect(other.locator('html')).toHaveAttribute('lang', 'en');
  expect(await other.evaluate(() => document.cookie)).toContain('language=en');

  // Chosen on one page, found on the other.
  const kept = other.waitForResponse((answer) => answer.url().endsWith('/api/auth/profile') && answer.request().method() === 'PUT');
  await other.getByRole('radio', { name: 'RU', exact: true }).click();
  expect((await kept).status()).toBe(200);
  const shown = await languagesOfWorkspace(page);
  await page.reload();
  await new WorkspacePage(page).opened();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
  expect(new Set(await shown())).toEqual(new Set<Language>(['ru']));
  await elsewhere.close();
});

test('R01.01 a language that could not be saved is sent again when the browser is online, and at the next start', { tag: '@rest' }, async ({
  page,
}) => {
  await enterWorkspace(page, server.url);
  await new WorkspacePage(page).opened();
  const profile = '**/api/auth/profile';
  const isStored = (answer: Response) => answer.url().endsWith('/api/auth/profile') && answer.request().method() === 'PUT' && answer.ok();
  const refusePut = () => page.route(profile, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
  const choose = async (language: Language) => {
    const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'PUT' && request.url().endsWith('/profile'));
    await page.getByRole('radio', { name: language.toUpperCase(), exact: true }).click();
    await failed;
    await expect(page.locator('html')).toHaveAttribute('lang', language);
  };

  await refusePut();
  await choose('en');
  await page.unroute(profile);
  const storedOnline = page.waitForResponse(isStored);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await storedOnline;

  await refusePut();
  await choose('ru');
  await page.unroute(profile);
  const storedAtStart = page.waitForResponse(isStored);
  await page.goto(`${server.url}/test-project`);
  expect((await storedAtStart).request().postDataJSON()).toEqual({ language: 'ru' });
  await new WorkspacePage(page).opened();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
});

/** Records the page's language at each change while a workspace is on the page. */
async function languagesOfWorkspace(page: Page): Promise<() => Promise<Language[]>> {
  await page.addInitScript(() => {
    const noted: string[] = [];
    Object.assign(window, { noted });
    const note = () => {
      if (document.querySelector('[data-testid="account-bar"]')) noted.push(document.documentElement.lang);
    };
    document.addEventListener('DOMContentLoaded', () => {
      new MutationObserver(note).observe(document.documentElement, { subtree: true, childList: true, attributes: true });
    });
  });
  return () => page.evaluate(() => (window as unknown as { noted: Language[] }).noted);
}
