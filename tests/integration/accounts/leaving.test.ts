import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AccountTable, accountTables, otherTables } from '../../../server/modules/accounts/account-tables.ts';
import { allTables, furnishAccount, plantedSecret, plantedWord, tablesWith } from '../../support/account-with-everything.ts';
import { callerOf, type Member, signUp } from '../../support/call-api.ts';
import { lettersTo } from '../../support/read-outbox.ts';
import { signUp as signUpToRun } from '../../support/run-account.ts';
import { setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const { database, server } = setUpServerOnDatabase(
  { ARTEL_TEST_INTERVALS: JSON.stringify({ leavingWatchMs: 200 }) },
  { ownProcess: 'It is restarted.' },
);

const currentPassword = 'a quiet long phrase';
const remove = (member: Member) => member.ask('account.delete', { body: { currentPassword } });
const signIn = (email: string, password = currentPassword) => callerOf(server.url).ask('auth.login', { body: { email, password } });
const endGrace = (userId: string) =>
  database.pool.query("UPDATE users SET deletion_due_at = now() - interval '1 second' WHERE id = $1", [userId]);
const isRemoved = async (userId: string) => (await database.pool.query('SELECT 1 FROM users WHERE id = $1', [userId])).rowCount === 0;

test('G8.09 each table of the database is named: with its place in an export, or with the reason why it has no rows of an account', async () => {
  const known = [...Object.keys(accountTables), ...Object.keys(otherTables)].sort();
  const tables = (await allTables(database.pool)).flatMap((name) => (name.startsWith('public.') ? [name.slice('public.'.length)] : []));
  expect(tables).toEqual(known);
});

test('G8.09 the rows of each table of an account go with the account: by foreign keys, or by name', async () => {
  const { rows } = await database.pool.query<{ child: AccountTable; parent: string }>(
    "SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent FROM pg_constraint WHERE contype = 'f' AND confdeltype = 'c'",
  );
  const reached = new Set<string>(['users']);
  for (let before = 0; before < reached.size; ) {
    before = reached.size;
    for (const { child, parent } of rows) if (reached.has(parent)) reached.add(child);
  }
  const left = Object.keys(accountTables).filter((table) => !reached.has(table));
  // Their rows are removed by the name of the table.
  expect(left).toEqual(['dead_letters']);
  expect(Object.keys(otherTables).filter((table) => reached.has(table))).toEqual([]);
});

test('G8.08 G8.09 a deleted account is gone from every table, the queue and the outbox; sums of costs on the keys of the operator stay', async () => {
  const ann = await signUpToRun(server.url);
  const bystander = await signUp(server.url);
  const { projectId, runId } = await furnishAccount(ann, database.pool);
  const agents = ann.agents.map(({ id }) => id);
  const needles = [ann.userId, ann.email, plantedWord, plantedSecret, projectId, runId, ...agents];
  const filled = (await tablesWith(database.pool, needles)).map((name) => name.replace('public.', ''));
  // It names nothing but its session.
  const unnamed = ['refresh_tokens'];
  expect(Object.keys(accountTables).filter((table) => !filled.includes(table) && !unnamed.includes(table))).toEqual([]);

  expect(await ann.call('POST', '/account/deletion', { currentPassword: 'a long quiet river' })).toMatchObject({ status: 202 });
  // Days pass before the end of the grace: the letter about it is written by then.
  await lettersTo(server.dataDir, ann.email, 2);
  await endGrace(ann.userId);
  await expect.poll(() => isRemoved(ann.userId)).toBe(true);
  expect(await tablesWith(database.pool, needles)).toEqual([]);
  const { rows } = await database.pool.query(
    'SELECT month::text, model, currency, calls::int, prompt_tokens::int, micros::int FROM left_spend',
  );
  expect(rows).toContainEqual({ month: '2026-03-01', model: 'a-model', currency: 'USD', calls: 2, prompt_tokens: 20, micros: 42 });
  expect(await lettersTo(server.dataDir, ann.email, 0)).toEqual([]);
  expect((await readdir(join(server.dataDir, 'outbox'))).length).toBeGreaterThan(0);

  expect(await callerOf(server.url, ann.accessToken).refused('auth.profile')).toMatchObject({ status: 401 });
  expect(await bystander.ask('auth.profile')).toMatchObject({ email: bystander.email });
  const again = await signUp(server.url, { email: ann.email });
  expect(again.id).not.toBe(ann.userId);
});

test('G8.07 a deletion needs the password, and guesses at it are limited', async () => {
  const member = await signUp(server.url);
  const guess = (password: string) => member.refused('account.delete', { body: { currentPassword: password } });
  expect(await callerOf(server.url).refused('account.delete', { body: { currentPassword } })).toMatchObject({ status: 401 });
  expect(await member.refused('account.delete', { body: {} })).toMatchObject({ status: 400 });
  for (let n = 0; n < 10; n++) expect(await guess(`guess ${n}`)).toMatchObject({ status: 400, errors: [{ path: 'currentPassword' }] });
  expect(await guess(currentPassword)).toMatchObject({ status: 429 });
  expect(await member.ask('auth.profile')).toMatchObject({ deletionDueAt: null });
});

test('G8.07 a deleted account is locked for a day, its other sessions end, and its owner takes it back by signing in', async () => {
  const member = await signUp(server.url);
  const elsewhere = await signIn(member.email);
  const { ticket } = await member.ask('auth.socketTicket');
  const before = Date.now();
  const { deletionDueAt } = await remove(member);
  expect(Date.parse(deletionDueAt) - before).toBeGreaterThan(23.9 * 3_600_000);
  expect(Date.parse(deletionDueAt) - before).toBeLessThan(24.1 * 3_600_000);

  expect(await callerOf(server.url, elsewhere.accessToken).refused('auth.profile')).toMatchObject({ status: 401 });
  for (const name of ['project.list', 'agent.list', 'auth.socketTicket', 'auth.sendVerification'] as const)
    expect(await member.refused(name)).toMatchObject({ status: 403, code: 'account_leaving' });
  expect((await fetch(`${server.url}/api/natsws?ticket=${ticket}`)).status).toBeGreaterThanOrEqual(400);
  expect(await member.ask('auth.profile')).toMatchObject({ deletionDueAt });
  const taken = { body: { email: member.email, password: 'some other phrase', name: 'Other' } };
  expect(await callerOf(server.url).refused('auth.register', taken)).toMatchObject({ code: 'email_taken' });
  const [letter] = (await lettersTo(server.dataDir, member.email, 2)).slice(-1);
  expect(letter?.text).toContain(new URL(server.url).port);

  expect(await callerOf(server.url).refused('auth.login', { body: { email: member.email, password: 'a guess' } })).toMatchObject({
    status: 401,
  });
  const session = await signIn(member.email);
  expect(session.user).toMatchObject({ deletionDueAt });
  const back = callerOf(server.url, session.accessToken);
  expect(await back.refused('project.list')).toMatchObject({ code: 'account_leaving' });
  await back.ask('account.takeBack');
  expect(await back.ask('project.list')).toHaveLength(1);
  expect(await member.ask('auth.profile')).toMatchObject({ deletionDueAt: null });
});

test('G8.07 the started runs of a deleted account stop, also one that started while it was locked', async () => {
  const ann = await signUpToRun(server.url);
  const run = await ann.start(await ann.pipeline('assistant', 'developer'), 'Go on', { pauseBetweenStepsMs: 60_000 });
  await ann.until(run.id, ({ steps }) => steps[0]?.status === 'completed');
  const statusOf = async (id: string) => (await database.pool.query('SELECT status FROM executions WHERE id = $1', [id])).rows[0]?.status;
  await ann.call('POST', '/account/deletion', { currentPassword: 'a long quiet river' });
  expect(await statusOf(run.id)).toBe('cancelled');
  await database.pool.query("UPDATE executions SET status = 'running' WHERE id = $1", [run.id]);
  await expect.poll(() => statusOf(run.id)).toBe('cancelled');
});

test('G8.08 an account whose removal has begun cannot be taken back, and a restarted server goes on with the removal', async () => {
  const member = await signUp(server.url);
  await remove(member);
  await database.pool.query('UPDATE users SET removal_began_at = now() WHERE id = $1', [member.id]);
  expect(await member.refused('account.takeBack')).toMatchObject({ status: 401 });
  expect(await callerOf(server.url).refused('auth.login', { body: { email: member.email, password: currentPassword } })).toMatchObject({
    status: 401,
  });
  await database.pool.query("UPDATE users SET removal_began_at = 'epoch', deletion_due_at = now() WHERE id = $1", [member.id]);
  await server.restart();
  await expect.poll(() => isRemoved(member.id)).toBe(true);
});

test('G8.08 two nodes remove a deleted account once', async () => {
  const other = await server.beside();
  const members = await Promise.all(Array.from({ length: 4 }, () => signUp(server.url)));
  const lent = () => database.pool.query("SELECT coalesce(sum(calls), 0)::int AS calls FROM left_spend WHERE model = 'twice'");
  try {
    for (const { id } of members)
      await database.pool.query(
        `INSERT INTO spend (id, user_id, provider, model, is_lent, prompt_tokens, completion_tokens, state)
          SELECT gen_random_uuid(), $1, 'openai', 'twice', true, 1, 1, 'settled' FROM generate_series(1, 1500)`,
        [id],
      );
    await Promise.all(members.map(remove));
    await Promise.all(members.map(({ id }) => endGrace(id)));
    for (const { id } of members) await expect.poll(() => isRemoved(id)).toBe(true);
    expect((await lent()).rows[0]).toEqual({ calls: 6_000 });
    expect(`${server.logs()}${other.logs()}`).not.toContain('was interrupted');
  } finally {
    await other.stop();
  }
});
