import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BackupPart, writeParts } from '../../../server/platform/database/backup/backup-file.ts';
import { readCreatedObjects, runtimeTables } from '../../../server/platform/database/backup/created-objects.ts';
import { restoreBackup, verifyBackup } from '../../../server/platform/database/backup/restore-backup.ts';
import { takeBackup } from '../../../server/platform/database/backup/take-backup.ts';
import { type Migration, migrate, readMigrations } from '../../../server/platform/database/migrate.ts';
import { migrationsFolder, openTestDatabase, type TestDatabase } from '../../support/open-test-database.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'artel-restore-'));
});
afterAll(async () => {
  await database?.remove();
  await rm(folder, { recursive: true });
});

let count = 0;
type Place = { pool: pg.Pool; connection: { connectionString: string } };

/** Creates a database with these migrations. */
async function place(migrations: Record<string, string> | null): Promise<Place & { migrations: Migration[] }> {
  const name = `place_${++count}`;
  await database.pool.query(`CREATE DATABASE ${name}`);
  const url = new URL(database.connectionString);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  // An ended pool does not wait until its connections are closed, and PostgreSQL may be stopped before that.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  const from = migrations === null ? migrationsFolder : await folderOf(migrations);
  await migrate(pool, from);
  return { pool, connection: { connectionString: url.href }, migrations: await readMigrations(from) };
}

async function folderOf(migrations: Record<string, string>): Promise<string> {
  const path = await mkdtemp(join(folder, 'migrations-'));
  for (const [name, sql] of Object.entries(migrations)) await writeFile(join(path, name), sql);
  return path;
}

const about = { createdAt: '2026-01-02T03:04:05.000Z', version: '0.1.0', secret: { check: 'x' } };
const never = new AbortController().signal;
const partsOf = ({ connection, migrations }: Place & { migrations: Migration[] }) =>
  takeBackup({ connection, migrations, about, signal: never, onDone: () => {} });

async function write(parts: AsyncIterable<BackupPart>): Promise<string> {
  const path = join(folder, `${++count}.backup`);
  await pipeline(writeParts(parts), createGzip(), createWriteStream(path));
  return path;
}

const restore = (path: string, to: Place & { migrations: Migration[] }, replace = false) =>
  restoreBackup(path, { connection: to.connection, migrations: to.migrations, replace, signal: never });

const old = {
  '0001_start.sql': `
    CREATE TYPE mood AS ENUM ('calm', 'busy');
    CREATE TABLE teams (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, lead_id int);
    CREATE TABLE people (id serial PRIMARY KEY, team_id int NOT NULL REFERENCES teams (id) ON DELETE CASCADE, boss_id int REFERENCES people (id),
      mood mood NOT NULL DEFAULT 'calm', name text NOT NULL, shouted text GENERATED ALWAYS AS (upper(name)) STORED);
    ALTER TABLE teams ADD CONSTRAINT teams_lead FOREIGN KEY (lead_id) REFERENCES people (id);
    CREATE FUNCTION count_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name := NEW.name || '!'; RETURN NEW; END $$;
    CREATE TRIGGER people_named BEFORE INSERT ON people FOR EACH ROW EXECUTE FUNCTION count_up();
    CREATE TABLE rate_limits (key text PRIMARY KEY);
    INSERT INTO teams (name) VALUES ('the first');`,
};
const fill = `
  INSERT INTO teams (name) VALUES ('quiet');
  INSERT INTO people (team_id, name) VALUES (2, 'Ann');
  INSERT INTO people (team_id, boss_id, mood, name) VALUES (2, 1, 'busy', E'Bob\\t\\\\N\\n\\\\.');
  UPDATE teams SET lead_id = 2 WHERE id = 2;
  INSERT INTO rate_limits VALUES ('spent');`;

