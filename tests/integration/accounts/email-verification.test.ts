import { expect, test } from 'vitest';
import { callerOf, type Member, signUp } from '../../support/call-api.ts';
import { lettersTo } from '../../support/read-outbox.ts';
import { setUp, setUpServer, startAnother } from '../../support/set-up/for-vitest.ts';
import { verificationToken, verifyEmail } from '../../support/verify-email.ts';

const password = 'a quiet long phrase';
const english = { 'accept-language': 'en' };
const server = setUpServer({ ARTEL_STAFF_EMAILS: 'chief@example.com' });
const stranger = setUp(async () => callerOf(server.url));
const first = setUp(() => signUp(server.url));

const isStaff = async (member: Member, headers: Record<string, string> = {}) => (await member.ask('auth.profile', { headers })).isStaff;

test('R13.01 the first account on a loopback server is staff, later ones are ordinary', async () => {
  expect(await isStaff(first)).toBe(true);
  expect(await isStaff(await signUp(server.url))).toBe(false);
});

test.each([['x-forwarded-for'], ['forwarded'], ['via'], ['x-real-ip'], ['cf-connecting-ip']])(
  'R13.01 the first account that comes through a proxy on the same machine is not staff: %s',
  async (header) => {
    expect(await isStaff(first, { [header]: '203.0.113.7' })).toBe(false);
    expect(await first.refused('lead.list', { headers: { [header]: '203.0.113.7' } })).toMatchObject({ status: 403, code: 'forbidden' });
    expect((await first.send('lead.list')).status).toBe(200);
  },
);

test('G8.34 an address in .рф and its punycode are one account, and the letter goes to the punycode', async () => {
  const [written, punycode] = ['Olga@Почта.рф', 'olga@xn--80a1acny.xn--p1ai'];
  const olga = await signUp(server.url, { email: written });
  // The server of the test has no mail server: the page does not send a person to a letter.
  expect(await olga.ask('auth.profile')).toMatchObject({ email: punycode, emailVerified: false, isMailStored: true });
  const again = { email: 'olga@XN--80A1ACNY.xn--p1ai', password, name: 'Olga' };
  expect(await stranger.refused('auth.register', { body: again })).toMatchObject({ status: 409, code: 'email_taken' });
  for (const email of [written, punycode]) {
    expect(await stranger.ask('auth.login', { body: { email, password } })).toMatchObject({ user: { email: punycode } });
  }
  await verifyEmail(server, punycode);
  expect(await olga.ask('auth.profile')).toMatchObject({ emailVerified: true });
});

test('R13.01 an address that the operator names is staff once it is verified, and no other account can change to it', async () => {
  const member = await signUp(server.url);
  const taking = { email: 'chief@example.com', currentPassword: password };
  expect(await member.refused('auth.updateProfile', { body: taking })).toMatchObject({ status: 403, code: 'forbidden' });
  const chief = await signUp(server.url, { email: 'Chief@Example.com ' });
  expect(await chief.ask('auth.profile')).toMatchObject({ email: 'chief@example.com', isStaff: false, emailVerified: false });
  expect(await chief.refused('lead.list')).toMatchObject({ status: 403 });
  await verifyEmail(server, 'chief@example.com');
  expect(await chief.ask('auth.profile')).toMatchObject({ isStaff: true, emailVerified: true });
  expect((await chief.send('lead.list', { headers: { 'x-forwarded-for': '203.0.113.7' } })).status).toBe(200);
});

test('R12.01 a link verifies the address once, and a used or made-up one says to ask for another', async () => {
  const { email } = await signUp(server.url);
  const token = await verificationToken(server.dataDir, email);
  await stranger.ask('auth.verifyEmail', { body: { token } });
  for (const spent of [token, 'x'.repeat(43)]) {
    const refusal = await stranger.refused('auth.verifyEmail', { body: { token: spent }, headers: english });
    const message = 'This link no longer works. Request a new one.';
    expect(refusal).toMatchObject({ status: 400, code: 'bad_request', errors: [{ path: 'token', message }] });
  }
});

test('R12.01 the link is sent again in the language of the account, five times in half an hour, and changes of the address count', async () => {
  const member = await signUp(server.url);
  await member.ask('auth.sendVerification', { headers: english });
  await member.ask('auth.updateProfile', { body: { language: 'en' }, headers: { 'accept-language': 'ru' } });
  await member.ask('auth.sendVerification', { headers: { 'accept-language': 'ru' } });
  const subjects = (await lettersTo(server.dataDir, member.email, 3)).map(({ subject }) => subject);
  expect(subjects).toEqual(['Добро пожаловать в Артель', 'Артель: подтвердите email', 'Artel: confirm your email']);
  const moveTo = (email: string) => member.ask('auth.updateProfile', { body: { email, currentPassword: password } });
  await moveTo(`one-${member.email}`);
  expect((await lettersTo(server.dataDir, `one-${member.email}`, 1))[0]?.subject).toBe('Artel: confirm your email');
  await moveTo(`two-${member.email}`);
  await moveTo(`three-${member.email}`);
  expect(await member.refused('auth.sendVerification')).toMatchObject({ status: 429, code: 'too_many_requests' });
  const bombed = { email: `four-${member.email}`, currentPassword: password };
  expect(await member.refused('auth.updateProfile', { body: bombed })).toMatchObject({ status: 429 });
});

test('R12.01 an account that is not verified works', async () => {
  const member = await signUp(server.url);
  expect(await member.ask('auth.profile')).toMatchObject({ emailVerified: false });
  const project = await member.ask('project.create', { body: { name: 'One' } });
  expect(await member.ask('project.get', { params: { id: project.id } })).toMatchObject({ name: 'One' });
  expect(await stranger.refused('auth.sendVerification')).toMatchObject({ status: 401 });
});

test('R13.01 the first account of a server with a public address is not staff', async () => {
  const open = await startAnother({ env: { ARTEL_CLIENT: 'off', PUBLIC_URL: 'https://artel.example' } });
  try {
    expect(await isStaff(await signUp(open.url))).toBe(false);
  } finally {
    await open.stop();
  }
});
