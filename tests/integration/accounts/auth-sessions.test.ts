import { beforeEach, expect, test } from 'vitest';
import type { ApiError } from '../../../server/http/api-error.ts';
import { type AuthDependencies, AuthService, makePasswordHashing } from '../../../server/modules/auth/index.ts';
import { secretKeyFrom } from '../../../server/platform/secrets/secret-key.ts';
import { setUpDatabase } from '../../support/set-up/for-vitest.ts';

const database = setUpDatabase();
let clock: number;
let ended: string[];
let count = 0;

beforeEach(() => {
  clock = Date.parse('2026-11-20T12:00:00Z');
  ended = [];
});

/** A mailer whose emails are discarded. */
const unread: Pick<
  AuthDependencies,
  'mailer' | 'address' | 'onMailFailed' | 'places' | 'isAlone' | 'countPasswordAttempt' | 'countVerification'
> = {
  mailer: { send: async () => {} },
  address: () => '',
  onMailFailed: () => {},
  places: { placeOf: (address) => address },
  countPasswordAttempt: async () => ({ wasRight: async () => {} }),
  countVerification: async () => {},
  isAlone: false,
};

async function authWith(rules: Partial<AuthDependencies['rules']> = {}, mailer = unread.mailer): Promise<AuthService> {
  return new AuthService({
    db: database.db,
    secret: secretKeyFrom('a secret that is only for these tests'),
    passwords: await makePasswordHashing(),
    rules: { registration: 'open', staffEmails: [], firstAccountIsStaff: false, ...rules },
    seed: async () => {},
    onSessionEnded: (sessionId) => ended.push(sessionId),
    ...unread,
    mailer,
    now: () => clock,
  });
}

const someone = () => ({ email: `someone-${++count}@example.com`, password: 'a quiet long phrase', name: 'Someone' });
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no failure',
    (fault: ApiError) => fault.code,
  );

test('R20.01 the same request repeated within a minute gets the same answer, though its token was used meanwhile', async () => {
  const auth = await authWith();
  const { refreshToken: first } = await auth.register(someone(), 'ru');
  const { refreshToken: second = '' } = await auth.sessions.refresh(first);
  clock += 30_000;
  expect((await auth.sessions.refresh(first)).refreshToken).toBe(second);
  const { refreshToken: third = '' } = await auth.sessions.refresh(second);
  clock += 29_000;
  expect((await auth.sessions.refresh(first)).refreshToken).toBe(second);
  expect((await auth.sessions.refresh(third)).refreshToken).not.toBe(third);
});

test('R20.01 a lost response ends no session, however late and however often it is requested again', async () => {
  const auth = await authWith();
  const { refreshToken: first } = await auth.register(someone(), 'ru');
  const lost = new Set([(await auth.sessions.refresh(first)).refreshToken]);
  for (let again = 0; again < 3; again++) {
    clock += 7 * 3_600_000;
    const tabs = [await auth.sessions.refresh(first), await auth.sessions.refresh(first)].map(({ refreshToken }) => refreshToken);
    expect(tabs[1]).toBe(tabs[0]);
    expect(lost).not.toContain(tabs[0]);
    lost.add(tabs[0]);
  }
  const { refreshToken: last = '' } = await auth.sessions.refresh(first);
  clock += 3_600_000;
  expect((await auth.sessions.refresh(last)).refreshToken).not.toBe(last);
});

test('R20.01 a session that is refreshed for months keeps the tokens of the last 30 days, and a lost response still ends no session', async () => {
  const auth = await authWith();
  const { refreshToken: first, accessToken } = await auth.register(someone(), 'ru');
  const { sessionId } = await auth.sessions.authenticate(accessToken);
  let last = first;
  for (let day = 0; day < 45; day += 1) {
    clock += 86_400_000;
    // The response of each tenth day is lost, and the request comes again the next day.
    const { refreshToken: next = '' } = await auth.sessions.refresh(last);
    if (day % 10 !== 9) last = next;
  }
  expect(await auth.removeOldTokens()).toBe(false);
  const { rows } = await database.pool.query<{ many: number }>('SELECT count(*)::int AS many FROM refresh_tokens WHERE session_id = $1', [
    sessionId,
  ]);
  expect(rows[0]?.many).toBeLessThan(40);
  expect(await codeOf(auth.sessions.refresh(first))).toBe('unauthorized');
  expect(ended).toEqual([]);
  const { refreshToken: lost = '' } = await auth.sessions.refresh(last);
  for (let day = 0; day < 40; day += 20) {
    clock += 20 * 86_400_000;
    await auth.sessions.refresh(last);
    await auth.removeOldTokens();
  }
  expect(await codeOf(auth.sessions.refresh(lost))).toBe('unauthorized');
  expect(ended).toEqual([sessionId]);
});

