import { beforeEach, expect, test } from 'vitest';
import { createClientRecognition } from '../../../../server/modules/auth/client-recognition.ts';
import type { Db } from '../../../../server/platform/database/database.ts';
import { secretKeyFrom } from '../../../../server/platform/secrets/secret-key.ts';

const email = 'anna@example.com';
const dayMs = 86_400_000;
let clock: number;

beforeEach(() => {
  clock = Date.parse('2026-11-20T12:00:00Z');
});

function places(secret = 'a secret that is only for these tests') {
  return createClientRecognition({ db: null as unknown as Db, secret: secretKeyFrom(secret), now: () => clock });
}
const cookieOf = (setCookie: string) => setCookie.split(';')[0] ?? '';

test('P7.02 a device is known by its cookie to the account that signed in on it, and to no other', () => {
  const cookie = cookieOf(places().deviceCookie(email, 'session-1', true));
  expect(places().deviceOf(`language=ru; ${cookie}; other=1`, email)).toBe('session-1');
  expect(places().deviceOf(cookie, 'boris@example.com')).toBeNull();
  expect(places().deviceOf(undefined, email)).toBeNull();
});

test('P7.02 two accounts of one browser are both known', () => {
  const ofAnna = cookieOf(places().deviceCookie(email, 'session-1', true));
  const both = `${ofAnna}; ${cookieOf(places().deviceCookie('boris@example.com', 'session-2', true))}`;
  expect(places().deviceOf(both, email)).toBe('session-1');
  expect(places().deviceOf(both, 'boris@example.com')).toBe('session-2');
});

test('P7.02 a cookie that was changed, made elsewhere or is half a year old proves nothing', () => {
  const cookie = cookieOf(places().deviceCookie(email, 'session-1', true));
  expect(places().deviceOf(cookie.replace('session-1', 'session-2'), email)).toBeNull();
  expect(places().deviceOf(cookie.slice(0, -1), email)).toBeNull();
  expect(places('another secret, also only for these tests').deviceOf(cookie, email)).toBeNull();
  clock += 180 * dayMs - 1_000;
  expect(places().deviceOf(cookie, email)).toBe('session-1');
  clock += 1_000;
  expect(places().deviceOf(cookie, email)).toBeNull();
});

test('P7.02 no script reads the cookie, no other site sends it, and it goes to sign-in alone', () => {
  const attributes = places().deviceCookie(email, 'session-1', true).split('; ').slice(1);
  expect(attributes).toEqual(['Path=/api/auth', 'Max-Age=15552000', 'HttpOnly', 'SameSite=Strict', 'Secure']);
  expect(places().deviceCookie(email, 'session-1', false)).not.toContain('Secure');
  expect(places().deviceCookie(email, 'session-1', true)).not.toContain('anna');
});

test('P7.02 the stored form of an address is the same for its network and reveals nothing without the secret', () => {
  expect(places().placeOf('2001:db8:0:1::5')).toBe(places().placeOf('2001:db8:0:1::6'));
  expect(places().placeOf('203.0.113.7')).not.toBe(places().placeOf('203.0.113.8'));
  expect(places('another secret, also only for these tests').placeOf('203.0.113.7')).not.toBe(places().placeOf('203.0.113.7'));
});
