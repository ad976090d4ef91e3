import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { RateLimits } from '../../server/http/rate-limits.ts';
import { openTestDatabase, type TestDatabase } from '../support/open-test-database.ts';

let database: TestDatabase;
let limits: RateLimits;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.remove());
beforeEach(async () => {
  await database.pool.query('DELETE FROM rate_limits');
  limits = new RateLimits(database.pool);
});

const anna = { address: '203.0.113.1', account: 'anna@example.com' };

/** How many attempts in a row are let through, of at most `most`. */
async function allowed(attempt: (index: number) => Promise<void>, most: number): Promise<number> {
  for (let index = 0; index < most; index++) {
    try {
      await attempt(index);
    } catch {
      return index;
    }
  }
  return most;
}

test('P7.02 ten wrong passwords for an account from one address in a quarter of an hour, and other people go on', async () => {
  expect(await allowed(() => limits.count('login', anna), 20)).toBe(10);
  await limits.count('login', { ...anna, account: 'boris@example.com' });
  await limits.count('login', { ...anna, address: '203.0.113.2' });
});

test('P7.02 the counters hold over all nodes and over a restart', async () => {
  for (let attempt = 0; attempt < 5; attempt++) {
    await limits.count('login', anna);
    await new RateLimits(database.pool).count('login', anna);
  }
  await expect(new RateLimits(database.pool).count('login', anna)).rejects.toMatchObject({ code: 'too_many_requests' });
});

test('P7.02 guesses at one account from many addresses are counted together', async () => {
  const from = (index: number) => limits.count('login', { ...anna, address: `203.0.113.${index}` });
  expect(await allowed(from, 80)).toBe(60);
});

test('P7.02 right passwords are not counted', async () => {
  const login = async () => {
    await limits.count('login', anna);
    await limits.forget('login', anna);
  };
  expect(await allowed(login, 40)).toBe(40);
});

test('P7.02 sign-ups are counted by address, and no address or email is stored in clear next to an account', async () => {
  expect(await allowed(() => limits.count('register', { address: '203.0.113.9', account: null }), 120)).toBe(100);
  await limits.count('login', anna);
  const { rows } = await database.pool.query<{ key: string }>('SELECT key FROM rate_limits');
  expect(rows.map(({ key }) => key).join()).not.toContain('anna');
});

test('P7.03 five demo requests of one person and thirty from one address in an hour', async () => {
  expect(await allowed(() => limits.count('lead', anna), 10)).toBe(5);
  const person = (index: number) => ({ address: '203.0.113.5', account: `person-${index}@example.com` });
  expect(await allowed((index) => limits.count('lead', person(index)), 40)).toBe(30);
});

test('P7.02 five letters in an hour to one address, known or not, and other people get theirs', async () => {
  expect(await allowed((index) => limits.count('forgotten', { ...anna, address: `203.0.113.${index}` }), 10)).toBe(5);
  await limits.count('forgotten', { ...anna, account: 'boris@example.com' });
});

test('W7.03 commands are limited by the minute, to an account over all nodes, and other accounts go on', async () => {
  const nodes = [limits, new RateLimits(database.pool)] as const;
  const give = (index: number) => nodes[index % 2 === 0 ? 0 : 1].count('command', anna);
  const through = await allowed(give, 31_000);
  expect(through).toBeGreaterThan(29_700);
  expect(through).toBeLessThanOrEqual(30_000);
  await expect(give(0)).rejects.toMatchObject({ code: 'too_many_requests', options: { retryAfterSeconds: expect.any(Number) } });
  await limits.count('command', { ...anna, account: 'boris@example.com' });
});
