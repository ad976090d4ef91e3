import { describe, expect, test } from 'vitest';
import { refreshEveryMs } from '../../../src/session/refresh-interval.ts';
import { refreshRetriesMs } from '../../../src/session/session.ts';
import { ok, refused, sessionStage, user } from './session-stage.ts';

describe('signing in', () => {
  test('P3.03 makes the user known and keeps both tokens', async () => {
    const stage = sessionStage();
    const accessToken = stage.token(3600);
    stage.answers.login = ok({ accessToken, refreshToken: 'r1', user });
    expect(await stage.session.login({ email: user.email, password: 'secret' })).toEqual({ ok: true, user });
    expect(stage.state).toMatchObject({ isLoggedIn: true, user });
    expect(Object.fromEntries(stage.storage)).toEqual({ accessToken, refreshToken: 'r1' });
  });

  test('P5.02 fails when no access token is stored afterwards', async () => {
    const stage = sessionStage();
    expect(await stage.session.login({ email: user.email, password: 'secret' })).toEqual({ ok: false, problem: { code: 'noToken' } });
    expect(stage.state.isLoggedIn).toBe(false);
  });

  test('P8.03 a refusal is shown by its meaning', async () => {
    const stage = sessionStage();
    stage.answers.login = refused(401);
    expect(await stage.session.login({ email: user.email, password: 'x' })).toEqual({ ok: false, problem: { code: 'invalidCredentials' } });
  });

  test('P3.03 the modal opens and closes', () => {
    const stage = sessionStage();
    stage.session.openLogin('signUp');
    expect(stage.state).toMatchObject({ showLoginModal: true, loginMode: 'signUp' });
    stage.session.closeLogin();
    expect(stage.state.showLoginModal).toBe(false);
  });
});

describe('restoring', () => {
  test('P4.01 without stored tokens no user is signed in, and no call is made', async () => {
    const stage = sessionStage();
    expect(await stage.session.restore()).toBe(false);
    expect(stage.state).toMatchObject({ isLoggedIn: false });
    expect(stage.calls).toEqual([]);
  });

  test('P4.02 a valid token loads the profile', async () => {
    const stage = sessionStage();
    stage.tokens.save({ accessToken: stage.token(60) });
    stage.answers.profile = ok({ ...user, isStaff: true, createdAt: '' });
    expect(await stage.session.restore()).toBe(true);
    expect(stage.state.user).toEqual(user);
    expect(stage.calls).toEqual(['profile']);
  });

  test('P4.02 a profile that cannot be loaded leads to a refresh, then to a basic user from the token', async () => {
    const stage = sessionStage();
    stage.tokens.save({ accessToken: stage.token(60), refreshToken: 'r1' });
    expect(await stage.session.restore()).toBe(true);
    expect(stage.calls).toEqual(['profile', 'refresh']);
    expect(stage.state.user).toEqual({ ...user, tokenValid: true });
  });

  test('P4.03 an expired token with a refresh token is exchanged, and the new one loads the profile', async () => {
    const stage = sessionStage();
    stage.tokens.save({ accessToken: stage.token(-60), refreshToken: 'r1' });
    const fresh = stage.token(3600);
    stage.answers.refresh = ok({ accessToken: fresh, refreshToken: 'r2' });
    stage.answers.profile = ok(user);
    expect(await stage.session.restore()).toBe(true);
    expect(Object.fromEntries(stage.storage)).toEqual({ accessToken: fresh, refreshToken: 'r2' });
  });

  test('P4.03 an expired token without a refresh token leads to login', async () => {
    const stage = sessionStage();
    stage.tokens.save({ accessToken: stage.token(-60) });
    expect(await stage.session.restore()).toBe(false);
    expect(stage.calls).toEqual([]);
  });

  test('P4.03 a refused refresh of an expired token leads to login and keeps the tokens', async () => {
    const stage = sessionStage();
    stage.tokens.save({ accessToken: stage.token(-60), refreshToken: 'r1' });
    expect(await stage.session.restore()).toBe(false);
    expect(stage.storage.get('refreshToken')).toBe('r1');
  });

  test('P4.01 the check at the start is left out where the guard has made it', async () => {
    const stage = sessionStage();
    stage.tokens.save({ accessToken: stage.token(60) });
    stage.answers.profile = ok(user);
    await stage.session.restore();
    await stage.session.start();
    expect(stage.calls).toEqual(['profile']);
  });

  test('P4.01 two callers share one check', async () => {
    const stage = sessionStage();
    stage.tokens.save({ accessToken: stage.token(60) });
    stage.answers.profile = ok(user);
    expect(await Promise.all([stage.session.restore(), stage.session.restore()])).toEqual([true, true]);
    expect(stage.calls).toEqual(['profile']);
  });
});

