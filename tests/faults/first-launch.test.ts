import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalPostgres, startLocalPostgres } from '../../scripts/cluster/local-postgres.ts';
import { readMigrations } from '../../server/platform/database/migrate.ts';
import { makeOpenFolder } from '../support/database/make-open-folder.ts';
import { migrationsFolder } from '../support/open-test-database.ts';
import { signUp } from '../support/run-account.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let folder: Awaited<ReturnType<typeof makeOpenFolder>>;
let postgres: LocalPostgres;
let nodes: TestServer[] = [];

beforeEach(async () => {
  folder = await makeOpenFolder();
  postgres = await startLocalPostgres(join(folder.path, 'postgres'));
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await postgres?.stop();
  await folder?.remove();
});

test('R10.01 three nodes that start at once on an empty database migrate it once, and one account of three that sign up at once is staff', async () => {
  const secret = { ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters' };
  const env = { ...secret, DATABASE_URL: postgres.url, ARTEL_CLIENT: 'off' };
  const started = await Promise.allSettled([1, 2, 3].map(() => startServer({ env })));
  nodes = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  expect(started.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);

  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name');
  expect(rows.map(({ name }) => name)).toEqual((await readMigrations(migrationsFolder)).map(({ name }) => name));
  const listening = "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN %pgboss%'";
  await expect.poll(async () => (await client.query(listening)).rowCount).toBe(3);
  await client.end();

  const people = await Promise.all(nodes.map(({ url }) => signUp(url)));
  const profiles = await Promise.all(people.map((person) => person.call<{ isStaff: boolean }>('GET', '/auth/profile')));
  expect(profiles.map(({ body }) => body.isStaff).sort()).toEqual([false, false, true]);

  const [ann] = people;
  const [, second, third] = nodes;
  if (!ann || !second || !third) throw new Error('There are three nodes and three people.');
  const run = await ann.at(second).start(await ann.pipeline('assistant'), 'Begin');
  expect(await ann.at(third).until(run.id, ({ status }) => status === 'completed' || status === 'failed')).toMatchObject({
    status: 'completed',
  });
});
