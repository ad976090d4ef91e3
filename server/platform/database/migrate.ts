import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { createPool } from './create-connection.ts';

/** The lock of the migrator on all nodes of the database. */
export const migrationLock = 4_118_500_001;

export type Migration = { name: string; sql: string; checksum: string };

/** Returns the migrations of a folder in the order of their numbers. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[\w-]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** Runs migrations on a connection of its own, without time limits, and waits for another node's. */
export async function migrateAt(connectionString: string, folder: string): Promise<string[]> {
  const pool = createPool({ connectionString, max: 1, keepAlive: true, application_name: 'artel' });
  try {
    return await migrate(pool, folder);
  } finally {
    await pool.end();
  }
}

/** What a start says that meets a database of a newer version. */
function newerDatabase(migration: string): string {
  return (
    `The database was migrated by a newer version of Artel (${migration}). Start that version, or restore a backup that this version made ` +
    'into an empty database.'
  );
}

/**
 * Runs each new migration in order, each in its own transaction.
 * Throws when an applied one was changed or removed: the tables would then not fit the code. Nothing is then done to a newer database.
 * Returns the names of the applied migrations.
 */
export async function migrate(pool: pg.Pool, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    await makeMigrationsTable(client);
    const { rows } = await client.query<{ name: string; checksum: string }>('SELECT name, checksum FROM schema_migrations');
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    const known = new Set(migrations.map((migration) => migration.name));
    const unknown = rows.find((row) => !known.has(row.name));
    if (unknown) throw new Error(newerDatabase(unknown.name));
    const ran: string[] = [];
    for (const migration of migrations) {
      const checksum = applied.get(migration.name);
      if (checksum === undefined) {
        await apply(client, migration);
        ran.push(migration.name);
      } else if (checksum !== migration.checksum) {
        throw new Error(`The migration ${migration.name} was changed after it had run on this database.`);
      }
    }
    return ran;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [migrationLock]).catch(() => {});
    client.release();
  }
}

export async function makeMigrationsTable(client: pg.ClientBase): Promise<void> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  );
}

/** Runs one migration and records it, in the caller's transaction. */
export async function runMigration(client: pg.ClientBase, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [migration.name, migration.checksum]);
  } catch (error) {
    throw new Error(`The migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  // Its commit does not wait for the disk. A power failure loses only the last migrations, which then run again: a later commit also
  // writes them to the disk.
  await client.query('BEGIN; SET LOCAL synchronous_commit = off');
  try {
    await runMigration(client, migration);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
