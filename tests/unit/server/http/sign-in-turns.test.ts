import type pg from 'pg';
import { expect, test } from 'vitest';
import { RateLimits } from '../../../../server/http/limits/rate-limits.ts';

test('R19.01 a sign-in whose client has gone does not wait for its turn any more', async () => {
  const pool = { query: () => new Promise(() => {}) } as unknown as pg.Pool;
  const limits = new RateLimits(pool, { deviceOf: () => null, isKnownAddress: async () => true });
  const gone = new AbortController();
  const attempt = { address: '203.0.113.1', account: 'anna@example.com' };
  const signIns = [1, 2, 3].map(() => limits.count('login', attempt, gone.signal));
  gone.abort(new Error('The client has gone.'));
  // One counts, and the others wait for their turn: which one is refused first is open.
  await expect(Promise.race(signIns)).rejects.toThrow('The client has gone.');
});
