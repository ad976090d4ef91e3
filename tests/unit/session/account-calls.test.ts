import { expect, test } from 'vitest';
import { callProblem } from '../../../src/app/workspace/account/call-problem.ts';
import { ok, refused, sessionStage, user } from './session-stage.ts';

const profile = { ...user, isStaff: true, createdAt: '2026-11-20T12:00:00.000Z', updatedAt: '2026-11-20T12:00:00.000Z' };

async function signedIn() {
  const stage = sessionStage();
  stage.answers.login = ok({ accessToken: stage.token(3600), refreshToken: 'r1', user });
  await stage.session.login({ email: user.email, password: 'secret' });
  stage.calls.length = 0;
  return stage;
}

test('P7.02 a signed-in user is staff once the profile says so, and no longer after signing out', async () => {
  const stage = await signedIn();
  expect(stage.state.isStaff).toBeNull();
  stage.answers.profile = ok(profile);
  expect(await stage.session.loadProfile()).toEqual(ok(profile));
  expect(stage.state.isStaff).toBe(true);
  await stage.session.logout();
  expect(stage.state.isStaff).toBeNull();
});

test('P7.02 after a change of the profile the page shows the new one', async () => {
  const stage = await signedIn();
  stage.answers.updateProfile = ok({ ...profile, name: 'Вера', isStaff: false });
  await stage.session.updateProfile({ name: 'Вера' });
  expect([stage.state.user, stage.state.isStaff]).toEqual([{ ...user, name: 'Вера' }, false]);
});

test('P7.02 a profile that arrives after signing out does not sign the user in again', async () => {
  const stage = await signedIn();
  stage.answers.profile = ok(profile);
  const asked = stage.session.loadProfile();
  await stage.session.logout();
  await asked;
  expect(stage.state).toMatchObject({ isLoggedIn: false, user: null });
});

test('P7.02 an expired token is exchanged before the password is changed', async () => {
  const stage = await signedIn();
  stage.now += 3_700_000;
  stage.answers.refresh = ok({ accessToken: stage.token(3600), refreshToken: 'r2' });
  stage.answers.changePassword = ok(undefined);
  expect(await stage.session.changePassword({ currentPassword: 'a', newPassword: 'b' })).toEqual(ok(undefined));
  expect(stage.calls).toEqual(['refresh', 'changePassword']);
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
  const stage = await signedIn();
  stage.answers.profile = { ok: false, failure: { kind: 'network' } };
  await stage.session.signOutIfRefused();
  expect([stage.state.isLoggedIn, stage.storage.size]).toEqual([true, 2]);
  stage.answers.profile = refused(401);
  await stage.session.signOutIfRefused();
  expect([stage.state.isLoggedIn, stage.storage.size]).toEqual([false, 0]);
});