test('R20.01 reuse after the successor was used ends the whole session at once, and its open connections are closed', async () => {
  const auth = await authWith();
  const { refreshToken: first, accessToken } = await auth.register(someone(), 'ru');
  const { refreshToken: second = '' } = await auth.sessions.refresh(first);
  clock += 3_000_000;
  const { refreshToken: third = '' } = await auth.sessions.refresh(second);
  const { sessionId } = await auth.sessions.authenticate(accessToken);
  clock += 1_000;
  expect(await codeOf(auth.sessions.refresh(first))).toBe('unauthorized');
  expect(ended).toEqual([sessionId]);
  expect(await codeOf(auth.sessions.refresh(third))).toBe('unauthorized');
  expect(await codeOf(auth.sessions.authenticate(accessToken))).toBe('unauthorized');
});

test.each([
  ['behind its owner', 61_000],
  ['long behind its owner', 2_900_000],
])('R20.01 a copy of a token that is used one step %s ends the session at the next use by either', async (_, behindMs) => {
  const auth = await authWith();
  const { refreshToken: stolen } = await auth.register(someone(), 'ru');
  const { refreshToken: ofOwner = '' } = await auth.sessions.refresh(stolen);
  clock += behindMs;
  const { refreshToken: ofThief = '' } = await auth.sessions.refresh(stolen);
  expect(ofThief).not.toBe(ofOwner);
  clock += 60_000;
  expect(await codeOf(auth.sessions.refresh(ofOwner))).toBe('unauthorized');
  expect(ended).toHaveLength(1);
  expect(await codeOf(auth.sessions.refresh(ofThief))).toBe('unauthorized');
});

test('R20.01 a copy that is used before its owner ends the session when the owner refreshes', async () => {
  const auth = await authWith();
  const { refreshToken: stolen } = await auth.register(someone(), 'ru');
  const { refreshToken: ofThief = '' } = await auth.sessions.refresh(stolen);
  await auth.sessions.refresh(ofThief);
  clock += 61_000;
  expect(await codeOf(auth.sessions.refresh(stolen))).toBe('unauthorized');
  expect(ended).toHaveLength(1);
});

test('R20.01 the tokens of one session are separate from other sessions of the same account', async () => {
  const auth = await authWith();
  const person = someone();
  const { refreshToken: first } = await auth.register(person, 'ru');
  const other = await auth.login(person);
  const { refreshToken: second = '' } = await auth.sessions.refresh(first);
  clock += 61_000;
  await auth.sessions.refresh(second);
  expect(await codeOf(auth.sessions.refresh(first))).toBe('unauthorized');
  expect(await auth.sessions.authenticate(other.accessToken)).toMatchObject({ email: person.email });
});

test('P4.03 an access token expires after an hour with its own error code, and a refresh still works', async () => {
  const auth = await authWith();
  const { accessToken, refreshToken } = await auth.register(someone(), 'ru');
  clock += 3_601_000;
  expect(await codeOf(auth.sessions.authenticate(accessToken))).toBe('token_expired');
  const fresh = await auth.sessions.refresh(refreshToken);
  expect(await codeOf(auth.sessions.authenticate(fresh.accessToken))).toBe('no failure');
});

test('R20.01 a session that was unused for thirty days ends and is deleted', async () => {
  const auth = await authWith();
  const { refreshToken } = await auth.register(someone(), 'ru');
  clock += 31 * 86_400_000;
  expect(await codeOf(auth.sessions.refresh(refreshToken))).toBe('unauthorized');
  await auth.removeExpired();
  const { rows } = await database.pool.query('SELECT count(*)::int AS left_over FROM sessions WHERE expires_at < $1', [new Date(clock)]);
  expect(rows).toEqual([{ left_over: 0 }]);
});

