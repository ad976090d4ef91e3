import { readFile } from 'node:fs/promises';
import { expect } from 'playwright/test';
import { setUpSharedServer, test } from '../support/browser/browser-test.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { faults } from '../support/browser/faults.ts';
import { LandingSignIn, newPerson } from '../support/browser/landing-sign-in.ts';
import { translator } from '../support/browser/translate.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';
import { unzip } from '../support/unzip.ts';

const words = translator('ru', 'account');
const ofAuth = translator('ru', 'auth');
const ofWorkspace = translator('ru', 'workspace');

const server = setUpSharedServer();

test('R12.01 P7.02 P4.05 name, email and password are changed in the account window, and signing out leaves no data behind', {
  tag: '@rest',
}, async ({ page, context }) => {
  const person = newPerson();
  const signIn = await new LandingSignIn(page, server.url).open();
  await signIn.openSignUp();
  await signIn.fillSignUp({ ...person, name: 'а'.repeat(121), password: 'абвгабвгабвг' });
  await expect(signIn.dialog.getByLabel(ofAuth('words:givenName'), { exact: true })).toHaveValue('а'.repeat(120));
  await expect(signIn.problem).toContainText(ofAuth('error.passwordWeak'));
  await expect(signIn.dialog.getByLabel(ofAuth('password.label'), { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await signIn.fillSignUp(person);
  await expect(page).toHaveURL(/\/test-project/);
  const workspace = await new WorkspacePage(page).opened();
  const dialog = page.getByRole('dialog');
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  const problems = dialog.getByRole('alert').filter({ visible: true });
  const openAccount = async () => {
    await page.getByTestId('account-menu').click();
    await page.getByRole('menuitem', { name: ofWorkspace('bar.accountWindow') }).click();
  };

  await openAccount();
  await expect(dialog.getByRole('button', { name: words('profile.save') })).toBeDisabled();
  const email = `new-${person.email}`;
  await field(ofAuth('words:givenName')).fill('Вера Соколова');
  await field(ofAuth('email.label')).fill(email);
  await press(words('profile.save'));
  await expect(problems).toHaveText(words('profile.currentPasswordRequired'));
  await expect(field(words('words:currentPassword'))).toBeFocused();
  await field(words('words:currentPassword')).fill('не тот пароль');
  await press(words('profile.save'));
  await expect(problems).toHaveText('Чтобы сменить email, введите текущий пароль.');
  await expect(field(words('words:currentPassword'))).toBeFocused();
  await field(words('words:currentPassword')).fill(person.password);
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await press(words('profile.save'));
  await expect(dialog.getByRole('status').filter({ hasText: words('profile.saved') })).toBeVisible();
  await expect(page.getByTestId('account-menu')).toContainText('ВС');

  await dialog.getByRole('tab', { name: words('tabs.password') }).click();
  const change = async (current: string, next: string) => {
    await field(words('words:currentPassword')).fill(current);
    await field(words('words:newPassword')).fill(next);
    await press(words('password.change'));
  };
  await change(person.password, 'коротко');
  await expect(problems).toHaveText('Пароль слишком короткий: нужно хотя бы 10 символов.');
  await change(person.password, email);
  await expect(problems).toHaveText(words('password.isEmail'));
  await change(person.password, 'абвгабвгабвг');
  await expect(problems).toHaveText('Этот пароль слишком распространён.');
  await expect(field(words('words:newPassword'))).toBeFocused();
  await change('не тот пароль', 'тише едешь дальше будешь');
  await expect(problems).toHaveText('Это не ваш текущий пароль.');
  await expect(field(words('words:currentPassword'))).toBeFocused();
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await change(person.password, 'тише едешь дальше будешь');
  await expect(dialog.getByRole('status').filter({ hasText: words('password.changed') })).toBeVisible();
  await dialog.getByRole('tab', { name: words('tabs.settings') }).click();
  await dialog.getByRole('radio', { name: words('settings.dark') }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await page.keyboard.press('Escape');

  await context.setOffline(true);
  await workspace.removeCard('Тестировщик');
  await expect(page.getByTestId('save-status')).toHaveAttribute('data-status', 'offline');
  await page.getByTestId('account-menu').click();
  await page.getByRole('menuitem', { name: ofWorkspace('bar.signOut') }).click();
  await expect(dialog).toContainText(words('leave.text'));
  await page.keyboard.press('Escape');
  await context.setOffline(false);
  await workspace.saved();
  await page.getByTestId('account-menu').click();
  await page.getByRole('menuitem', { name: ofWorkspace('bar.signOut') }).click();
  await expect(page).toHaveURL(/\/(\?.*)?$/);
  expect(await page.evaluate(() => [localStorage.getItem('accessToken'), localStorage.getItem('refreshToken')])).toEqual([null, null]);
  await signIn.openSignIn();
  await signIn.fillSignIn({ email, password: person.password });
  await expect(signIn.problem).toContainText(ofAuth('error.invalidCredentials'));
  await signIn.fillSignIn({ email, password: 'тише едешь дальше будешь' });
  await workspace.opened();
  await expect(workspace.card('Тестировщик')).toHaveCount(0);
  await expect(page.getByTestId('account-menu')).toContainText('ВС');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByTestId('mobile-menu').click();
  await page.getByRole('menuitem', { name: ofWorkspace('bar.accountWindow') }).click();
  await expect(dialog.getByRole('button', { name: words('profile.save') })).toBeInViewport({ ratio: 1 });
});

test('G8.06 G8.07 everything is exported from the account window, the account is deleted with the password, and taken back by signing in', {
  tag: '@rest',
}, async ({ page }) => {
  const ofData = translator('ru', 'account-data');
  const person = await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.saved();
  const dialog = page.getByRole('dialog');
  await page.getByTestId('account-menu').click();
  await page.getByRole('menuitem', { name: ofWorkspace('bar.accountWindow') }).click();
  await dialog.getByRole('tab', { name: words('tabs.data') }).click();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: ofData('export.action') }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/^artel-\d{4}-\d\d-\d\d\.zip$/);
  expect((await unzip(await readFile(await saved.path()))).get('README.txt')?.toString()).toContain('Ваш аккаунт в Артели');
  await expect(dialog.getByRole('status').filter({ hasText: ofData('export.started') })).toBeVisible();

  await dialog.getByRole('button', { name: ofData('delete.title') }).click();
  const password = dialog.getByLabel(ofData('words:currentPassword'), { exact: true });
  await expect(password).toBeFocused();
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText(ofData('words:currentPasswordRequired'));
  await password.fill('не тот пароль');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Это не ваш текущий пароль.');
  await password.fill(person.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: ofData('leaving.title') })).toBeVisible();
  expect(await faults(page, 'main')).toEqual([]);
  await page.getByRole('button', { name: ofData('words:signOut') }).click();
  await expect(page).toHaveURL(/\/(\?.*)?$/);

  await (await new LandingSignIn(page, server.url).open()).openSignIn();
  await new LandingSignIn(page, server.url).fillSignIn(person);
  await page.getByRole('button', { name: ofData('leaving.keep') }).click();
  await workspace.opened();
  await expect(workspace.cards()).not.toHaveCount(0);
});
