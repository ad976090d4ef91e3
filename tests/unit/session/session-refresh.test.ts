import { describe, expect, test } from 'vitest';
import { refreshEveryMs } from '../../../contract/refresh-interval.ts';
import { refreshRetriesMs } from '../../../src/session/refresh-schedule.ts';
import { ok, refused, sessionDriver, user } from './session-driver.ts';

describe('refreshing', () => {
  async function signedIn() {
    const driver = sessionDriver();
    driver.answers.login = ok({ accessToken: driver.token(3600), refreshToken: 'r1', user });
    await driver.session.login({ email: user.email, password: 'secret' });
    driver.calls.length = 0;
    return driver;
  }

  test('P4.04 a session is refreshed every 50 minutes', async () => {
    const driver = await signedIn();
    driver.answers.refresh = ok({ accessToken: driver.token(7200), refreshToken: 'r2' });
    await driver.pass(refreshEveryMs - 1);
    expect(driver.calls).toEqual([]);
    await driver.pass(1);
    expect(driver.calls).toEqual(['refresh']);
    await driver.pass(refreshEveryMs);
    expect(driver.calls).toEqual(['refresh', 'refresh']);
    expect(refreshEveryMs).toBe(50 * 60 * 1000);
  });

  test('P4.04 a refused refresh stops the timer and keeps the user', async () => {
    const driver = await signedIn();
    await driver.pass(refreshEveryMs);
    await driver.pass(refreshEveryMs);
    expect(driver.calls).toEqual(['refresh']);
    expect(driver.state.isLoggedIn).toBe(true);
    expect(driver.timers.size).toBe(0);
  });

  test('R20.01 a failed refresh is tried again on wake, and the timer restarts', async () => {
    const driver = await signedIn();
    await driver.pass(refreshEveryMs);
    driver.answers.refresh = ok({ accessToken: driver.token(7200) });
    await driver.session.wake();
    expect(driver.calls).toEqual(['refresh', 'refresh']);
    expect(driver.timers.size).toBe(1);
  });

  test('R20.01 a refresh after a transient failure is retried automatically, with growing pauses, until it is refused or succeeds', async () => {
    const driver = await signedIn();
    driver.answers.refresh = { ok: false, failure: { kind: 'network' } };
    await driver.pass(refreshEveryMs);
    const [first, second] = refreshRetriesMs as [number, number];
    await driver.pass(first - 1);
    expect(driver.calls).toEqual(['refresh']);
    await driver.pass(1);
    driver.answers.refresh = refused(503);
    await driver.pass(second);
    expect(driver.calls).toEqual(['refresh', 'refresh', 'refresh']);
    for (let more = 0; more < 9; more += 1) await driver.pass(refreshRetriesMs.at(-1) as number);
    expect(driver.calls.length).toBe(12);
    expect(driver.timers.size).toBe(1);
    driver.answers.refresh = ok({ accessToken: driver.token(7200), refreshToken: 'r2' });
    await driver.pass(refreshRetriesMs.at(-1) as number);
    expect(driver.tokens.refreshToken()).toBe('r2');
    await driver.pass(refreshEveryMs - 1);
    expect(driver.calls.length).toBe(13);
    driver.answers.refresh = refused(401);
    await driver.pass(1);
    expect([driver.calls.length, driver.timers.size, driver.state.isLoggedIn]).toEqual([14, 0, true]);
    const notes = driver.notes.filter((note) => note.includes('refresh'));
    expect(new Set(notes.slice(0, -1))).toEqual(new Set(['The session could not be refreshed; a retry is scheduled']));
    expect(notes.at(-1)).toBe('The server refused to refresh the session; the tokens are kept');
  });

  test('R20.01 a refresh goes before a call whose token has expired', async () => {
    const driver = await signedIn();
    const fresh = driver.token(99_999);
    driver.answers.refresh = ok({ accessToken: fresh });
    driver.timers.clear();
    await driver.pass(3_600_001);
    expect(await driver.session.accessToken()).toBe(fresh);
    expect(driver.calls).toEqual(['refresh']);
  });

  test('R20.01 a tab that comes late takes the fresh token of the tab before it', async () => {
    const driver = await signedIn();
    const fresh = driver.token(9_000);
    const refreshed = driver.session.refreshNow();
    driver.storage.set('accessToken', fresh);
    expect(await refreshed).toBe(true);
    expect(driver.calls).toEqual([]);
    expect(driver.tokens.accessToken()).toBe(fresh);
  });
});

test('R20.01 a page that was opened without a network knows its user when it is back', async () => {
  const driver = sessionDriver({ refreshToken: 'r1' });
  driver.answers.refresh = { ok: false, failure: { kind: 'network' } };
  await driver.session.start();
  expect(driver.state).toMatchObject({ isLoggedIn: false });
  driver.answers.refresh = ok({ accessToken: driver.token(3600), refreshToken: 'r2' });
  driver.answers.profile = ok(user);
  await driver.session.wake();
  expect(driver.state).toMatchObject({ isLoggedIn: true, user: { name: user.name } });
});

test('P4.03 R20.01 a reload without a network keeps the user of an expired token, who is looked up once the server answers', async () => {
  const driver = sessionDriver();
  driver.storage.set('accessToken', driver.token(-60));
  driver.storage.set('refreshToken', 'r1');
  driver.answers.refresh = { ok: false, failure: { kind: 'network' } };
  await driver.session.start();
  expect(driver.state).toMatchObject({ isLoggedIn: true, user: { id: user.id, email: user.email }, isStaff: null });
  driver.answers.refresh = ok({ accessToken: driver.token(3600), refreshToken: 'r2' });
  driver.answers.profile = ok({ ...user, isStaff: true });
  await driver.pass(refreshRetriesMs[0] as number);
  expect(driver.tokens.refreshToken()).toBe('r2');
  expect(driver.state).toMatchObject({ isLoggedIn: true, isStaff: true });
  driver.answers.refresh = refused(401);
  driver.storage.set('accessToken', driver.token(-60));
  expect(await driver.session.restore()).toBe(false);
});

test('R20.01 a new sign-in during an exchange wins over its answer', async () => {
  const driver = sessionDriver({ accessToken: 'old', refreshToken: 'r-old' });
  const { promise, resolve } = Promise.withResolvers<never>();
  driver.answers.refresh = promise;
  const refreshed = driver.session.refreshNow();
  await Promise.resolve();
  const accessToken = driver.token(3600, 'u2');
  driver.answers.login = ok({ accessToken, refreshToken: 'r-new', user: { ...user, id: 'u2' } });
  await driver.session.login({ email: user.email, password: 'secret' });
  resolve(ok({ accessToken: driver.token(7200), refreshToken: 'r-late' }) as never);
  await refreshed;
  expect(Object.fromEntries(driver.storage)).toEqual({ accessToken, refreshToken: 'r-new' });
});

test('R20.01 P4.04 when the 50 minutes of two tabs end at once, one tab refreshes, and both tabs have the new token', async () => {
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
  const tabs = [sessionDriver(storage, locks), sessionDriver(storage, locks)] as const;
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