test('R13.01 sign-up can be closed', async () => {
  const auth = await authWith({ registration: 'closed' });
  expect(await codeOf(auth.register(someone(), 'ru'))).toBe('registration_closed');
});

test('R13.01 when many people sign up first at once, exactly one account is staff', async () => {
  await database.pool.query('DELETE FROM users');
  const auth = await authWith({ firstAccountIsStaff: true });
  const sessions = await Promise.all(Array.from({ length: 8 }, () => auth.register(someone(), 'ru', { address: null, isLocal: true })));
  const profiles = await Promise.all(sessions.map(({ user }) => auth.profile(user.id, true)));
  expect(profiles.filter(({ isStaff }) => isStaff)).toHaveLength(1);
});

test('R13.01 the first account is staff for requests of its own machine alone, and only while the settings let no other in', async () => {
  await database.pool.query('DELETE FROM users');
  const auth = await authWith({ firstAccountIsStaff: true });
  const { user, accessToken } = await auth.register(someone(), 'ru', { address: null, isLocal: true });
  expect(await auth.sessions.authenticate(accessToken, true)).toMatchObject({ isStaff: true });
  expect(await auth.sessions.authenticate(accessToken, false)).toMatchObject({ isStaff: false });
  expect(await auth.profile(user.id, false)).toMatchObject({ isStaff: false });
  expect(await (await authWith({ firstAccountIsStaff: false })).sessions.authenticate(accessToken, true)).toMatchObject({ isStaff: false });
});

test('R13.01 a user who signs up first through a proxy is not staff, also when later requests come another way', async () => {
  await database.pool.query('DELETE FROM users');
  const auth = await authWith({ firstAccountIsStaff: true });
  const { accessToken } = await auth.register(someone(), 'ru', { address: null, isLocal: false });
  expect(await auth.sessions.authenticate(accessToken, true)).toMatchObject({ isStaff: false });
});

/** Creates an account of this service; returns its emails and the token of the newest one. */
async function unverified(rules: Partial<AuthDependencies['rules']> = {}) {
  const emails: { to: string; text: string }[] = [];
  const auth = await authWith(rules, { send: async (mail) => void emails.push(mail) });
  const person = someone();
  const session = await auth.register(person, 'en');
  const newestToken = async () => {
    await auth.close();
    return /verify-email\?token=([\w-]+)/.exec(emails.at(-1)?.text ?? '')?.[1] ?? '';
  };
  return { auth, person, emails, newestToken, ...session };
}

test('R13.01 staff rights follow at each request from the settings and a verified address', async () => {
  const { auth, person, accessToken, newestToken } = await unverified();
  const named = await authWith({ staffEmails: [person.email] });
  expect(await named.sessions.authenticate(accessToken, true)).toMatchObject({ isStaff: false });
  expect(await named.countUnverifiedStaff()).toBe(1);
  await auth.verifyEmail(await newestToken(), 'en');
  expect(await named.sessions.authenticate(accessToken)).toMatchObject({ isStaff: true });
  expect(await named.countUnverifiedStaff()).toBe(0);
  expect(await auth.sessions.authenticate(accessToken)).toMatchObject({ isStaff: false });
});

test('R13.01 a new address is not verified and loses staff rights, also when the link to the former address is opened later', async () => {
  const { auth, person, user, accessToken, emails, newestToken } = await unverified();
  const earlier = await newestToken();
  const moved = `moved-${person.email}`;
  const named = await authWith({ staffEmails: [person.email] });
  expect(await auth.updateProfile(user.id, { email: moved, currentPassword: person.password }, 'en')).toMatchObject({
    emailVerified: false,
  });
  expect(await codeOf(auth.verifyEmail(earlier, 'en'))).toBe('bad_request');
  const token = await newestToken();
  expect(emails.at(-1)?.to).toBe(moved);
  await auth.verifyEmail(token, 'en');
  expect(await auth.profile(user.id)).toMatchObject({ email: moved, emailVerified: true });
  expect(await named.sessions.authenticate(accessToken)).toMatchObject({ isStaff: false });
  await auth.updateProfile(user.id, { email: person.email, currentPassword: person.password }, 'en');
  expect(await named.sessions.authenticate(accessToken)).toMatchObject({ isStaff: false });
});

