import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Database } from './database.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { SteadyPool } from './steady-pool.ts';

export type DatabaseChoice = { kind: 'embedded'; dataDir: string } | { kind: 'external'; url: string };

/**
 * Opens the database and answers once it can be queried.
 * Losing it later never ends the process: queries fail until it is back. `note` is told what an operator should know.
 */
export async function openDatabase(choice: DatabaseChoice, note: (line: string) => void): Promise<Database> {
  if (choice.kind === 'external') {
    const pool = makePool({ connectionString: choice.url }, note);
    try {
      await pool.query('SELECT 1');
    } catch (cause) {
      await pool.end();
      throw new Error(`The database of DATABASE_URL cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause,
      });
    }
    return { pool, db: drizzle(pool), connectionString: choice.url, embedded: false, close: () => pool.end() };
  }
  const postgres = await startEmbeddedPostgres(choice.dataDir, note);
  const { connection } = postgres;
  const pool = makePool(connection, note);
  return {
    pool,
    db: drizzle(pool),
    connectionString: urlOf(connection),
    embedded: true,
    close: async () => {
      await pool.end();
      await postgres.stop();
    },
  };
}

function makePool(config: pg.PoolConfig, note: (line: string) => void): pg.Pool {
  const pool = new SteadyPool({
    ...config,
    max: 12,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    application_name: 'artel',
  });
  pool.on('error', (error) => note(`A database connection was lost: ${error.message}`));
  return pool;
}

function urlOf(connection: { host: string; port: number; user: string; password: string; database: string }): string {
  const { host, port, user, password, database } = connection;
  if (!host.startsWith('/')) return `postgresql://${user}:${password}@${host}:${port}/${database}`;
  return `postgresql://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}
