import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { errorBody } from '../../../contract/errors.ts';
import { flowTemplates, teamRoles } from '../../../contract/flow-templates.ts';
import { secretKeyFrom } from '../../../server/platform/secrets/secret-key.ts';
import { roleHue } from '../../../src/model/agents/roles.ts';
import { callerOf, signUp } from '../../support/call-api.ts';
import { setUp, setUpServer } from '../../support/set-up/for-vitest.ts';

const secretKey = 'a secret of at least thirty-two characters';
const server = setUpServer({ ARTEL_SECRET_KEY: secretKey });
const stranger = setUp(async () => callerOf(server.url));

test.each([
  ['ru', 'Мой первый проект', 'Тимлид'],
  ['en', 'My first project', 'Team lead'],
])(
  'R13.01 a new account has a project, seven agents and the full cycle on the canvas, in its language (%s)',
  async (language, name, lead) => {
    const member = await signUp(server.url, { language });
    const projects = await member.ask('project.list');
    expect(projects.map((project) => project.name)).toEqual([name]);

    const agents = await member.ask('agent.list');
    expect(Object.fromEntries(agents.map((agent) => [agent.name, agent.role]))).toEqual(teamRoles);
    expect(agents.find((agent) => agent.name === 'team-lead')?.title).toBe(lead);
    for (const agent of agents) {
      expect(agent.status).toBe(1);
      expect(agent.configuration.systemPrompt.length).toBeGreaterThan(400);
      expect(agent.apiConfiguration).toMatchObject({ providerType: 'openai', model: 'gpt-4', maxTokens: 4000, hasKey: false });
    }

    const canvas = await member.ask('project.canvas', { params: { id: 'default' } });
    const flow = flowTemplates.find((template) => template.id === 'full-cycle');
    expect(Object.keys(canvas.nodes)).toHaveLength(flow?.agents.length ?? 0);
    expect(Object.keys(canvas.connections)).toHaveLength(flow?.connections.length ?? 0);
    const ids = new Set(agents.map((agent) => agent.id));
    for (const node of Object.values(canvas.nodes).filter((candidate) => candidate.type === 'agent')) {
      expect(ids).toContain(node.serverAgentId);
      expect(node.color?.background).toBe(roleHue(node.role));
    }
  },
);

test('R01.01 an account keeps the language of its sign-up until its owner chooses the other; sign-in, refresh and profile return the language', async () => {
  const member = await signUp(server.url, { language: 'en' });
  expect(await member.ask('auth.profile')).toMatchObject({ language: 'en' });
  expect(await member.ask('auth.updateProfile', { body: { language: 'ru' } })).toMatchObject({ language: 'ru' });
  expect(await member.ask('auth.profile')).toMatchObject({ language: 'ru' });
  const session = await stranger.ask('auth.login', { body: { email: member.email, password: 'a quiet long phrase' } });
  expect(session.user).toMatchObject({ language: 'ru' });
  const { refreshToken } = session;
  expect(await stranger.ask('auth.refresh', { body: { refreshToken } })).toMatchObject({ user: { language: 'ru' } });
  const wrong = await member.refused('auth.updateProfile', { body: { language: 'de' as 'ru' } });
  expect(wrong).toMatchObject({ status: 400, errors: [{ path: 'language' }] });
});

test('P7.02 sign-up answers with the session of login, and the address is known from then on', async () => {
  const body = { email: 'taken@example.com', password: 'twelve blue doors', name: 'Taken' };
  const session = await stranger.ask('auth.register', { body });
  expect(session.user).toMatchObject({ email: 'taken@example.com', name: 'Taken' });
  const again = await stranger.refused('auth.register', { body: { ...body, email: ' TAKEN@example.com' } });
  expect(again).toMatchObject({
    status: 409,
    code: 'email_taken',
    message: 'Аккаунт с таким email уже есть. Войдите в него или укажите другой адрес.',
  });
});

test.each([
  ['short', { password: 'nine char' }, 400, 'bad_request'],
  ['long', { password: 'x'.repeat(129) }, 400, 'bad_request'],
  ['common', { password: 'Qwerty123456' }, 422, 'password_weak'],
  ['repeated', { password: 'abcabcabcabc' }, 422, 'password_weak'],
  ['the email', { password: 'Weak@Example.com' }, 422, 'password_weak'],
])('R12.01 a password that is %s is refused with an error for the field', async (_, { password }, status, code) => {
  const refusal = await stranger.refused('auth.register', { body: { email: 'weak@example.com', password, name: 'Weak' } });
  expect(refusal).toMatchObject({ status, code, errors: [{ path: 'password' }] });
});

test('P7.02 an unknown email and a wrong password get one and the same answer', async () => {
  const { email } = await signUp(server.url);
  const wrong = await stranger.refused('auth.login', { body: { email, password: 'not the phrase' } });
  const unknown = await stranger.refused('auth.login', { body: { email: 'unknown@example.com', password: 'not the phrase' } });
  const { requestId: _a, headers: _b, ...first } = wrong;
  const { requestId: _c, headers: _d, ...second } = unknown;
  expect(first).toEqual({ status: 401, code: 'invalid_credentials', message: 'Неверный email или пароль. Проверьте введенные данные.' });
  expect(second).toEqual(first);
});

