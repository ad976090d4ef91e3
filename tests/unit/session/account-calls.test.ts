import { expect, test } from 'vitest';
import { callProblem } from '../../../src/app/workspace/account/call-problem.ts';
import { ok, refused, sessionDriver, user } from './session-driver.ts';

const profile = { ...user, isStaff: true, createdAt: '2026-11-20T12:00:00.000Z', updatedAt: '2026-11-20T12:00:00.000Z' };

async function signedIn() {
  const driver = sessionDriver();
  driver.answers.login = ok({ accessToken: driver.token(3600), refreshToken: 'r1', user });
  await driver.session.login({ email: user.email, password: 'secret' });
  driver.calls.length = 0;
  return driver;
}

test('P7.02 a signed-in user is staff once the profile says so, and no longer after signing out', async () => {
  const driver = await signedIn();
  expect(driver.state.isStaff).toBeNull();
  driver.answers.profile = ok(profile);
  expect(await driver.session.loadProfile()).toEqual(ok(profile));
  expect(driver.state.isStaff).toBe(true);
  await driver.session.logout();
  expect(driver.state.isStaff).toBeNull();
});

test('P7.02 after a change of the profile the page shows the new profile', async () => {
  const driver = await signedIn();
  driver.answers.updateProfile = ok({ ...profile, name: 'Вера', isStaff: false });
  await driver.session.updateProfile({ name: 'Вера' });
  expect([driver.state.user, driver.state.isStaff]).toEqual([{ ...user, name: 'Вера' }, false]);
});

test('P7.02 a profile that arrives after signing out does not sign the user in again', async () => {
  const driver = await signedIn();
  driver.answers.profile = ok(profile);
  const asked = driver.session.loadProfile();
  await driver.session.logout();
  await asked;
  expect(driver.state).toMatchObject({ isLoggedIn: false, user: null });
});

test('P7.02 an expired token is exchanged before the password is changed', async () => {
  const driver = await signedIn();
  driver.now += 3_700_000;
  driver.answers.refresh = ok({ accessToken: driver.token(3600), refreshToken: 'r2' });
  driver.answers.changePassword = ok(undefined);
  expect(await driver.session.changePassword({ currentPassword: 'a', newPassword: 'b' })).toEqual(ok(undefined));
  expect(driver.calls).toEqual(['refresh', 'changePassword']);
});

test('G8.07 the page knows that an account is being deleted from the deletion, a sign-in or its profile, until it is taken back', async () => {
  const deletionDueAt = '2027-01-16T09:00:00.000Z';
  const driver = await signedIn();
  expect(driver.state.deletionDueAt).toBeNull();
  await driver.session.deleteAccount({ currentPassword: 'wrong' });
  expect(driver.state.deletionDueAt).toBeNull();
  driver.answers.deleteAccount = ok({ deletionDueAt });
  await driver.session.deleteAccount({ currentPassword: 'right' });
  expect(driver.state.deletionDueAt).toBe(deletionDueAt);
  await driver.session.logout();
  expect(driver.state.deletionDueAt).toBeNull();

  driver.answers.login = ok({ accessToken: driver.token(3600), refreshToken: 'r1', user: { ...user, deletionDueAt } });
  await driver.session.login({ email: user.email, password: 'secret' });
  expect(driver.state.deletionDueAt).toBe(deletionDueAt);
  await driver.session.takeBackAccount();
  expect(driver.state.deletionDueAt).toBe(deletionDueAt);
  driver.answers.takeBackAccount = ok(undefined);
  await driver.session.takeBackAccount();
  expect(driver.state.deletionDueAt).toBeNull();
  driver.answers.profile = ok({ ...profile, deletionDueAt });
  await driver.session.loadProfile();
  expect(driver.state.deletionDueAt).toBe(deletionDueAt);
});

test('P7.02 a refusal is shown below its field where it has one, else for the whole form', () => {
  const fields = [{ path: 'newPassword', message: 'Too common' }];
  expect(callProblem({ kind: 'refused', status: 422, code: 'password_weak', message: 'x', fields })).toMatchObject({
    kind: 'field',
    path: 'newPassword',
    message: 'Too common',
  });
  expect(callProblem({ kind: 'refused', status: 409, code: 'email_taken', message: 'Taken' })).toMatchObject({
    kind: 'field',
    path: 'email',
  });
  expect(callProblem({ kind: 'refused', status: 429, code: 'too_many_requests', message: 'x' })).toMatchObject({
    code: 'too_many_requests',
  });
  expect(callProblem({ kind: 'refused', status: 502, code: 'http', message: 'Bad gateway' })).toMatchObject({ code: 'api.message' });
  expect(callProblem({ kind: 'network' })).toMatchObject({ kind: 'whole', code: 'network' });
});

test('P7.02 R12.01 a password reset by an email signs out a browser whose session ended with it, and no other', async () => {
  const driver = await signedIn();
  driver.answers.profile = { ok: false, failure: { kind: 'network' } };
  await driver.session.signOutIfRefused();
  expect([driver.state.isLoggedIn, driver.storage.size]).toEqual([true, 2]);
  driver.answers.profile = refused(401);
  await driver.session.signOutIfRefused();
  expect([driver.state.isLoggedIn, driver.storage.size]).toEqual([false, 0]);
});
