import { describe, expect, test } from 'vitest';
import { refreshEveryMs } from '../../../contract/refresh-interval.ts';
import { ok, refused, sessionDriver, user } from './session-driver.ts';

describe('signing in', () => {
  test('P3.03 signing in stores the user and both tokens', async () => {
    const driver = sessionDriver();
    const accessToken = driver.token(3600);
    driver.answers.login = ok({ accessToken, refreshToken: 'r1', user });
    expect(await driver.session.login({ email: user.email, password: 'secret' })).toEqual({ ok: true, user });
    expect(driver.state).toMatchObject({ isLoggedIn: true, user });
    expect(Object.fromEntries(driver.storage)).toEqual({ accessToken, refreshToken: 'r1' });
  });

  test('P5.02 signing in fails when no access token is stored afterwards', async () => {
    const driver = sessionDriver();
    expect(await driver.session.login({ email: user.email, password: 'secret' })).toEqual({ ok: false, problem: { code: 'noToken' } });
    expect(driver.state.isLoggedIn).toBe(false);
  });

  test('P8.03 a refusal is shown by its meaning', async () => {
    const driver = sessionDriver();
    driver.answers.login = refused(401);
    expect(await driver.session.login({ email: user.email, password: 'x' })).toEqual({
      ok: false,
      problem: { code: 'invalidCredentials' },
    });
  });

  test('P3.03 the modal opens and closes', () => {
    const driver = sessionDriver();
    driver.session.openLogin('signUp');
    expect(driver.state).toMatchObject({ showLoginModal: true, loginMode: 'signUp' });
    driver.session.closeLogin();
    expect(driver.state.showLoginModal).toBe(false);
  });
});

describe('restoring', () => {
  test('P4.01 without stored tokens no user is signed in, and no call is made', async () => {
    const driver = sessionDriver();
    expect(await driver.session.restore()).toBe(false);
    expect(driver.state).toMatchObject({ isLoggedIn: false });
    expect(driver.calls).toEqual([]);
  });

  test('P4.02 a valid token loads the profile', async () => {
    const driver = sessionDriver();
    driver.tokens.save({ accessToken: driver.token(60) });
    driver.answers.profile = ok({ ...user, isStaff: true, createdAt: '' });
    expect(await driver.session.restore()).toBe(true);
    expect(driver.state.user).toEqual(user);
    expect(driver.calls).toEqual(['profile']);
  });

  test('P4.02 a profile that cannot be loaded leads to a refresh, then to a basic user from the token', async () => {
    const driver = sessionDriver();
    driver.tokens.save({ accessToken: driver.token(60), refreshToken: 'r1' });
    expect(await driver.session.restore()).toBe(true);
    expect(driver.calls).toEqual(['profile', 'refresh']);
    expect(driver.state.user).toEqual({ ...user, tokenValid: true });
  });

  test('P4.03 an expired token with a refresh token is exchanged, and the new one loads the profile', async () => {
    const driver = sessionDriver();
    driver.tokens.save({ accessToken: driver.token(-60), refreshToken: 'r1' });
    const fresh = driver.token(3600);
    driver.answers.refresh = ok({ accessToken: fresh, refreshToken: 'r2' });
    driver.answers.profile = ok(user);
    expect(await driver.session.restore()).toBe(true);
    expect(Object.fromEntries(driver.storage)).toEqual({ accessToken: fresh, refreshToken: 'r2' });
  });

  test('P4.03 an expired token without a refresh token leads to login', async () => {
    const driver = sessionDriver();
    driver.tokens.save({ accessToken: driver.token(-60) });
    expect(await driver.session.restore()).toBe(false);
    expect(driver.calls).toEqual([]);
  });

  test('P4.03 a refused refresh of an expired token leads to login and keeps the tokens', async () => {
    const driver = sessionDriver();
    driver.tokens.save({ accessToken: driver.token(-60), refreshToken: 'r1' });
    expect(await driver.session.restore()).toBe(false);
    expect(driver.storage.get('refreshToken')).toBe('r1');
  });

  test('P4.01 the check at the start is left out where the guard has made it', async () => {
    const driver = sessionDriver();
    driver.tokens.save({ accessToken: driver.token(60) });
    driver.answers.profile = ok(user);
    await driver.session.restore();
    await driver.session.start();
    expect(driver.calls).toEqual(['profile']);
  });

  test('P4.01 two callers share one check', async () => {
    const driver = sessionDriver();
    driver.tokens.save({ accessToken: driver.token(60) });
    driver.answers.profile = ok(user);
    expect(await Promise.all([driver.session.restore(), driver.session.restore()])).toEqual([true, true]);
    expect(driver.calls).toEqual(['profile']);
  });
});

test('P4.06 a token that the server refuses is noted, and both tokens are kept', async () => {
  const driver = sessionDriver();
  const accessToken = driver.token(60);
  driver.tokens.save({ accessToken, refreshToken: 'r1' });
  await driver.session.restore();
  expect(driver.notes).toContain('The profile could not be loaded');
  expect(Object.fromEntries(driver.storage)).toEqual({ accessToken, refreshToken: 'r1' });
});

describe('signing out', () => {
  async function signedIn() {
    const driver = sessionDriver();
    driver.answers.login = ok({ accessToken: driver.token(3600), refreshToken: 'r1', user });
    await driver.session.login({ email: user.email, password: 'secret' });
    return driver;
  }

  test('P4.05 signing out tells the server, then clears user, tokens and timer', async () => {
    const driver = await signedIn();
    await driver.session.logout();
    expect(driver.calls.at(-1)).toBe('logout');
    expect(driver.storage.size).toBe(0);
    expect(driver.state).toMatchObject({ isLoggedIn: false, user: null });
    await driver.pass(refreshEveryMs);
    expect(driver.calls).not.toContain('refresh');
  });

  test('P4.05 signing out clears user, tokens and timer also when the call fails or gets no answer', async () => {
    const failing = await signedIn();
    failing.answers.logout = refused(500);
    await failing.session.logout();
    expect(failing.storage.size).toBe(0);

    const silent = await signedIn();
    silent.answers.logout = new Promise<never>(() => undefined);
    const leaving = silent.session.logout();
    await silent.pass(5_000);
    await leaving;
    expect([silent.storage.size, silent.state.isLoggedIn]).toEqual([0, false]);
  });

  test('P4.05 in another tab signs this one out too', async () => {
    const driver = await signedIn();
    driver.storage.clear();
    await driver.session.followOtherTab();
    expect(driver.state.isLoggedIn).toBe(false);
  });

  test('R20.01 the refreshed token of another tab is taken, and another user’s is checked', async () => {
    const driver = await signedIn();
    driver.calls.length = 0;
    driver.storage.set('accessToken', driver.token(7_000));
    await driver.session.followOtherTab();
    expect(driver.calls).toEqual([]);
    driver.storage.set('accessToken', driver.token(7_000, 'u2'));
    driver.answers.profile = ok({ id: 'u2', email: 'b@example.com', name: 'Борис' });
    await driver.session.followOtherTab();
    expect(driver.state.user?.name).toBe('Борис');
  });
});

test('P3.01 the status check tells which tokens are stored', () => {
  const driver = sessionDriver({ refreshToken: 'r1' });
  expect(driver.tokens.status()).toEqual({ hasAccessToken: false, hasRefreshToken: true });
});
