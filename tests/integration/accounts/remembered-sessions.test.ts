import { expect, test } from 'vitest';
import { callerOf, type Member, signUp } from '../../support/call-api.ts';
import { lettersTo } from '../../support/read-outbox.ts';
import { setUpServer } from '../../support/set-up/for-vitest.ts';

/** Alone on its database, the server remembers open sessions for a moment. */
const server = setUpServer({}, { ownProcess: 'Its embedded database is stopped with it.', ownDatabase: true });

const password = 'a quiet long phrase';
const newPassword = 'another quiet phrase';

async function signIn(email: string, withPassword = password): Promise<Member> {
  const session = await callerOf(server.url).ask('auth.login', { body: { email, password: withPassword } });
  return { ...callerOf(server.url, session.accessToken), ...session, id: session.user.id, email };
}

/** A session that the server has just answered, so that it remembers it. */
async function remembered(email: string): Promise<Member> {
  const session = await signIn(email);
  for (let call = 0; call < 3; call += 1) await session.ask('project.list');
  return session;
}

const isEnded = async (session: Member) =>
  expect(await session.refused('project.list')).toMatchObject({ status: 401, code: 'unauthorized' });

test('P4.05 a session ends with the answer to its log-out, also where it was used a moment before', async () => {
  const { email } = await signUp(server.url);
  const session = await remembered(email);
  const other = await remembered(email);
  await session.ask('auth.logout', { body: { refreshToken: session.refreshToken } });
  await isEnded(session);
  expect(await other.ask('project.list')).toHaveLength(1);
});

test('P7.02 a changed or reset password ends the other sessions at once, also those in use', async () => {
  const { email } = await signUp(server.url);
  const [mine, other] = [await remembered(email), await remembered(email)];
  await mine.ask('auth.changePassword', { body: { currentPassword: password, newPassword } });
  await isEnded(other);
  expect(await mine.ask('project.list')).toHaveLength(1);

  await callerOf(server.url).ask('auth.forgotPassword', { body: { email } });
  const letters = await lettersTo(server.dataDir, email, 2);
  const token = /reset-password\?token=([\w-]+)/.exec(letters.map(({ text }) => text).join('\n'))?.[1] ?? '';
  await mine.ask('project.list');
  await callerOf(server.url).ask('auth.resetPassword', { body: { token, newPassword: password } });
  await isEnded(mine);
});

test('R12.01 a session that is used while it ends takes no call after its end', async () => {
  const { email } = await signUp(server.url);
  for (let round = 0; round < 4; round += 1) {
    const session = await remembered(email);
    const calls = Array.from({ length: 16 }, () => session.ask('project.list').catch(() => null));
    await session.ask('auth.logout', { body: { refreshToken: session.refreshToken } });
    await isEnded(session);
    await Promise.all(calls);
    await isEnded(session);
  }
});
