import { beforeEach, expect, test } from 'vitest';
import { type Attempt, type KnownClients, RateLimits } from '../../../server/http/limits/rate-limits.ts';
import { setUpDatabase } from '../../support/set-up/for-vitest.ts';

const database = setUpDatabase();
let limits: RateLimits;

beforeEach(async () => {
  await database.pool.query('DELETE FROM rate_limits');
  limits = new RateLimits(database.pool, known);
});

/** Anna has signed in from 198.51.100.7 and on the device of the cookie `anna-laptop`. Other users have no known place. */
const known: KnownClients = {
  deviceOf: (cookies, email) => (email === 'anna@example.com' && cookies === 'anna-laptop' ? cookies : null),
  isKnownAddress: async (email, address) => email === 'anna@example.com' && address === '198.51.100.7',
};

const anna = { address: '203.0.113.1', account: 'anna@example.com' };

/** Returns the number of successive attempts that are allowed, `most` at most. */
async function allowed(attempt: (index: number) => Promise<unknown>, most: number): Promise<number> {
  for (let index = 0; index < most; index++) {
    try {
      await attempt(index);
    } catch {
      return index;
    }
  }
  return most;
}

test('P7.02 ten wrong passwords for an account from one address in a quarter of an hour, and other users are not affected', async () => {
  expect(await allowed(() => limits.count('login', anna), 20)).toBe(10);
  await limits.count('login', { ...anna, account: 'boris@example.com' });
  await limits.count('login', { ...anna, address: '203.0.113.2' });
});

test('P7.02 the counters hold over all nodes and over a restart', async () => {
  for (let attempt = 0; attempt < 5; attempt++) {
    await limits.count('login', anna);
    await new RateLimits(database.pool, known).count('login', anna);
  }
  await expect(new RateLimits(database.pool, known).count('login', anna)).rejects.toMatchObject({ code: 'too_many_requests' });
});

test('P7.02 guesses at one account from many addresses are counted together', async () => {
  const from = (index: number) => limits.count('login', { ...anna, address: `203.0.113.${index}` });
  expect(await allowed(from, 80)).toBe(60);
});

/** Uses up an account's counter from seven addresses; returns the number of allowed attempts. */
async function spendAccount(account: string): Promise<number> {
  let tried = 0;
  for (let from = 1; from <= 7; from++) tried += await allowed(() => limits.count('login', { account, address: `203.0.113.${from}` }), 60);
  return tried;
}

test('P7.02 sixty wrong passwords from one address count ten times against the account, which others still reach', async () => {
  let refused = 0;
  for (let attempt = 0; attempt < 60; attempt++) await limits.count('login', anna).catch(() => (refused += 1));
  expect(refused).toBe(50);
  const from = (index: number) => limits.count('login', { ...anna, address: `203.0.113.${index + 10}` });
  expect(await allowed(from, 80)).toBe(50);
});

test.each([['anna@example.com'], ['unknown@example.com']])(
  'P7.02 a known and an unknown email are locked alike from a new address: %s',
  async (account) => {
    expect(await spendAccount(account)).toBe(60);
    await expect(limits.count('login', { account, address: '203.0.113.99' })).rejects.toMatchObject({ code: 'too_many_requests' });
  },
);

test.each<[string, Attempt]>([
  ['an address', { address: '198.51.100.7', account: 'anna@example.com' }],
  ['a device', { address: '203.0.113.1', account: 'anna@example.com', cookies: 'anna-laptop' }],
])('P7.02 the owner who comes from %s that signed in before gets ten tries, also after others have spent theirs', async (_, owner) => {
  await spendAccount('anna@example.com');
  const ofAddress = (index: number) =>
    limits.count('login', { address: owner.address, account: `other-${Math.floor(index / 10)}@example.com` });
  expect(await allowed(ofAddress, 400)).toBe(owner.cookies ? 290 : 300);
  expect(await allowed(() => limits.count('login', owner), 20)).toBe(10);
});

