import { expect, test } from 'vitest';
import { makePasswordHashing } from '../../../../server/modules/auth/password-hashing.ts';

test('R19.01 a few passwords are hashed at a time, and the rest is refused when too many wait', async () => {
  const passwords = await makePasswordHashing({ atOnce: 1, maxWaiting: 2 });
  const settled = await Promise.allSettled(Array.from({ length: 6 }, () => passwords.matches(null, 'a guess')));
  const outcomes = settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code));
  expect(outcomes).toEqual([false, false, false, 'busy', 'busy', 'busy']);
  const stored = await passwords.hash('right');
  expect([await passwords.matches(stored, 'right'), await passwords.matches(stored, 'wrong')]).toEqual([true, false]);
});
