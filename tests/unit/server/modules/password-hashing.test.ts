import { expect, test } from 'vitest';
import { makePasswordHashing } from '../../../../server/modules/auth/password-hashing.ts';
import { inTurnOf } from '../../../../server/platform/database/account-turns.ts';

test('R19.01 a few passwords are hashed at a time, and the rest is refused when too many wait', async () => {
  const passwords = await makePasswordHashing({ atOnce: 1, atOncePerAccount: 1, maxWaiting: 2, maxPerAccount: 9 });
  const settled = await Promise.allSettled(Array.from({ length: 6 }, () => passwords.matches(null, 'a guess')));
  const outcomes = settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code));
  expect(outcomes).toEqual([false, false, false, 'busy', 'busy', 'busy']);
  const stored = await passwords.hash('right');
  expect([await passwords.matches(stored, 'right'), await passwords.matches(stored, 'wrong')]).toEqual([true, false]);
});

test('G8.27 sign-ins take turns by address: many wrong ones of one address delay another by two, and fill only their own queue', async () => {
  const passwords = await makePasswordHashing({ atOnce: 1, atOncePerAccount: 1, maxWaiting: 99, maxPerAccount: 20 });
  const stored = await passwords.hash('right');
  const ended: string[] = [];
  const signIn = (address: string, password: string) =>
    inTurnOf(address, () => passwords.matches(stored, password))
      .catch((error: { code: string }) => error.code)
      .then((outcome) => ended.push(`${address} ${outcome}`));
  const wrong = Array.from({ length: 30 }, () => signIn('203.0.113.1', 'a guess'));
  await signIn('198.51.100.1', 'right');
  expect(ended.slice(0, 10)).toEqual(Array(10).fill('203.0.113.1 too_many_requests'));
  expect(ended.slice(10)).toEqual(['203.0.113.1 false', '203.0.113.1 false', '198.51.100.1 true']);
  await Promise.all(wrong);
});

test('G8.28 the password of a client that has gone is not hashed', async () => {
  const passwords = await makePasswordHashing({ atOnce: 1, atOncePerAccount: 1, maxWaiting: 9, maxPerAccount: 9 });
  const gone = new AbortController();
  const first = passwords.matches(null, 'a guess');
  const waiting = inTurnOf('203.0.113.1', () => passwords.matches(null, 'a guess'), gone.signal);
  gone.abort('gone');
  await expect(waiting).rejects.toBe('gone');
  expect(await first).toBe(false);
});