test('P7.02 login, profile and a change of name work; a change of email needs the password', async () => {
  const { email } = await signUp(server.url);
  const { accessToken } = await stranger.ask('auth.login', { body: { email, password: 'a quiet long phrase' } });
  const member = callerOf(server.url, accessToken);
  expect(await member.ask('auth.updateProfile', { body: { name: 'Анна' } })).toMatchObject({ email, name: 'Анна' });
  const moved = `moved-${email}`;
  expect(await member.refused('auth.updateProfile', { body: { email: moved } })).toMatchObject({ errors: [{ path: 'currentPassword' }] });
  const change = { email: moved, currentPassword: 'a quiet long phrase' };
  expect(await member.ask('auth.updateProfile', { body: change })).toMatchObject({ email: moved, name: 'Анна' });
});

test('P3.02 the access token carries the fields that the client reads, for an hour', async () => {
  const { accessToken, id, email } = await signUp(server.url, { name: 'Борис' });
  const payload = decodeJwt(accessToken);
  expect(payload).toMatchObject({ sub: id, nameid: id, userId: id, unique_name: 'Борис', name: 'Борис', email });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
  expect(decodeProtectedHeader(accessToken)).toEqual({ alg: 'HS256', typ: 'at+jwt' });
});

test('P6.01 a call without a token, with a foreign one or an unsigned one is refused', async () => {
  const { accessToken, id } = await signUp(server.url);
  expect(await stranger.refused('auth.profile')).toMatchObject({ status: 401, code: 'unauthorized' });
  const foreign = await new SignJWT({ sid: id })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .setSubject(id)
    .setExpirationTime('1h')
    .sign(new Uint8Array(32));
  const unsigned = `${btoa(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).replace(/=/g, '')}.${accessToken.split('.')[1]}.x`;
  for (const token of [foreign, unsigned, `${accessToken.slice(0, -2)}AA`]) {
    expect(await callerOf(server.url, token).refused('auth.profile')).toMatchObject({ status: 401, code: 'unauthorized' });
  }
});

test('P6.01 a token whose claims are of another kind is refused with any signature', async () => {
  const { accessToken } = await signUp(server.url);
  const secret = secretKeyFrom(secretKey);
  const claims = decodeJwt(accessToken);
  const sign = (changed: object) =>
    new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(secret.derive('access-tokens'));
  expect(await callerOf(server.url, await sign({})).ask('auth.profile')).toMatchObject({ id: claims.sub });
  const odd = [null, [], [claims.sub], {}, { id: claims.sub }, true, -1, 1e300, '', '\u0000', 'not-an-id'];
  for (const name of Object.keys(claims)) {
    for (const value of odd) {
      if (['name', 'unique_name', 'email'].includes(name) && typeof value === 'string') continue;
      const token = await sign({ [name]: value });
      const response = await callerOf(server.url, token).send('auth.profile');
      expect([name, value, response.status]).toEqual([name, value, 401]);
      expect(response.headers.get('cache-control')).toBe('no-store');
      errorBody.parse(await response.json());
    }
  }
});

test('P4.05 logging out ends the session at once, its access token too, and is never refused', async () => {
  const member = await signUp(server.url);
  await member.ask('auth.logout', { body: { refreshToken: member.refreshToken } });
  expect(await member.refused('auth.profile')).toMatchObject({ status: 401 });
  expect(await stranger.refused('auth.refresh', { body: { refreshToken: member.refreshToken } })).toMatchObject({ status: 401 });
  await stranger.ask('auth.logout', { body: { refreshToken: 'never existed' } });
  await stranger.ask('auth.logout');
});

test('R20.01 a refresh returns a new pair, and a lost answer can be requested again', async () => {
  const { refreshToken } = await signUp(server.url);
  const first = await stranger.ask('auth.refresh', { body: { refreshToken } });
  const again = await stranger.ask('auth.refresh', { body: { refreshToken } });
  expect(first.refreshToken).not.toBe(refreshToken);
  expect(again.refreshToken).toBe(first.refreshToken);
  expect(await callerOf(server.url, first.accessToken).ask('auth.profile')).toMatchObject({ id: first.user?.id });
});

test('R20.01 two tabs that refresh at the same moment both stay logged in', async () => {
  const { refreshToken } = await signUp(server.url);
  const answers = await Promise.all(Array.from({ length: 6 }, () => stranger.ask('auth.refresh', { body: { refreshToken } })));
  expect(new Set(answers.map((answer) => answer.refreshToken)).size).toBe(1);
  for (const { accessToken } of answers) await callerOf(server.url, accessToken).ask('auth.profile');
});

test('P7.02 password guessing for one account is blocked for a while, and the answer has the time to wait', async () => {
  const { email } = await signUp(server.url);
  const guess = () => stranger.refused('auth.login', { body: { email, password: 'a guess' }, headers: { 'accept-language': 'en' } });
  const answers = [];
  for (let attempt = 0; attempt < 11; attempt++) answers.push(await guess());
  expect(answers.slice(0, 10).every(({ status }) => status === 401)).toBe(true);
  const last = answers.at(-1);
  expect(last).toMatchObject({ status: 429, code: 'too_many_requests' });
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(last?.message).toMatch(/^Too many attempts\. Try again in \d+ s\.$/);
});

test('P7.02 auth configuration is public and has the requirements for sign-up', async () => {
  expect(await stranger.ask('auth.config')).toEqual({
    registration: 'open',
    realtime: 'auto',
    runner: false,
    passwordRule: { minLength: 10, maxLength: 128 },
    accessTokenMinutes: 60,
  });
});
