import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restoreBackup, verifyBackup } from '../../../server/platform/database/backup/restore-backup.ts';
import { type Migration, migrate, readMigrations } from '../../../server/platform/database/migrate.ts';
import { callerOf } from '../../support/call-api.ts';
import { migrationsFolder, openTestDatabase, type TestDatabase } from '../../support/open-test-database.ts';
import { releasedPassword, releasedSecret, releases } from '../../support/releases/releases.ts';
import { startServer, startServerThatExits } from '../../support/start-server.ts';

let database: TestDatabase;
let folder: string;
let migrations: Migration[];
const made: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'artel-releases-'));
  migrations = await readMigrations(migrationsFolder);
});
afterAll(async () => {
  for (const name of made) await database.pool.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await database?.remove();
  await rm(folder, { recursive: true });
});

async function emptyDatabase(): Promise<string> {
  const name = `released_${process.pid}_${made.length}`;
  await database.pool.query(`CREATE DATABASE ${name}`);
  made.push(name);
  const url = new URL(database.connectionString);
  url.pathname = `/${name}`;
  return url.href;
}

async function rowsOf<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The migrations that a release had. */
const migrationsOf = async (path: string) => {
  const { migrations: ran } = await verifyBackup(path, migrations);
  return migrations.filter(({ name }) => ran.some((one) => one.name === name));
};
/** Fills a database with what a server of a release left, in that release's form. */
const load = async (path: string, url: string, { replace = false } = {}) =>
  restoreBackup(path, {
    ...{ connection: { connectionString: url }, replace, signal: new AbortController().signal },
    migrations: await migrationsOf(path),
  });
const environment = (url: string) => ({ DATABASE_URL: url, ARTEL_SECRET_KEY: releasedSecret, ARTEL_CLIENT: 'off' });
const tasks = 'SELECT initial_task AS task, id, status FROM executions ORDER BY initial_task COLLATE "C"';

test.each(releases)('R10.01 a server starts with a database of $name, all is there, and what was at work goes on', async ({ path }) => {
  const url = await emptyDatabase();
  await load(path, url);
  const left = await rowsOf<{ task: string; id: string; status: string }>(url, tasks);
  expect(left.map(({ task, status }) => [task, status === 'completed'])).toEqual([
    ['Asks a person', false],
    ['Ended before the upgrade', true],
    ['Under way', false],
  ]);
  const [asks = '', ended = '', underWay = ''] = left.map(({ id }) => id);
  const [person] = await rowsOf<{ email: string }>(url, 'SELECT email FROM users');
  const server = await startServer({ env: environment(url) });
  try {
    const signIn = { email: person?.email ?? '', password: releasedPassword };
    const { accessToken } = await callerOf(server.url).ask('auth.login', { body: signIn });
    const ann = callerOf(server.url, accessToken);
    expect((await ann.ask('project.list')).map(({ name }) => name).toSorted()).toEqual(['My first project', 'Тихая река']);
    expect((await ann.ask('agent.list')).length).toBeGreaterThan(0);
    const detailsOf = (id: string) => ann.ask('execution.details', { params: { id } });
    const before = await detailsOf(ended);
    expect(before).toMatchObject({ status: 'completed', steps: [{ status: 'completed' }, { status: 'completed' }] });
    expect(before.steps.every(({ result }) => (result ?? '').length > 0)).toBe(true);
    await expect.poll(async () => (await detailsOf(underWay)).status).toBe('completed');
    const [question] = await ann.ask('question.list', { query: { state: 'open' } });
    expect(question).toMatchObject({ executionId: asks });
    await ann.ask('question.answer', { params: { id: question?.id ?? '' }, body: { action: 'answer', text: 'Yes' } });
    await expect.poll(async () => (await detailsOf(asks)).status).toBe('completed');
    expect((await detailsOf(asks)).steps[0]).toMatchObject({ result: 'Yes' });
  } finally {
    await server.stop();
  }
});

test('R10.01 an older version refuses an upgraded database and says what to do, and its backup brings all back in an empty one', async () => {
  // The oldest one: newer ones may have all migrations.
  const { path } = releases[0] as (typeof releases)[number];
  const url = await emptyDatabase();
  await load(path, url);
  const earlier = join(folder, 'earlier');
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await migrate(pool, migrationsFolder);
    await mkdir(earlier);
    for (const { name } of await migrationsOf(path)) await copyFile(join(migrationsFolder, name), join(earlier, name));
    await expect(migrate(pool, earlier)).rejects.toThrow('was migrated by a newer version of Artel');
  } finally {
    await pool.end();
  }
  await expect(load(path, url, { replace: true })).rejects.toThrow(
    /migrated by a newer version of Artel \(.+\.sql\): restore into an empty one\.$/,
  );
  const back = await emptyDatabase();
  await load(path, back);
  expect(await rowsOf(back, tasks)).toEqual(await rowsOf(url, tasks));
  expect(await rowsOf(back, 'SELECT name FROM schema_migrations ORDER BY name')).toHaveLength((await migrationsOf(path)).length);
});

test('R10.01 a start with a database of a newer version changes nothing, and says what to do', async () => {
  const { path } = releases[0] as (typeof releases)[number];
  const url = await emptyDatabase();
  await load(path, url);
  await rowsOf(url, "INSERT INTO schema_migrations (name, checksum) VALUES ('9999_of_tomorrow.sql', 'x')");
  const before = await rowsOf(url, 'SELECT name FROM schema_migrations ORDER BY name');
  const { code, output } = await startServerThatExits({ ...environment(url), DATA_DIR: join(folder, 'data'), PORT: '0' });
  expect([code, output]).toEqual([
    1,
    expect.stringContaining(
      'Artel cannot start: The database was migrated by a newer version of Artel (9999_of_tomorrow.sql). Start that version, or restore a backup ' +
        'that this version made into an empty database.\n',
    ),
  ]);
  expect(await rowsOf(url, 'SELECT name FROM schema_migrations ORDER BY name')).toEqual(before);
});