test('P4.06 a token that the server refuses is noted, and both tokens are kept', async () => {
  const stage = sessionStage();
  const accessToken = stage.token(60);
  stage.tokens.save({ accessToken, refreshToken: 'r1' });
  await stage.session.restore();
  expect(stage.notes).toContain('The profile could not be loaded');
  expect(Object.fromEntries(stage.storage)).toEqual({ accessToken, refreshToken: 'r1' });
});

describe('refreshing', () => {
  async function signedIn() {
    const stage = sessionStage();
    stage.answers.login = ok({ accessToken: stage.token(3600), refreshToken: 'r1', user });
    await stage.session.login({ email: user.email, password: 'secret' });
    stage.calls.length = 0;
    return stage;
  }

  test('P4.04 happens every 50 minutes', async () => {
    const stage = await signedIn();
    stage.answers.refresh = ok({ accessToken: stage.token(7200), refreshToken: 'r2' });
    await stage.pass(refreshEveryMs - 1);
    expect(stage.calls).toEqual([]);
    await stage.pass(1);
    expect(stage.calls).toEqual(['refresh']);
    await stage.pass(refreshEveryMs);
    expect(stage.calls).toEqual(['refresh', 'refresh']);
    expect(refreshEveryMs).toBe(50 * 60 * 1000);
  });

  test('P4.04 that fails stops the timer and keeps the user', async () => {
    const stage = await signedIn();
    await stage.pass(refreshEveryMs);
    await stage.pass(refreshEveryMs);
    expect(stage.calls).toEqual(['refresh']);
    expect(stage.state.isLoggedIn).toBe(true);
    expect(stage.timers.size).toBe(0);
  });

  test('R20.01 that failed is tried again on wake, and the timer restarts', async () => {
    const stage = await signedIn();
    await stage.pass(refreshEveryMs);
    stage.answers.refresh = ok({ accessToken: stage.token(7200) });
    await stage.session.wake();
    expect(stage.calls).toEqual(['refresh', 'refresh']);
    expect(stage.timers.size).toBe(1);
  });

  test('R20.01 that failed for a passing reason is tried again by itself, with growing pauses, until it is refused or works', async () => {
    const stage = await signedIn();
    stage.answers.refresh = { ok: false, failure: { kind: 'network' } };
    await stage.pass(refreshEveryMs);
    const [first, second] = refreshRetriesMs as [number, number];
    await stage.pass(first - 1);
    expect(stage.calls).toEqual(['refresh']);
    await stage.pass(1);
    stage.answers.refresh = refused(503);
    await stage.pass(second);
    expect(stage.calls).toEqual(['refresh', 'refresh', 'refresh']);
    for (let more = 0; more < 9; more += 1) await stage.pass(refreshRetriesMs.at(-1) as number);
    expect(stage.calls.length).toBe(12);
    expect(stage.timers.size).toBe(1);
    stage.answers.refresh = ok({ accessToken: stage.token(7200), refreshToken: 'r2' });
    await stage.pass(refreshRetriesMs.at(-1) as number);
    expect(stage.tokens.refreshToken()).toBe('r2');
    await stage.pass(refreshEveryMs - 1);
    expect(stage.calls.length).toBe(13);
    stage.answers.refresh = refused(401);
    await stage.pass(1);
    expect([stage.calls.length, stage.timers.size, stage.state.isLoggedIn]).toEqual([14, 0, true]);
    const notes = stage.notes.filter((note) => note.includes('refresh'));
    expect(new Set(notes.slice(0, -1))).toEqual(new Set(['The session could not be refreshed; a retry is scheduled']));
    expect(notes.at(-1)).toBe('The server refused to refresh the session; the tokens are kept');
  });

  test('R20.01 goes before a call whose token has passed', async () => {
    const stage = await signedIn();
    const fresh = stage.token(99_999);
    stage.answers.refresh = ok({ accessToken: fresh });
    stage.timers.clear();
    await stage.pass(3_600_001);
    expect(await stage.session.accessToken()).toBe(fresh);
    expect(stage.calls).toEqual(['refresh']);
  });

  test('R20.01 a tab that comes late takes the fresh token of the tab before it', async () => {
    const stage = await signedIn();
    const fresh = stage.token(9_000);
    const refreshed = stage.session.refreshNow();
    stage.storage.set('accessToken', fresh);
    expect(await refreshed).toBe(true);
    expect(stage.calls).toEqual([]);
    expect(stage.tokens.accessToken()).toBe(fresh);
  });
});

test('R20.01 a page that was opened without a network knows its user when it is back', async () => {
  const stage = sessionStage({ refreshToken: 'r1' });
  stage.answers.refresh = { ok: false, failure: { kind: 'network' } };
  await stage.session.start();
  expect(stage.state).toMatchObject({ isLoggedIn: false });
  stage.answers.refresh = ok({ accessToken: stage.token(3600), refreshToken: 'r2' });
  stage.answers.profile = ok(user);
  await stage.session.wake();
  expect(stage.state).toMatchObject({ isLoggedIn: true, user: { name: user.name } });
});