test('R10.01 the backup knows of everything that the migrations make', async () => {
  const { pool, migrations } = await place(null);
  const made = readCreatedObjects(migrations);
  const { rows } = await pool.query<{ kind: string; name: string }>(
    `SELECT 'tables' AS kind, relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
     UNION SELECT 'views', relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')
     UNION SELECT 'functions', proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     UNION SELECT 'types', typname FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')`,
  );
  const real = (kind: string) => rows.filter((row) => row.kind === kind && row.name !== 'schema_migrations').map(({ name }) => name);
  for (const kind of ['tables', 'views', 'functions', 'types'] as const) expect(made[kind].toSorted()).toEqual(real(kind).toSorted());
  for (const name of runtimeTables) expect(made.tables).toContain(name);
  await pool.end();
});

test('R10.01 rows are restored unchanged, with circular foreign keys and with triggers, and sequences continue after them', async () => {
  const from = await place(old);
  await from.pool.query(fill);
  const path = await write(partsOf(from));
  const to = await place(old);
  expect(await restore(path, to, true)).toEqual({ tables: 2, rows: 4 });
  for (const table of ['teams', 'people']) {
    const rows = async ({ pool }: Place) => (await pool.query(`SELECT * FROM ${table} ORDER BY id`)).rows;
    expect(await rows(to)).toEqual(await rows(from));
  }
  expect((await to.pool.query('SELECT * FROM rate_limits')).rows).toEqual([]);
  const { rows } = await to.pool.query("INSERT INTO people (team_id, name) VALUES (2, 'Eve') RETURNING id, name");
  expect(rows).toEqual([{ id: 3, name: 'Eve!' }]);
  expect((await to.pool.query("INSERT INTO teams (name) VALUES ('third') RETURNING id")).rows).toEqual([{ id: 3 }]);
  await expect(to.pool.query('UPDATE teams SET lead_id = 9')).rejects.toThrow('teams_lead');
  await to.pool.query('UPDATE teams SET lead_id = NULL');
  await to.pool.query('DELETE FROM teams WHERE id = 2');
  expect((await to.pool.query('SELECT * FROM people')).rows).toEqual([]);
  await Promise.all([from.pool.end(), to.pool.end()]);
});

test('R10.01 a backup of an older version is restored into a newer database and migrated', async () => {
  const from = await place(old);
  await from.pool.query(fill);
  const path = await write(partsOf(from));
  const newer = {
    ...old,
    '0002_split.sql': 'ALTER TABLE people DROP COLUMN shouted; ALTER TABLE people ADD COLUMN rank int; UPDATE people SET rank = id * 10;',
  };
  const to = await place(newer);
  await restore(path, to, true);
  expect((await to.pool.query('SELECT id, rank FROM people ORDER BY id')).rows).toEqual([
    { id: 1, rank: 10 },
    { id: 2, rank: 20 },
  ]);
  expect((await to.pool.query('SELECT name FROM schema_migrations ORDER BY 1')).rows).toEqual([
    { name: '0001_start.sql' },
    { name: '0002_split.sql' },
  ]);

  const back = await write(partsOf(to));
  await expect(verifyBackup(back, from.migrations)).rejects.toThrow('made by a newer version of Artel, 0.1.0 (0002_split.sql)');
  await expect(
    verifyBackup(
      path,
      from.migrations.map((one) => ({ ...one, checksum: 'other' })),
    ),
  ).rejects.toThrow('(0001_start.sql)');
  await expect(restore(path, { ...to, migrations: from.migrations }, true)).rejects.toThrow('was migrated by a newer version');
  await Promise.all([from.pool.end(), to.pool.end()]);
});

