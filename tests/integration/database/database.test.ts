import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { expect, test, vi } from 'vitest';
import { agentRelationships, agents } from '../../../server/modules/agents/index.ts';
import { emailVerifications, passwordResets, refreshTokens, sessions, users } from '../../../server/modules/auth/index.ts';
import { agentCommands } from '../../../server/modules/commands/index.ts';
import * as executionTables from '../../../server/modules/executions/store/tables.ts';
import * as fileTables from '../../../server/modules/files/tables.ts';
import { leadComments, leads } from '../../../server/modules/leads/index.ts';
import * as pipelineTables from '../../../server/modules/pipelines/tables.ts';
import { canvasConnections, canvasNodes, projects } from '../../../server/modules/projects/index.ts';
import * as resultTables from '../../../server/modules/results/tables.ts';
import { agentThoughts } from '../../../server/modules/thoughts/index.ts';
import { migrate } from '../../../server/platform/database/migrate.ts';
import { openDatabase } from '../../../server/platform/database/open-database.ts';
import { migrationsFolder } from '../../support/open-test-database.ts';
import { setUpDatabase } from '../../support/set-up/for-vitest.ts';
import { databaseIsEmbedded } from '../../support/test-services.ts';

const database = setUpDatabase();

const tables: PgTable[] = [
  ...[
    users,
    sessions,
    refreshTokens,
    passwordResets,
    emailVerifications,
    projects,
    canvasNodes,
    canvasConnections,
    agents,
    agentRelationships,
  ],
  ...[leads, leadComments, agentCommands, agentThoughts],
  ...[executionTables, fileTables, pipelineTables, resultTables].flatMap((module) => Object.values(module) as PgTable[]),
];

test('R10.01 the tables that the code knows are those that the migrations make, column by column', async () => {
  for (const table of tables) {
    const config = getTableConfig(table);
    const { rows } = await database.pool.query<{ name: string; type: string; required: boolean }>(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type, attnotnull AS required FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [config.name],
    );
    const real = rows.map(({ name, type, required }) => `${name} ${type} ${required}`).sort();
    const known = config.columns.map((column) => `${column.name} ${fullName(column.getSQLType())} ${column.notNull}`).sort();
    expect([config.name, known]).toEqual([config.name, real]);
  }
});

function fullName(type: string): string {
  const base = type.replace(/\(.*\)/, '');
  return { varchar: 'character varying' }[base] ?? base;
}

