import { expect, test } from 'vitest';
import { callerOf, signUp } from '../../support/call-api.ts';
import { setUp, setUpServer } from '../../support/set-up/for-vitest.ts';

const password = 'a quiet long phrase';
const server = setUpServer({ TRUST_PROXY: '1' }, { ownProcess: 'Many guesses load it.' });
const stranger = setUp(async () => callerOf(server.url));

const from = (address: string, headers: Record<string, string> = {}) => ({ 'x-forwarded-for': address, ...headers });

async function statusOfLogin(email: string, tried: string, headers: Record<string, string>): Promise<number> {
  return (await stranger.send('auth.login', { body: { email, password: tried }, headers })).status;
}

/** Tries sixty wrong passwords, ten from each of six addresses of one network, and one more. */
async function attack(email: string, network: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let guess = 0; guess <= 60; guess++) {
    statuses.push(await statusOfLogin(email, `guess number ${guess}`, from(`203.0.${network}.${Math.floor(guess / 10)}`)));
  }
  return statuses;
}

async function signInFrom(email: string, address: string): Promise<string> {
  const response = await stranger.send('auth.login', { body: { email, password }, headers: from(address) });
  expect(response.status).toBe(200);
  return response.headers.getSetCookie().join('; ').split(';')[0] ?? '';
}

test('P7.02 one address that guesses sixty times locks out itself, and not the account', async () => {
  const { email } = await signUp(server.url);
  const statuses = [];
  for (let guess = 0; guess < 60; guess++) statuses.push(await statusOfLogin(email, 'a guess', from('203.0.113.1')));
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(50).fill(429)]);
  expect(await statusOfLogin(email, password, from('198.51.100.1'))).toBe(200);
});

test('P7.02 guesses from many addresses lock the account for unknown places, and the owner signs in from a known one', async () => {
  const { email } = await signUp(server.url);
  const cookie = await signInFrom(email, '198.51.100.20');
  const ofKnown = await attack(email, 1);
  expect(ofKnown).toEqual([...Array(60).fill(401), 429]);
  expect(await attack('unknown@example.com', 2)).toEqual(ofKnown);

  expect(await statusOfLogin(email, password, from('198.51.100.30'))).toBe(429);
  expect(await statusOfLogin(email, password, from('198.51.100.20'))).toBe(200);
  expect(await statusOfLogin(email, password, from('198.51.100.31', { cookie }))).toBe(200);
  expect(await statusOfLogin(email, password, from('198.51.100.32', { cookie: `${cookie}x` }))).toBe(429);
});

test('P7.02 a place stays known after signing out, and a refresh makes one known', async () => {
  const { email, refreshToken } = await signUp(server.url);
  const refreshed = await stranger.ask('auth.refresh', { body: { refreshToken }, headers: from('198.51.100.40') });
  await stranger.ask('auth.logout', { body: { refreshToken: refreshed.refreshToken } });
  await attack(email, 3);
  expect(await statusOfLogin(email, password, from('198.51.100.40'))).toBe(200);
});

test('P7.02 the current password is guessed ten times, through any call, and a change of the name counts as no guess', async () => {
  const member = await signUp(server.url);
  const guess = (number: number) =>
    number % 2 === 0
      ? member.refused('auth.updateProfile', { body: { email: `new-${member.email}`, currentPassword: `guess ${number}` } })
      : member.refused('auth.changePassword', { body: { currentPassword: `guess ${number}`, newPassword: 'another quiet phrase' } });
  for (let number = 0; number < 10; number++) expect(await guess(number)).toMatchObject({ status: 400, code: 'bad_request' });
  for (let number = 10; number < 12; number++) expect(await guess(number)).toMatchObject({ status: 429, code: 'too_many_requests' });
  const right = { email: `new-${member.email}`, currentPassword: password };
  expect(await member.refused('auth.updateProfile', { body: right })).toMatchObject({ status: 429 });
  for (let number = 0; number < 12; number++) await member.ask('auth.updateProfile', { body: { name: `Name ${number}` } });
});