test('P4.03 R20.01 a reload without a network keeps the user of an expired token, who is looked up once the server answers', async () => {
  const stage = sessionStage();
  stage.storage.set('accessToken', stage.token(-60));
  stage.storage.set('refreshToken', 'r1');
  stage.answers.refresh = { ok: false, failure: { kind: 'network' } };
  await stage.session.start();
  expect(stage.state).toMatchObject({ isLoggedIn: true, user: { id: user.id, email: user.email }, isStaff: null });
  stage.answers.refresh = ok({ accessToken: stage.token(3600), refreshToken: 'r2' });
  stage.answers.profile = ok({ ...user, isStaff: true });
  await stage.pass(refreshRetriesMs[0] as number);
  expect(stage.tokens.refreshToken()).toBe('r2');
  expect(stage.state).toMatchObject({ isLoggedIn: true, isStaff: true });
  stage.answers.refresh = refused(401);
  stage.storage.set('accessToken', stage.token(-60));
  expect(await stage.session.restore()).toBe(false);
});

test('R20.01 a new sign-in during an exchange wins over its answer', async () => {
  const stage = sessionStage({ accessToken: 'old', refreshToken: 'r-old' });
  const { promise, resolve } = Promise.withResolvers<never>();
  stage.answers.refresh = promise;
  const refreshed = stage.session.refreshNow();
  await Promise.resolve();
  const accessToken = stage.token(3600, 'u2');
  stage.answers.login = ok({ accessToken, refreshToken: 'r-new', user: { ...user, id: 'u2' } });
  await stage.session.login({ email: user.email, password: 'secret' });
  resolve(ok({ accessToken: stage.token(7200), refreshToken: 'r-late' }) as never);
  await refreshed;
  expect(Object.fromEntries(stage.storage)).toEqual({ accessToken, refreshToken: 'r-new' });
});

test('R20.01 P4.04 of two tabs whose 50 minutes are over at once, one refreshes, and both have its token', async () => {
  const held: string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const locks = {
    request(name: string, work: () => Promise<unknown>) {
      held.push(name);
      last = last.then(work);
      return last;
    },
  } as unknown as LockManager;
  const storage = new Map<string, string>();
  const tabs = [sessionStage(storage, locks), sessionStage(storage, locks)] as const;
  const [first, second] = tabs;
  storage.set('accessToken', first.token(3600)).set('refreshToken', 'r1');
  for (const tab of tabs) {
    tab.answers.profile = ok(user);
    await tab.session.restore();
    tab.calls.length = 0;
  }
  const fresh = first.token(7200);
  for (const tab of tabs) tab.answers.refresh = ok({ accessToken: fresh, refreshToken: 'r2' });
  await Promise.all(tabs.map((tab) => tab.pass(refreshEveryMs)));
  expect([first.calls, second.calls]).toEqual([['refresh'], []]);
  expect(held).toEqual(['artel.refresh', 'artel.refresh']);
  expect(tabs.map((tab) => tab.tokens.accessToken())).toEqual([fresh, fresh]);
  expect(tabs.map((tab) => tab.timers.size)).toEqual([1, 1]);
});

describe('signing out', () => {
  async function signedIn() {
    const stage = sessionStage();
    stage.answers.login = ok({ accessToken: stage.token(3600), refreshToken: 'r1', user });
    await stage.session.login({ email: user.email, password: 'secret' });
    return stage;
  }

  test('P4.05 tells the server, then clears user, tokens and timer', async () => {
    const stage = await signedIn();
    await stage.session.logout();
    expect(stage.calls.at(-1)).toBe('logout');
    expect(stage.storage.size).toBe(0);
    expect(stage.state).toMatchObject({ isLoggedIn: false, user: null });
    await stage.pass(refreshEveryMs);
    expect(stage.calls).not.toContain('refresh');
  });

  test('P4.05 clears them also when the call fails or never answers', async () => {
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
    const stage = await signedIn();
    stage.storage.clear();
    await stage.session.followOtherTab();
    expect(stage.state.isLoggedIn).toBe(false);
  });

  test('R20.01 the refreshed token of another tab is taken, and another user’s is checked', async () => {
    const stage = await signedIn();
    stage.calls.length = 0;
    stage.storage.set('accessToken', stage.token(7_000));
    await stage.session.followOtherTab();
    expect(stage.calls).toEqual([]);
    stage.storage.set('accessToken', stage.token(7_000, 'u2'));
    stage.answers.profile = ok({ id: 'u2', email: 'b@example.com', name: 'Борис' });
    await stage.session.followOtherTab();
    expect(stage.state.user?.name).toBe('Борис');
  });
});

test('P3.01 the status check tells which tokens are stored', () => {
  const stage = sessionStage({ refreshToken: 'r1' });
  expect(stage.tokens.status()).toEqual({ hasAccessToken: false, hasRefreshToken: true });
});