test('R10.01 a backup is of one moment, also while data is written', async () => {
  const from = await place(old);
  await from.pool.query(fill);
  const parts = partsOf(from);
  const first = await parts.next();
  await from.pool.query("UPDATE teams SET name = 'loud' WHERE id = 2; INSERT INTO people (team_id, name) VALUES (2, 'Late')");
  const path = await write(
    (async function* () {
      if (!first.done) yield first.value;
      yield* parts;
    })(),
  );
  const to = await place(old);
  await restore(path, to, true);
  expect((await to.pool.query('SELECT name FROM teams ORDER BY id')).rows).toEqual([{ name: 'the first' }, { name: 'quiet' }]);
  expect((await to.pool.query('SELECT id FROM people ORDER BY id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
  await Promise.all([from.pool.end(), to.pool.end()]);
});

test('R10.01 a restore that fails on the way leaves the database as it was', async () => {
  const from = await place(old);
  await from.pool.query(fill);
  const to = await place(old);
  await to.pool.query("INSERT INTO teams (name) VALUES ('mine')");
  const state = async () => ({
    teams: (await to.pool.query('SELECT * FROM teams ORDER BY id')).rows,
    keys: (await to.pool.query("SELECT conname FROM pg_constraint WHERE contype = 'f' ORDER BY 1")).rows,
    migrations: (await to.pool.query('SELECT * FROM schema_migrations')).rows,
  });
  const before = await state();
  const altered = (change: (part: BackupPart) => BackupPart[]) =>
    write(
      (async function* () {
        for await (const part of partsOf(from)) yield* change(part);
      })(),
    );
  const rows = (part: BackupPart, text: string) => (part.kind === 'rows' ? [{ kind: 'rows' as const, bytes: Buffer.from(text) }] : [part]);
  const orphaned = await altered((part) =>
    part.kind === 'table' && part.table.name === 'teams' ? [part] : rows(part, '1\t7\t\\N\tcalm\tAnn\n'),
  );
  await expect(restore(orphaned, to, true)).rejects.toThrow();
  const unreadable = await altered((part) => rows(part, 'this is no row\n'));
  await expect(restore(unreadable, to, true)).rejects.toThrow(/invalid input syntax|missing data/);
  const foreign = await altered((part) =>
    part.kind === 'table' ? [{ kind: 'table', table: { ...part.table, name: 'pg_authid' } }] : [part],
  );
  await expect(restore(foreign, to, true)).rejects.toThrow('no migration of this version makes its table pg_authid');
  const whole = await write(partsOf(from));
  const cut = join(folder, 'cut.backup');
  await writeFile(cut, (await readFile(whole)).subarray(0, -20));
  await expect(restore(cut, to, true)).rejects.toThrow('cut short');
  await expect(restore(whole, to)).rejects.toThrow('not empty');
  expect(await state()).toEqual(before);
  await Promise.all([from.pool.end(), to.pool.end()]);
});

test('R10.01 a restore whose connection is cut while rows are written fails, and the database stays unchanged', async () => {
  const slow = {
    '0001_start.sql': `
      CREATE FUNCTION slow() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
        IF current_setting('application_name') = 'artel-restore' THEN PERFORM pg_sleep(0.1); END IF; RETURN true;
      END $$;
      CREATE TABLE teams (id serial PRIMARY KEY, name text NOT NULL CHECK (slow()));`,
  };
  const from = await place(slow);
  await from.pool.query(
    "INSERT INTO teams (name) SELECT (SELECT string_agg(md5(i || '.' || j), '') FROM generate_series(1, 300) AS j) FROM generate_series(1, 2000) AS i",
  );
  const path = await write(partsOf(from));
  const to = await place(slow);
  await to.pool.query("INSERT INTO teams (name) VALUES ('mine')");
  const restoring = expect(restore(path, to, true)).rejects.toThrow('the connection to the database was lost, and it is as it was');
  const sleeping =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'artel-restore' AND wait_event = 'PgSleep'";
  await expect.poll(async () => (await database.pool.query(sleeping)).rowCount).toBe(1);
  await restoring;
  expect((await to.pool.query('SELECT name FROM teams')).rows).toEqual([{ name: 'mine' }]);
  await Promise.all([from.pool.end(), to.pool.end()]);
});
