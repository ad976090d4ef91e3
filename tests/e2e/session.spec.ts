import { expect } from 'playwright/test';
import { setUpSharedServer, test } from '../support/browser/browser-test.ts';
import { faults } from '../support/browser/faults.ts';
import { LandingSignIn, newPerson } from '../support/browser/landing-sign-in.ts';
import { translator } from '../support/browser/translate.ts';
import { lettersTo } from '../support/read-outbox.ts';

const auth = translator('ru', 'auth');
const common = translator('ru', 'common');

const server = setUpSharedServer();

test('R12.01 P2.17 P2.18 P3.01 P4.01 P4.02 P4.03 P5.01 P6.01 a forgotten password is reset by the link of an email, and signing in with the new one opens the workspace', async ({
  page,
}) => {
  const person = newPerson();
  const registered = await page.request.post(`${server.url}/api/auth/register`, { data: person });
  expect(registered.status()).toBe(201);
  const signIn = await (await new LandingSignIn(page, server.url).open()).openSignIn();
  await signIn.dialog.getByLabel(auth('email.label')).fill(person.email);
  await signIn.dialog.getByRole('button', { name: auth('forgot.link') }).click();
  await expect(signIn.dialog.getByLabel(auth('email.label'))).toHaveValue(person.email);
  await signIn.dialog.getByRole('button', { name: auth('forgot.submit') }).click();
  await expect(signIn.dialog.getByRole('status')).toContainText(auth('forgot.sentText', { email: person.email }));
  expect(await faults(page)).toEqual([]);
  const told = await signIn.dialog.getByRole('status').getByRole('heading').elementHandle();
  await signIn.dialog.getByLabel(auth('email.label')).fill('anna');
  await signIn.dialog.getByRole('button', { name: auth('forgot.again') }).click();
  await expect(signIn.dialog.getByLabel(auth('email.label'))).toBeFocused();
  expect(await told?.evaluate((title) => title.isConnected)).toBe(true);
  const letter = (await lettersTo(server.dataDir, person.email, 2)).at(-1);
  // The email names the server by another of its host names.
  const link = `${server.url}${/\/reset-password\?token=\S+/.exec(letter?.text ?? '')?.[0]}`;

  await page.goto(link);
  const field = page.getByLabel(auth('words:newPassword'), { exact: true });
  const save = page.getByRole('button', { name: auth('reset.submit') });
  await field.fill('абвгабвгабвг');
  await save.click();
  await expect(page.getByRole('alert').filter({ visible: true })).toHaveText('Этот пароль слишком распространён.');
  expect(await faults(page)).toEqual([]);
  await field.fill('тише едешь дальше будешь');
  await save.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(auth('reset.doneTitle'));
  await page.goto(link);
  await field.fill('ещё один длинный пароль');
  await save.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(auth('reset.spentTitle'));
  await page.getByRole('button', { name: auth('reset.request') }).click();
  await expect(signIn.dialog.getByRole('heading', { name: auth('forgot.title') })).toBeVisible();
  await signIn.dialog.getByRole('button', { name: auth('forgot.toSignIn') }).click();
  await signIn.fillSignIn({ email: person.email, password: 'тише едешь дальше будешь' });
  await expect(page).toHaveURL(/\/test-project/);

  await page.goto(`${server.url}/forbidden`);
  await expect(page).toHaveURL(`${server.url}/`);

  // An invalid access token is exchanged, and every call carries the new one.
  await page.evaluate(() => localStorage.setItem('accessToken', 'none'));
  const exchanged = page.waitForRequest('**/api/auth/refresh');
  const profile = page.waitForRequest('**/api/auth/profile');
  await page.goto(`${server.url}/test-project`);
  await exchanged;
  const bearer = await (await profile).headerValue('authorization');
  expect(bearer).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
  expect(await page.evaluate(() => `Bearer ${localStorage.getItem('accessToken')}`)).toBe(bearer);
  await expect(page).toHaveURL(`${server.url}/test-project`);

  // A user without access to their own account sees the page "forbidden" in every tab, and stays on it.
  const forbidden = { status: 403, json: { message: 'Forbidden', code: 'forbidden', requestId: 'r' } };
  await page.context().route('**/api/auth/profile', (route) => route.fulfill(forbidden));
  await page.goto(server.url);
  await expect(page).toHaveURL(`${server.url}/forbidden`);
  const other = await page.context().newPage();
  await other.goto(server.url);
  await expect(other).toHaveURL(`${server.url}/forbidden`);
  const asked = other.waitForResponse('**/api/auth/profile');
  await other.reload();
  await asked;
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(common('forbidden.title'));
  await expect(other).toHaveURL(`${server.url}/forbidden`);
  await expect(page).toHaveURL(`${server.url}/forbidden`);
});
