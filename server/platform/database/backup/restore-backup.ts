import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { createClient } from '../create-connection.ts';
import { type Migration, makeMigrationsTable, migrationLock, runMigration } from '../migrate.ts';
import { isLostConnection } from '../repeat-when-lost.ts';
import { type BackupHeader, type BackupPart, type BackupTable, DamagedBackup, readParts } from './backup-file.ts';
import { readCreatedObjects, runtimeTables } from './created-objects.ts';
import { dropCreatedObjects, dropForeignKeys, existingTables, setSequences, switchTriggers } from './own-tables.ts';

type RestoreTarget = {
  connection: pg.ClientConfig;
  /** The migrations of this installation. */
  migrations: readonly Migration[];
  /** Whether existing rows may be removed. */
  replace: boolean;
  /** Aborts the restore without any change. */
  signal: AbortSignal;
};

/** Thrown when the backup may not go into this database; nothing was changed. */
class RestoreRefused extends Error {}

/** Thrown when the connection to the database was lost during the restore. */
class DatabaseLost extends Error {
  constructor(committing: boolean, cause: unknown) {
    const state = committing
      ? 'while all of it was confirmed: it holds either all of the backup or what it held before'
      : 'and it is as it was';
    super(`the connection to the database was lost, ${state}.`, { cause });
  }
}

/** Reads a backup file to its end and returns its header. Throws DamagedBackup, or RestoreRefused for a newer version. */
export async function verifyBackup(path: string, migrations: readonly Migration[]): Promise<BackupHeader> {
  let found: BackupHeader | null = null;
  for await (const part of readParts(path)) if (part.kind === 'header') found = part.header;
  if (!found) throw new DamagedBackup('the file is no backup.');
  const unknown = newest(found.migrations, migrations);
  if (unknown)
    throw new RestoreRefused(`the backup was made by a newer version of Artel, ${found.version} (${unknown}): restore it with that one.`);
  return found;
}

/** Returns the last migration that this installation lacks or has in another form; null when it knows all. */
function newest(ran: { name: string; checksum: string }[], migrations: readonly Migration[]): string | null {
  const unknown = ran.findLast(({ name, checksum }) => !migrations.some((one) => one.name === name && one.checksum === checksum));
  return unknown?.name ?? null;
}

/**
 * Replaces all of Artel's data in a database with a verified backup, in one transaction. The tables
 * are created in the backup's version, filled, and migrated to this one's. It needs only the right to create tables.
 */
export async function restoreBackup(path: string, target: RestoreTarget): Promise<{ tables: number; rows: number }> {
  const { signal, migrations } = target;
  const client = createClient({ ...target.connection, application_name: 'artel-restore' });
  const cut = () => void client.end();
  signal.addEventListener('abort', cut);
  let committing = false;
  try {
    await client.connect();
    await client.query("SET client_encoding = 'UTF8'; SET datestyle = 'ISO'; SET timezone = 'UTC'");
    await client.query("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '10s'");
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    await refuseWhileServed(client);
    await refuseNewer(client, migrations);
    if (!target.replace) await refuseRows(client, migrations);
    await dropCreatedObjects(client, migrations);
    const restored = await fill(client, readParts(path), migrations);
    committing = true;
    await client.query('COMMIT');
    return restored;
  } catch (error) {
    if (signal.aborted || !isLostConnection(error)) throw error;
    throw new DatabaseLost(committing, error);
  } finally {
    signal.removeEventListener('abort', cut);
    await client.end();
  }
}

/** Fills the database from the parts of a backup, and returns the number of rows. */
async function fill(client: pg.Client, parts: AsyncIterable<BackupPart>, migrations: readonly Migration[]) {
  const iterator = parts[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done || first.value.kind !== 'header') throw new DamagedBackup('the file is no backup.');
  const ran = first.value.header.migrations;
  const before = migrations.filter(({ name }) => ran.some((one) => one.name === name));
  await makeMigrationsTable(client);
  for (const migration of before) await runMigration(client, migration);

  const own = readCreatedObjects(before).tables;
  // The backup also holds the rows that migrations insert.
  await client.query(`TRUNCATE ${(await existingTables(client, own)).join(', ')}`);
  const keys = await dropForeignKeys(client, own);
  await switchTriggers(client, own, 'DISABLE');
  const filled = { tables: 0, rows: 0 };
  for await (const { table, rows } of tablesOf(iterator)) {
    if (!own.includes(table.name)) throw new RestoreRefused(`no migration of this version makes its table ${table.name}.`);
    const columns = table.columns.map(pg.escapeIdentifier).join(', ');
    const copy = client.query(copyFrom(`COPY ${pg.escapeIdentifier(table.name)} (${columns}) FROM STDIN`));
    await pipeline(rows, copy);
    filled.tables += 1;
    filled.rows += copy.rowCount;
  }
  await setSequences(client, own);
  await switchTriggers(client, own, 'ENABLE');
  for (const { table, name, definition } of keys) await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  for (const migration of migrations.filter((one) => !before.includes(one))) await runMigration(client, migration);
  return filled;
}

/** Yields each table with its rows, which must be read to their end before the next table. */
async function* tablesOf(parts: AsyncIterator<BackupPart>): AsyncGenerator<{ table: BackupTable; rows: AsyncGenerator<Buffer> }> {
  let part = await parts.next();
  const rows = async function* () {
    for (part = await parts.next(); !part.done && part.value.kind === 'rows'; part = await parts.next()) yield part.value.bytes;
  };
  while (!part.done && part.value.kind === 'table') yield { table: part.value.table, rows: rows() };
}

async function refuseWhileServed(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'artel' LIMIT 1",
  );
  if (rowCount !== 0) throw new RestoreRefused('a server is running on this database: stop every server first.');
}

async function refuseNewer(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  if ((await existingTables(client, ['schema_migrations'])).length === 0) return;
  const { rows } = await client.query<{ name: string; checksum: string }>('SELECT name, checksum FROM schema_migrations ORDER BY name');
  const unknown = newest(rows, migrations);
  if (unknown) throw new RestoreRefused(`this database was migrated by a newer version of Artel (${unknown}): restore into an empty one.`);
}

async function refuseRows(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const tables = readCreatedObjects(migrations).tables.filter((name) => !runtimeTables.includes(name));
  for (const name of await existingTables(client, tables)) {
    const { rowCount } = await client.query(`SELECT 1 FROM ${name} LIMIT 1`);
    if (rowCount !== 0) throw new RestoreRefused('this database is not empty: --replace puts the backup in the place of what is there.');
  }
}
