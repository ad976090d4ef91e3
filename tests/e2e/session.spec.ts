import { expect } from 'playwright/test';
import { setUpSharedServer, test } from '../support/browser/browser-test.ts';
import { faults } from '../support/browser/faults.ts';
import { LandingSignIn, newPerson } from '../support/browser/landing-sign-in.ts';
import { translator } from '../support/browser/translate.ts';
import { lettersTo } from '../support/read-outbox.ts';

const auth = translator('ru', 'auth');
const common = translator('ru', 'common');

const server = setUpSharedServer();

test('P2.04 P2.15 P2.16 P2.18 P5.02 P7.04 P8.01 P8.02 P8.03 refused access offers three ways on, and the sign-in window says what is wrong', async ({
  page,
}) => {
  const script = '**/assets/router-*.js';
  await page.route(script, (route) => route.abort());
  await page.goto(`${server.url}/forbidden?lang=ru`);
  await expect(page.getByRole('alert')).toHaveText(common('notLoaded.text'));
  await page.unroute(script);
  await page.getByRole('button', { name: common('notLoaded.again') }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(common('forbidden.title'));
  await expect(page.getByText(common('forbidden.text'))).toBeVisible();
  await expect(page.getByText(common('forbidden.absent'))).toBeVisible();
  const visited = await page.evaluate(() => history.length);
  await page.getByRole('button', { name: common('forbidden.restore') }).click();
  await expect(page).toHaveURL(/\/forbidden/);
  expect(await page.evaluate(() => history.length)).toBe(visited);
  await expect(page.getByRole('link', { name: common('forbidden.home') })).toHaveAttribute('href', '/');

  const signIn = new LandingSignIn(page, server.url);
  const open = () => page.getByRole('button', { name: common('forbidden.signIn') }).click();
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
  await signIn.dialog.getByRole('button', { name: auth('signIn.submit'), exact: true }).dblclick();
  await expect(signIn.dialog.getByRole('button', { name: auth('signIn.submit'), exact: true })).toBeVisible();
  await expect(signIn.dialog.getByText(auth('diagnostics.preflightFailed'))).toBeVisible();
  const loaded = page.waitForEvent('load');
  await signIn.dialog.getByRole('button', { name: auth('diagnostics.reload') }).click();
  await loaded;
});

test('P2.18 P7.02 a refused sign-up tells what is wrong now: the word about the password goes when the next try fails for the address', async ({
  page,
}) => {
  const person = newPerson();
  await page.request.post(`${server.url}/api/auth/register`, { data: person });
  const signIn = await (await new LandingSignIn(page, server.url).open()).openSignUp();
  const password = signIn.dialog.getByLabel(auth('password.label'), { exact: true });
  await signIn.fillSignUp({ ...person, password: 'password1234' });
  await expect(signIn.dialog.getByText(auth('error.passwordWeak')).first()).toBeVisible();
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await signIn.fillSignUp(person);
  await expect(signIn.dialog.getByText(auth('error.emailTaken')).first()).toBeVisible();
  await expect(signIn.dialog.getByText(auth('error.passwordWeak'))).toHaveCount(0);
  await expect(password).not.toHaveAttribute('aria-invalid', 'true');
});

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
  const field = page.getByLabel(auth('reset.label'), { exact: true });
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
