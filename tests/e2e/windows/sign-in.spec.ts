import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { faults } from '../../support/browser/faults.ts';
import { LandingSignIn, newPerson } from '../../support/browser/landing-sign-in.ts';
import { visitorAnswers } from '../../support/browser/played-api/new-account.ts';
import { Refused } from '../../support/browser/played-api/played-api.ts';
import { translator } from '../../support/browser/translate.ts';

const auth = translator('ru', 'auth');
const common = translator('ru', 'common');

test('P2.04 P2.15 P2.16 P2.18 P5.02 P7.04 P8.01 P8.02 P8.03 refused access offers three ways on, and the sign-in window says what is wrong', async ({
  page,
  playedApi,
}) => {
  playedApi.answer({
    ...visitorAnswers,
    'auth.login': () => {
      throw new Refused('invalid_credentials');
    },
  });
  const script = '**/assets/router-*.js';
  await page.route(script, (route) => route.abort());
  await page.goto(`${playedApi.url}/forbidden?lang=ru`);
  await expect(page.getByRole('alert')).toHaveText(common('notLoaded.text'));
  await page.unroute(script);
  await page.getByRole('button', { name: common('tryAgain') }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(common('forbidden.title'));
  await expect(page.getByText(common('forbidden.text'))).toBeVisible();
  await expect(page.getByText(common('forbidden.absent'))).toBeVisible();
  const visited = await page.evaluate(() => history.length);
  await page.getByRole('button', { name: common('forbidden.restore') }).click();
  await expect(page).toHaveURL(/\/forbidden/);
  expect(await page.evaluate(() => history.length)).toBe(visited);
  await expect(page.getByRole('link', { name: common('home') })).toHaveAttribute('href', '/');

  const signIn = new LandingSignIn(page, playedApi.url);
  const open = () => page.getByRole('button', { name: common('signIn') }).click();
  let bring = () => {};
  const brought = new Promise<void>((resolve) => (bring = resolve));
  await page.route('**/assets/login-modal-*.js', async (route) => {
    await brought;
    await route.continue();
  });
  await open();
  await expect(page.getByTestId('login-coming')).toHaveCSS('opacity', '1');
  bring();
  await expect(signIn.dialog.getByRole('heading', { name: auth('signIn.title') })).toBeVisible();
  await expect(page.getByTestId('login-coming')).toHaveCount(0);
  await expect(signIn.dialog.getByText(auth('signIn.hint'))).toBeVisible();
  await expect(signIn.dialog.getByLabel(auth('email.label'))).toHaveAttribute('type', 'email');
  await expect(signIn.dialog.getByLabel(auth('password.label'), { exact: true })).toHaveAttribute('type', 'password');
  await signIn.dialog.getByRole('button', { name: common('close') }).click();
  await expect(signIn.dialog).toHaveCount(0);
  await open();
  await page.mouse.click(5, 5);
  await expect(signIn.dialog).toHaveCount(0);

  await open();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/auth/login', async (route) => {
    await held;
    await route.continue();
  });
  await signIn.fillSignIn({ email: 'unknown@example.org', password: 'не тот пароль' });
  await expect(signIn.dialog.getByRole('button', { name: auth('signIn.busy') })).toBeVisible();
  release();
  await expect(signIn.problem).toContainText(auth('error.signInTitle'));
  await expect(signIn.problem).toContainText(auth('error.invalidCredentials'));
  for (const fact of ['browser', 'platform', 'network', 'time']) {
    await expect(signIn.dialog.getByRole('term').filter({ hasText: auth(`diagnostics.${fact}`) })).toBeVisible();
  }
  await expect(signIn.dialog.getByText(/Сервер отвечает, \d+ мс/)).toBeVisible();
  await expect(signIn.dialog.getByText(auth('diagnostics.preflight'))).toHaveCount(0);
  expect(await faults(page)).toEqual([]);
  // A press that sends nothing announces nothing again.
  const told = await signIn.problem.elementHandle();
  await signIn.fillSignIn({ email: '', password: 'не тот пароль' });
  await expect(signIn.dialog.getByLabel(auth('email.label'))).toBeFocused();
  expect(await told?.evaluate((box) => box.isConnected)).toBe(true);

  const answers = [
    [403, 'Доступ запрещен. Обратитесь к администратору.'],
    [500, 'Внутренняя ошибка сервера. Попробуйте позже.'],
    [200, 'Не получен токен доступа'],
    [418, 'Чай закончился'],
  ] as const;
  for (const [status, words] of answers) {
    await page.unroute('**/api/auth/login');
    await page.route('**/api/auth/login', (route) => route.fulfill({ status, json: { message: 'Чай закончился' } }));
    await signIn.fillSignIn({ email: 'unknown@example.org', password: 'не тот пароль' });
    await expect(signIn.problem).toContainText(words);
  }
  await page.unroute('**/api/auth/login');
  await page.route(/\/(api|health)\b/, (route) => route.abort());
  await signIn.fillSignIn({ email: 'unknown@example.org', password: 'не тот пароль' });
  await expect(signIn.problem.getByRole('listitem')).toHaveCount(4);
  await expect(signIn.dialog.getByText(auth('diagnostics.silent'))).toBeVisible();
  await expect(signIn.dialog.getByText(auth('diagnostics.preflightFailed'))).toBeVisible();
  // The window keeps its height under a double press; otherwise the second press would close it.
  await signIn.dialog.getByRole('button', { name: auth('common:signIn'), exact: true }).dblclick();
  await expect(signIn.dialog.getByRole('button', { name: auth('common:signIn'), exact: true })).toBeVisible();
  await expect(signIn.dialog.getByText(auth('diagnostics.preflightFailed'))).toBeVisible();
  const loaded = page.waitForEvent('load');
  await signIn.dialog.getByRole('button', { name: auth('diagnostics.reload') }).click();
  await loaded;
});

test('P2.18 P7.02 a refused sign-up tells what is wrong now: the word about the password goes when the next try fails for the address', async ({
  page,
  playedApi,
}) => {
  const person = newPerson();
  const refusals = ['password_weak', 'email_taken'] as const;
  let tries = 0;
  playedApi.answer({
    ...visitorAnswers,
    'auth.register': () => {
      tries += 1;
      throw new Refused(refusals[tries - 1] ?? 'internal');
    },
  });
  const signIn = await (await new LandingSignIn(page, playedApi.url).open()).openSignUp();
  const password = signIn.dialog.getByLabel(auth('password.label'), { exact: true });
  await signIn.fillSignUp({ ...person, password: 'password1234' });
  await expect(signIn.dialog.getByText(auth('error.passwordWeak')).first()).toBeVisible();
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await signIn.fillSignUp(person);
  await expect(signIn.dialog.getByText(auth('error.emailTaken')).first()).toBeVisible();
  await expect(signIn.dialog.getByText(auth('error.passwordWeak'))).toHaveCount(0);
  await expect(password).not.toHaveAttribute('aria-invalid', 'true');
});
