import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { createClient } from '../create-connection.ts';
import type { Migration } from '../migrate.ts';
import type { BackupHeader, BackupPart } from './backup-file.ts';
import { readCreatedObjects, runtimeTables } from './created-objects.ts';

type BackupSource = {
  connection: pg.ClientConfig;
  /** The migrations of this installation. */
  migrations: readonly Migration[];
  about: Pick<BackupHeader, 'createdAt' | 'version' | 'secret'>;
  /** Aborts the backup. */
  signal: AbortSignal;
  /** Called at the end with the number of rows. */
  onDone: (copied: { tables: number; rows: number }) => void;
};

/**
 * Yields the data of a database as of one moment, while others write. Throws when the database holds no data of Artel, or
 * was migrated by a newer version. A consumer that stops early ends the connection.
 */
export async function* takeBackup({ connection, migrations, about, signal, onDone }: BackupSource): AsyncGenerator<BackupPart> {
  const client = createClient({ ...connection, application_name: 'artel-backup' });
  const cut = () => void client.end();
  signal.addEventListener('abort', cut);
  try {
    await client.connect();
    await client.query("SET client_encoding = 'UTF8'; SET datestyle = 'ISO'; SET timezone = 'UTC'; SET extra_float_digits = 3");
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    const tables = await tablesIn(client, migrations);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // Locked before the first read, which sets the moment: no table changes its form afterwards.
    await client.query(`LOCK TABLE ${tables.map(pg.escapeIdentifier).join(', ')} IN ACCESS SHARE MODE`);
    yield { kind: 'header', header: { ...about, migrations: await migrationsIn(client, migrations) } };
    const copied = [];
    for (const name of tables.filter((table) => table !== 'schema_migrations')) {
      const columns = await columnsOf(client, name);
      yield { kind: 'table', table: { name, columns } };
      const copy = client.query(copyTo(`COPY ${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')}) TO STDOUT`));
      for await (const bytes of copy) yield { kind: 'rows', bytes: bytes as Buffer };
      copied.push(copy);
    }
    await client.query('COMMIT');
    yield { kind: 'end' };
    onDone({ tables: copied.length, rows: copied.reduce((sum, { rowCount }) => sum + rowCount, 0) });
  } finally {
    signal.removeEventListener('abort', cut);
    await client.end();
  }
}

/** Returns Artel's existing tables, without those that matter only while servers run. */
async function tablesIn(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  const wanted = ['schema_migrations', ...readCreatedObjects(migrations).tables.filter((name) => !runtimeTables.includes(name))];
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, position)
     WHERE to_regclass(quote_ident(name)) IS NOT NULL ORDER BY position`,
    [wanted],
  );
  const names = rows.map(({ name }) => name);
  if (!names.includes('schema_migrations')) throw new Error('The database holds nothing of Artel.');
  return names;
}

async function migrationsIn(client: pg.Client, known: readonly Migration[]): Promise<BackupHeader['migrations']> {
  const { rows } = await client.query<{ name: string; checksum: string }>('SELECT name, checksum FROM schema_migrations ORDER BY name');
  const unknown = rows.find(({ name }) => !known.some((migration) => migration.name === name));
  if (unknown) throw new Error(`The database was migrated by a newer version of Artel (${unknown.name}): back it up with that version.`);
  return rows;
}

/** Returns a table's columns without computed ones. */
async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = quote_ident($1)::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}
