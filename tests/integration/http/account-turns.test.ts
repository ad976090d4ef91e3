import pg from 'pg';
import { expect, test } from 'vitest';
import { signUp } from '../../support/run-account.ts';
import { setUpAccount, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

/** More writes than the pool of a node has connections and places to wait. */
const many = 1_100;

const { database, server } = setUpServerOnDatabase(
  { ARTEL_ACCOUNT_PROJECTS: '10000' },
  { ownProcess: "Another account's waits are measured." },
);
const mallory = setUpAccount(server);

const writes = () => Array.from({ length: many }, (_, index) => mallory.call('POST', '/project', { name: `Project ${index}` }));

test(`R10.01 R19.01 ${many} writes of one account at once are stored or told to retry, and the writes of another account are stored`, async () => {
  const ben = await signUp(server.url);
  const sent = writes();
  const bens = await Promise.all(Array.from({ length: 20 }, (_, index) => ben.call('POST', '/project', { name: `Mine ${index}` })));
  expect(new Set(bens.map(({ status }) => status))).toEqual(new Set([201]));
  const answers = await Promise.all(sent);
  for (const { status, headers } of answers)
    if (status !== 201) expect([[429, 503].includes(status), Number(headers.get('retry-after')) > 0]).toEqual([true, true]);
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
});

test('R10.01 writes of one account that wait for a lock leave a connection to the writes and sign-ins of others', async () => {
  const ben = await signUp(server.url);
  const holder = new pg.Client({ connectionString: database.connectionString });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE projects IN SHARE MODE');
  let sent: ReturnType<typeof writes> = [];
  try {
    sent = writes();
    const waiting = async () =>
      (await database.pool.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"))
        .rowCount ?? 0;
    await expect.poll(waiting).toBeGreaterThan(1);
    const agent = { name: 'helper', title: 'Helper', role: 'assistant' };
    expect((await ben.call('POST', '/nuroagent', agent)).status).toBe(201);
    expect((await ben.signInAgain()).accessToken).toEqual(expect.any(String));
  } finally {
    await holder.end();
  }
  await Promise.all(sent);
});