test('R12.01 a link verifies an address once, for a day, and its token is not stored', async () => {
  const { auth, user, emails, newestToken } = await unverified();
  const first = await newestToken();
  expect((await database.pool.query('SELECT 1 FROM email_verifications WHERE hash = $1', [first])).rows).toEqual([]);
  clock += 86_400_000;
  expect(await codeOf(auth.verifyEmail(first, 'en'))).toBe('bad_request');
  clock += 1;
  await auth.removeExpired();
  expect((await database.pool.query('SELECT 1 FROM email_verifications WHERE user_id = $1', [user.id])).rows).toEqual([]);

  await auth.sendVerification(user.id, 'en');
  const second = await newestToken();
  await auth.sendVerification(user.id, 'en');
  const third = await newestToken();
  clock += 86_400_000 - 1;
  const outcomes = await Promise.all([1, 2, 3].map(() => codeOf(auth.verifyEmail(third, 'en'))));
  expect(outcomes.toSorted()).toEqual(['bad_request', 'bad_request', 'no failure']);
  expect(await codeOf(auth.verifyEmail(second, 'en'))).toBe('bad_request');
  expect(await auth.profile(user.id)).toMatchObject({ emailVerified: true });
  await auth.sendVerification(user.id, 'en');
  await auth.close();
  expect(emails).toHaveLength(3);
});

test('R12.01 setting a password by an email link verifies the address too', async () => {
  const { auth, person, user, emails } = await unverified();
  auth.sendReset(person.email, 'en');
  await auth.close();
  const token = /reset-password\?token=([\w-]+)/.exec(emails.at(-1)?.text ?? '')?.[1] ?? '';
  await auth.resetPassword({ token, newPassword: 'another quiet phrase' }, 'en');
  expect(await auth.profile(user.id)).toMatchObject({ emailVerified: true });
});

test('R12.01 an account that cannot be seeded is not created', async () => {
  const person = someone();
  const failing = new AuthService({
    ...{ db: database.db, secret: secretKeyFrom('a secret that is only for these tests'), passwords: await makePasswordHashing() },
    rules: { registration: 'open', staffEmails: [], firstAccountIsStaff: false },
    seed: () => Promise.reject(new Error('no room')),
    onSessionEnded: () => {},
    ...unread,
    now: () => clock,
  });
  await expect(failing.register(person, 'ru')).rejects.toThrow('no room');
  expect(await codeOf((await authWith()).login(person))).toBe('invalid_credentials');
});

test('R25.01 no password and no refresh token is stored in plain text', async () => {
  const auth = await authWith();
  const person = someone();
  const { refreshToken } = await auth.register(person, 'ru');
  const { rows: users } = await database.pool.query('SELECT password_hash FROM users WHERE email = $1', [person.email]);
  expect(users[0].password_hash).toMatch(/^\$argon2id\$/);
  const { rows: tokens } = await database.pool.query('SELECT 1 FROM refresh_tokens WHERE hash = $1', [refreshToken]);
  expect(tokens).toEqual([]);
});

test('P7.02 the link of an email works for half an hour, its token is not stored, and a used one is deleted', async () => {
  const letters: string[] = [];
  const auth = await authWith({}, { send: async ({ text }) => void letters.push(text) });
  const person = someone();
  await auth.register(person, 'ru');
  const reset = async (afterMs: number, newPassword: string) => {
    auth.sendReset(person.email, 'ru');
    await auth.close();
    const token = /token=([\w-]+)/.exec(letters.at(-1) ?? '')?.[1] ?? '';
    const { rows } = await database.pool.query('SELECT 1 FROM password_resets WHERE hash = $1', [token]);
    expect(rows).toEqual([]);
    clock += afterMs;
    return codeOf(auth.resetPassword({ token, newPassword }, 'ru'));
  };
  expect(await reset(30 * 60_000, 'another quiet phrase')).toBe('bad_request');
  await auth.removeExpired();
  expect((await database.pool.query('SELECT 1 FROM password_resets WHERE expires_at < $1', [new Date(clock)])).rows).toEqual([]);
  expect(await reset(30 * 60_000 - 1, 'another quiet phrase')).toBe('no failure');
});
