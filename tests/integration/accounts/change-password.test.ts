import { expect, test } from 'vitest';
import { callerOf, type Member, signUp } from '../../support/call-api.ts';
import { signUp as signUpToRun } from '../../support/run-account.ts';
import { setUpServer } from '../../support/set-up/for-vitest.ts';

const server = setUpServer();

const currentPassword = 'a quiet long phrase';
const newPassword = 'another quiet phrase';
const change = (member: Member, body: object) => member.refused('auth.changePassword', { body });

async function signIn(email: string, password: string): Promise<Member> {
  const session = await callerOf(server.url).ask('auth.login', { body: { email, password } });
  return { ...callerOf(server.url, session.accessToken), ...session, id: session.user.id, email };
}

test('P7.02 a changed password signs in, the old one does not, and every other session ends at once', async () => {
  const here = await signUp(server.url);
  const elsewhere = await signIn(here.email, currentPassword);
  const stranger = await signUp(server.url);
  await here.ask('auth.changePassword', { body: { currentPassword, newPassword } });

  expect(await elsewhere.refused('auth.profile')).toMatchObject({ status: 401, code: 'unauthorized' });
  const refresh = { body: { refreshToken: elsewhere.refreshToken } };
  expect(await callerOf(server.url).refused('auth.refresh', refresh)).toMatchObject({ status: 401 });
  expect(await here.ask('auth.profile')).toMatchObject({ email: here.email });
  expect(await callerOf(server.url).ask('auth.refresh', { body: { refreshToken: here.refreshToken } })).toMatchObject({
    user: { email: here.email },
  });
  expect(await stranger.ask('auth.profile')).toMatchObject({ email: stranger.email });

  const old = { body: { email: here.email, password: currentPassword } };
  expect(await callerOf(server.url).refused('auth.login', old)).toMatchObject({ status: 401, code: 'invalid_credentials' });
  expect(await (await signIn(here.email, newPassword)).ask('auth.profile')).toMatchObject({ id: here.id });
});

test('P7.02 open sockets of the other sessions are closed, and the socket of the calling session stays open', async () => {
  const ann = await signUpToRun(server.url);
  const other = await signIn(ann.email, 'a long quiet river');
  const [mine, others] = [await ann.socket(), await ann.socket('/natsws', { token: other.accessToken })];
  await others.until(({ type }) => type === 'connected');
  const body = { currentPassword: 'a long quiet river', newPassword };
  expect(await ann.call('POST', '/auth/change-password', body)).toMatchObject({ status: 204 });
  expect(await others.closed).toBe(4401);
  const pipeline = await ann.pipeline('assistant');
  await ann.start(pipeline, 'Still here');
  await mine.until(({ type }) => type === 'pipeline_update');
  await mine.close();
});

test('P7.02 a stranger changes no password, and a wrong current one is named', async () => {
  const member = await signUp(server.url);
  const body = { currentPassword, newPassword };
  expect(await callerOf(server.url).refused('auth.changePassword', { body })).toMatchObject({ status: 401, code: 'unauthorized' });
  const wrong = { status: 400, code: 'bad_request', errors: [{ path: 'currentPassword', message: 'Это не ваш текущий пароль.' }] };
  expect(await change(member, { ...body, currentPassword: newPassword })).toMatchObject(wrong);
  expect(await signIn(member.email, currentPassword)).toMatchObject({ id: member.id });
});

test.each([
  ['is too short', 'short', 400, 'bad_request'],
  ['is common', 'password1234', 422, 'password_weak'],
  ['is missing', undefined, 400, 'bad_request'],
])('R12.01 a new password that %s is refused, and the old one stays', async (_, wrong, status, code) => {
  const member = await signUp(server.url);
  const refusal = await change(member, { currentPassword, newPassword: wrong });
  expect(refusal).toMatchObject({ status, code, errors: [{ path: 'newPassword' }] });
  expect(await signIn(member.email, currentPassword)).toMatchObject({ id: member.id });
});

test('P7.02 the current password is guessed ten times in a quarter of an hour, and no more', async () => {
  const member = await signUp(server.url);
  const codes: string[] = [];
  for (let guess = 0; guess < 11; guess++) {
    codes.push((await change(member, { currentPassword: `guess number ${guess}`, newPassword })).code);
  }
  expect(codes).toEqual([...Array(10).fill('bad_request'), 'too_many_requests']);
});