test('R10.01 migrations run once each, and one that was changed afterwards is refused', async () => {
  expect(await migrate(database.pool, migrationsFolder)).toEqual([]);
  const folder = await mkdtemp(join(tmpdir(), 'artel-migrations-'));
  try {
    await cp(migrationsFolder, folder, { recursive: true });
    await writeFile(join(folder, '0001_accounts.sql'), 'SELECT 1;');
    await expect(migrate(database.pool, folder)).rejects.toThrow('0001_accounts.sql was changed');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('R10.01 a migration that fails leaves nothing of itself behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'artel-migrations-'));
  await database.pool.query('CREATE DATABASE half');
  const { default: pg } = await import('pg');
  const url = new URL(database.connectionString);
  url.pathname = '/half';
  const pool = new pg.Pool({ connectionString: url.href });
  // PostgreSQL may be stopped before the last connections of an ended pool are closed.
  pool.on('error', () => {});
  try {
    await writeFile(join(folder, '0001_good.sql'), 'CREATE TABLE good (id int);');
    await writeFile(join(folder, '0002_bad.sql'), 'CREATE TABLE bad (id int); SELECT * FROM missing;');
    await expect(migrate(pool, folder)).rejects.toThrow('0002_bad.sql failed');
    const { rows } = await pool.query("SELECT to_regclass('good') IS NOT NULL AS good, to_regclass('bad') IS NOT NULL AS bad");
    expect(rows).toEqual([{ good: true, bad: false }]);
    await writeFile(join(folder, '0002_bad.sql'), 'CREATE TABLE bad (id int);');
    expect(await migrate(pool, folder)).toEqual(['0002_bad.sql']);
  } finally {
    await pool.end();
    await rm(folder, { recursive: true });
  }
});

test.runIf(databaseIsEmbedded)(
  'R10.01 the embedded database listens on a private socket only, and flushes what it acknowledges',
  async () => {
    const { rows } = await database.pool.query<{ name: string; setting: string }>(
      `SELECT name, setting FROM pg_settings WHERE name IN ('listen_addresses', 'fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums')`,
    );
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      ...{ listen_addresses: '', fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', data_checksums: 'on' },
    });
    const socketFolder = new URL(database.connectionString).searchParams.get('host') ?? '';
    expect((await stat(socketFolder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(database.dataDir, 'database.key'))).mode & 0o777).toBe(0o600);
  },
);

test('R10.01 letters are compared as people do, in Russian too', async () => {
  const { rows } = await database.pool.query("SELECT lower('ПРИВЕТ, Ёж') AS lowered, 'приёмка' ILIKE '%ЁМК%' AS found");
  expect(rows).toEqual([{ lowered: 'привет, ёж', found: true }]);
});

test.runIf(databaseIsEmbedded)(
  'R10.01 a second server on the same data folder is refused with one line, and the first keeps running',
  async () => {
    await expect(openDatabase({ kind: 'embedded', dataDir: database.dataDir }, () => {})).rejects.toThrow(
      /^Another Artel server is running on the data folder .+\.$/,
    );
    expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  },
);

test.runIf(databaseIsEmbedded)(
  'R10.01 a killed PostgreSQL is started again with the same folder and socket folder, and with all acknowledged writes',
  async () => {
    await database.pool.query('CREATE TABLE kept (id int)');
    await database.pool.query('INSERT INTO kept VALUES (1)');
    const pid = Number((await readFile(join(database.dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
    await rm(new URL(database.connectionString).searchParams.get('host') ?? '', { recursive: true });
    process.kill(pid, 'SIGKILL');
    const noted = 'PostgreSQL has ended; starting it again.';
    // The server looks by itself whether its PostgreSQL has ended.
    await vi.waitFor(() => expect(database.notes).toContain(noted), { timeout: 30_000, interval: 50 });
    const kept = async () => (await database.pool.query('SELECT id FROM kept')).rows;
    await vi.waitFor(async () => expect(await kept()).toEqual([{ id: 1 }]), { timeout: 30_000, interval: 100 });
  },
);

test('R10.01 an external database that cannot be reached is named, without its password', async () => {
  const url = 'postgres://artel:hush@127.0.0.1:9/artel';
  const refusal = openDatabase({ kind: 'external', url }, () => {});
  await expect(refusal).rejects.toThrow(/^The database of DATABASE_URL cannot be reached: /);
  await expect(refusal).rejects.not.toThrow(/hush/);
});

test.runIf(databaseIsEmbedded && process.getuid?.() === 0)(
  'R10.01 as root, a data folder that the account of PostgreSQL cannot enter gets its database in an open folder, and keeps it',
  async () => {
    const closed = await mkdtemp(join(tmpdir(), 'artel-closed-'));
    const notes: string[] = [];
    const open = () => openDatabase({ kind: 'embedded', dataDir: join(closed, 'data') }, (line) => notes.push(line));
    let cluster = '';
    try {
      const first = await open();
      await first.pool.query('CREATE TABLE kept (id int)');
      await first.close();
      cluster = (await readFile(join(closed, 'data', 'postgres.location'), 'utf8')).trim();
      expect(notes[0]).toContain(`the database is kept in ${dirname(cluster)}.`);
      const second = await open();
      expect((await second.pool.query("SELECT to_regclass('kept') IS NOT NULL AS kept")).rows).toEqual([{ kept: true }]);
      await second.close();
    } finally {
      await rm(closed, { recursive: true });
      if (cluster.startsWith('/var/lib/artel/data-')) await rm(dirname(cluster), { recursive: true });
    }
  },
);
