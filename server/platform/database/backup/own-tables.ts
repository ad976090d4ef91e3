import pg from 'pg';
import type { Migration } from '../migrate.ts';
import { readCreatedObjects } from './created-objects.ts';

/** Drops everything that any version's migrations have created. Objects of others that depend on it prevent that. */
export async function dropCreatedObjects(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const made = readCreatedObjects(migrations);
  const drop = async (kind: string, names: string[]) => {
    if (names.length > 0) await client.query(`DROP ${kind} IF EXISTS ${names.map(pg.escapeIdentifier).join(', ')}`);
  };
  await drop('VIEW', made.views);
  await drop('TABLE', [...made.tables, ...made.droppedTables, 'schema_migrations']);
  await drop('FUNCTION', made.functions);
  await drop('SEQUENCE', made.sequences);
  await drop('TYPE', made.types);
}

/** Returns the quoted names of the existing tables. */
export async function existingTables(client: pg.Client, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT quote_ident(name) AS name FROM unnest($1::text[]) AS wanted (name) WHERE to_regclass(quote_ident(name)) IS NOT NULL',
    [tables],
  );
  return rows.map(({ name }) => name);
}

type ForeignKey = { table: string; name: string; definition: string };

/** Lets tables be filled in any order. Dropped constraints are created again at the end, and so are checked. */
export async function dropForeignKeys(client: pg.Client, tables: string[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE contype = 'f' AND conrelid = ANY (SELECT to_regclass(name) FROM unnest($1::text[]) AS own (name))`,
    [await existingTables(client, tables)],
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return rows;
}

/** Disables triggers: their effects are in the rows. */
export async function switchTriggers(client: pg.Client, tables: string[], how: 'ENABLE' | 'DISABLE'): Promise<void> {
  for (const name of await existingTables(client, tables)) await client.query(`ALTER TABLE ${name} ${how} TRIGGER USER`);
}

/** Sets sequences to continue after the numbers in use. */
export async function setSequences(client: pg.Client, tables: string[]): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `SELECT own.name AS table, quote_ident(attname) AS column, pg_get_serial_sequence(own.name, attname) AS sequence
     FROM unnest($1::text[]) AS own (name) JOIN pg_attribute ON attrelid = to_regclass(own.name)
     WHERE attnum > 0 AND NOT attisdropped AND pg_get_serial_sequence(own.name, attname) IS NOT NULL`,
    [await existingTables(client, tables)],
  );
  for (const { table, column, sequence } of rows) {
    await client.query(`SELECT setval($1::regclass, (SELECT coalesce(max(${column}), 0) + 1 FROM ${table}), false)`, [sequence]);
  }
}
