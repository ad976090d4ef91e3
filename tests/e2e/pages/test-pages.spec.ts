import { expect, type Locator, type Page } from 'playwright/test';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { faults } from '../../support/browser/faults.ts';
import { newPerson } from '../../support/browser/landing-sign-in.ts';
import { translate, translator } from '../../support/browser/translate.ts';

const server = setUpSharedServer();
const words = translator('ru', 'developer');

test('P2.20 P2.21 P2.22 P2.23 P2.24 P3.02 P3.03 P5.01 P5.04 P8.05 the pages for developers sign in, look into the storage and show what they find as JSON', async ({
  page,
}) => {
  const person = newPerson();
  expect((await page.request.post(`${server.url}/api/auth/register`, { data: person })).status()).toBe(201);
  const notes: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('[storage]')) notes.push(message.text());
  });

  await page.goto(`${server.url}/test-auth?lang=ru`);
  const email = page.getByLabel(translate('ru', 'auth', 'email.label'), { exact: true });
  const password = page.getByLabel(translate('ru', 'auth', 'password.label'), { exact: true });
  const signIn = page.getByRole('button', { name: words('common:signIn'), exact: true });
  const alert = page.getByRole('alert').filter({ hasText: /./ });
  await expect(email).toHaveAttribute('placeholder', /admin/);
  await signIn.click();
  await expect(alert).toHaveText('Введите email и пароль');
  await email.fill(person.email);
  await password.fill('not the password');
  await signIn.click();
  await expect(alert).toHaveText(words('signInFailed', { error: translate('ru', 'auth', 'error.invalidCredentials') }));
  await expect.poll(() => json(page, 'signInResult')).toMatchObject({ error: { code: 'invalidCredentials' } });
  await press(page, 'checkStatus');
  await expect.poll(() => json(page, 'words:status')).toMatchObject({ isLoggedIn: false, hasAccessToken: false, hasRefreshToken: false });
  await password.fill(person.password);
  await signIn.click();
  await expect(alert).toHaveText('Авторизация успешна!');
  await press(page, 'checkStatus');
  await expect.poll(() => json(page, 'words:status')).toMatchObject({ isLoggedIn: true, hasAccessToken: true, accessTokenState: 'valid' });
  expect(await faults(page)).toEqual([]);
  for (const other of ['login-test', 'public-test', 'simple-test', 'storage-test']) {
    await expect(page.locator(`a[href="/${other}"]`)).toHaveCount(1);
  }

  await page.locator('a[href="/login-test"]').click();
  await expect(password).toHaveAttribute('placeholder', 'Введите пароль');
  const signInHere = async () => {
    await page.evaluate(() => localStorage.clear());
    await signIn.click();
    await expect(alert).toHaveText('Введите email и пароль');
    await expect(email).toBeFocused();
    await email.fill(person.email);
    await password.fill(person.password);
    await signIn.click();
    await expect(alert).toHaveText('Авторизация успешна!');
    await expect
      .poll(() => json(page, 'signInResult'))
      .toMatchObject({ user: { email: person.email }, hasAccessToken: true, hasRefreshToken: true });
  };
  await signInHere();
  await press(page, 'checkStorage');
  await expect.poll(() => json(page, 'checkStorage')).toMatchObject({ same: true, removed: true, hasRefreshToken: true });
  await press(page, 'checkAfterSignIn');
  await expect(panel(page, 'checkAfterSignIn')).toContainText(person.email);

  await page.locator('a[href="/simple-test"]').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(words('simple-test.title'));
  await signInHere();
  await press(page, 'tryStorage');
  await expect.poll(() => json(page, 'tryStorage')).toMatchObject({ same: true });
  await press(page, 'checkTokens');
  const access = await json(page, 'accessToken');
  expect(access.accessToken).toHaveLength(9);
  await expect.poll(() => json(page, 'refreshToken')).toMatchObject({ hasRefreshToken: true });

  await page.evaluate(() => localStorage.clear());
  await page.goto(`${server.url}/storage-test?lang=ru`);
  await expect.poll(() => json(page, 'readTokens')).toMatchObject({ hasAccessToken: false, accessTokenState: 'absent' });
  await press(page, 'tryStorage');
  await expect.poll(() => json(page, 'tryStorage')).toMatchObject({ same: true });
  await press(page, 'saveFake');
  await expect.poll(() => json(page, 'saveFake')).toMatchObject({ hasAccessToken: true, accessTokenState: 'expired' });
  await press(page, 'readTokens');
  await expect.poll(() => json(page, 'readTokens')).toMatchObject({ hasAccessToken: true });
  await press(page, 'checkAfterReload');
  await expect(panel(page, 'checkAfterReload')).toBeVisible();
  await expect.poll(() => json(page, 'checkAfterReload')).toMatchObject({ kept: true });
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: words('log.read') })
      .first(),
  ).toBeVisible();
  expect(notes.some((note) => note.includes('accessToken'))).toBe(true);
  for (const note of notes) expect(note).not.toMatch(/Token \S{10}/);
  expect(await faults(page)).toEqual([]);
});

function press(page: Page, key: string): Promise<void> {
  return page.getByRole('button', { name: words(key), exact: true }).click();
}

function panel(page: Page, key: string): Locator {
  return page.getByRole('region', { name: words(key), exact: true });
}

async function json(page: Page, key: string): Promise<Record<string, unknown>> {
  return JSON.parse(await panel(page, key).locator('pre').innerText()) as Record<string, unknown>;
}
