import { expect } from 'playwright/test';
import { test } from '../support/browser/browser-test.ts';
import { faults } from '../support/browser/faults.ts';
import { LandingSignIn, newPerson } from '../support/browser/landing-sign-in.ts';
import { translate, translator } from '../support/browser/translate.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';
import { callerOf } from '../support/call-api.ts';
import { lettersTo } from '../support/read-outbox.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { verificationToken } from '../support/verify-email.ts';

const words = translator('ru', 'account');
const auth = translator('ru', 'auth');
const chief = 'chief@example.com';

let server: TestServer;
test.beforeAll(async () => {
  server = await startServer({ env: { ARTEL_STAFF_EMAILS: chief } });
  await callerOf(server.url).ask('auth.register', { body: { name: 'First', email: 'first@example.com', password: 'a quiet long phrase' } });
});
test.afterAll(async () => {
  await server.stop();
});

test('R12.01 R13.01 the link of an email confirms the address, is sent again from the account window, and makes an address of the staff one', {
  tag: '@rest-nightly',
}, async ({ page, browser }) => {
  const person = { ...newPerson(), email: chief };
  const signIn = await new LandingSignIn(page, server.url).open();
  await signIn.openSignUp();
  await signIn.fillSignUp(person);
  await expect(page).toHaveURL(/\/test-project/);
  await new WorkspacePage(page).opened();
  const dialog = page.getByRole('dialog');
  const leads = page.getByRole('menuitem', { name: translate('ru', 'workspace', 'bar.leads') });
  const openAccount = async () => {
    await page.getByTestId('account-menu').click();
    await page.getByRole('menuitem', { name: translate('ru', 'workspace', 'bar.accountWindow') }).click();
  };

  await openAccount();
  // The server of the test has no mail server.
  await expect(dialog.getByText(words('email.noMail', { email: chief }))).toBeVisible();
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await dialog.getByRole('button', { name: words('words:makeNewLink') }).click();
  await expect(dialog.getByText(words('email.stored', { email: chief }))).toBeVisible();
  const [welcome] = await lettersTo(server.dataDir, chief, 2);
  expect(welcome?.text).toContain('/verify-email?token=');
  await page.keyboard.press('Escape');
  await page.getByTestId('account-menu').click();
  await expect(leads).toHaveCount(0);

  const link = `${server.url}/verify-email?token=${await verificationToken(server.dataDir, chief, 2)}`;
  const other = await (await browser.newContext()).newPage();
  await other.route('**/api/auth/verify-email', (route) => route.abort());
  await other.goto(link);
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(auth('verify.failedTitle'));
  await other.unroute('**/api/auth/verify-email');
  await other.getByRole('button', { name: auth('words:repeat'), exact: true }).click();
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(auth('verify.doneTitle'));
  await expect(other.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await faults(other)).toEqual([]);
  await other.reload();
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(auth('verify.spentTitle'));
  await other.getByRole('button', { name: auth('common:signIn') }).click();
  await expect(other.getByRole('dialog')).toBeVisible();
  await other.context().close();

  // A signed-in user sees that the address is verified, although the link was opened in another browser.
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(auth('verify.doneTitle'));
  await page.getByRole('link', { name: auth('verify.open') }).click();
  await new WorkspacePage(page).opened();
  await openAccount();
  await expect(dialog.getByText(words('email.verified'))).toBeVisible();
  await expect(dialog.getByText(words('staff'), { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByTestId('account-menu').click();
  await expect(leads).toBeVisible();
});