test('P7.02 a device that is known to one account is unknown to another', async () => {
  expect(await spendAccount('boris@example.com')).toBe(60);
  const boris = { address: '203.0.113.50', account: 'boris@example.com', cookies: 'anna-laptop' };
  await expect(limits.count('login', boris)).rejects.toMatchObject({ code: 'too_many_requests' });
});

test('P7.02 an attempt that one counter refuses is not charged to the counters before', async () => {
  await spendAccount('boris@example.com');
  const { rows } = await database.pool.query<{ points: number }>('SELECT points FROM rate_limits WHERE points > 0 AND key LIKE $1', [
    'login.pair:%',
  ]);
  expect(rows.map(({ points }) => points).toSorted((one, other) => one - other)).toEqual([11, 11, 11, 11, 11, 11]);
});

test('P7.02 all addresses of one IPv6 network are one', async () => {
  const from = (index: number) => limits.count('login', { ...anna, address: `2001:db8:0:1::${index.toString(16)}` });
  expect(await allowed(from, 20)).toBe(10);
});

test('P7.02 right passwords are not counted', async () => {
  const login = async () => (await limits.count('login', anna)).wasRight();
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

test('P7.02 five emails in half an hour to one address, known or not, and other users get theirs', async () => {
  expect(await allowed((index) => limits.count('forgotten', { ...anna, address: `203.0.113.${index}` }), 10)).toBe(5);
  await limits.count('forgotten', { ...anna, account: 'boris@example.com' });
});

test('W7.03 commands are limited by the minute, to an account over all nodes, and other accounts go on', async () => {
  const nodes = [limits, new RateLimits(database.pool, known)] as const;
  const give = (index: number) => nodes[index % 2 === 0 ? 0 : 1].count('command', anna);
  const through = await allowed(give, 31_000);
  expect(through).toBeGreaterThan(29_700);
  expect(through).toBeLessThanOrEqual(30_000);
  await expect(give(0)).rejects.toMatchObject({ code: 'too_many_requests', options: { retryAfterSeconds: expect.any(Number) } });
  await limits.count('command', { ...anna, account: 'boris@example.com' });
});

test.each([
  ['forgotten', 3, 5],
  ['lead', 5, 20],
] as const)('P7.02 other users who use up the counter of "%s" do not lock the owner out', async (kind, ofPair, ofAccount) => {
  expect(await allowed(() => limits.count(kind, anna), 30)).toBe(ofPair);
  expect(await allowed((index) => limits.count(kind, { ...anna, address: `192.0.2.${index}` }), 30)).toBe(ofAccount - ofPair);
  await limits.count(kind, { ...anna, address: '198.51.100.7' });
  await limits.count(kind, { ...anna, address: '192.0.2.77', cookies: 'anna-laptop' });
});

test('G2.04 three hundred calls of signed links from one address in a quarter of an hour, over all nodes; other addresses go on', async () => {
  const nodes = [limits, new RateLimits(database.pool, known)] as const;
  const call = (index: number) => nodes[index % 2 === 0 ? 0 : 1].count('question', { address: '203.0.113.1', account: null });
  expect(await allowed(call, 400)).toBe(300);
  await expect(call(0)).rejects.toMatchObject({ code: 'too_many_requests', options: { retryAfterSeconds: expect.any(Number) } });
  await limits.count('question', { address: '203.0.113.2', account: null });
});

test('G8.27 a sign-in is served in the turn of its known device or its account at a known address, else of its address', async () => {
  const turnOf = async (attempt: Attempt) => (await limits.count('login', attempt)).turn;
  const [device, pair, other] = [{ ...anna, cookies: 'anna-laptop' }, { ...anna, address: '198.51.100.7' }, anna];
  const turns = [await turnOf(device), await turnOf(pair), await turnOf(other)];
  expect(new Set(turns).size).toBe(3);
  expect(await turnOf({ ...anna, address: '198.51.100.7', account: 'boris@example.com' })).toBe('198.51.100.7');
  expect(await turnOf({ ...anna, address: '2001:db8:0:1::9' })).toBe('2001:db8:0:1::/64');
  expect(turns[2]).toBe('203.0.113.1');
});
