import type { Database } from './database.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { openPools } from './open-pools.ts';

export type DatabaseChoice = { kind: 'embedded'; dataDir: string } | { kind: 'external'; url: string };

/**
 * Opens the database and answers once it can be queried.
 * Losing it later never ends the process: queries fail until it is back. `note` is told what an operator should know.
 */
export async function openDatabase(choice: DatabaseChoice, note: (line: string) => void): Promise<Database> {
  if (choice.kind === 'external') {
    const { end, ...pools } = openPools({ connectionString: choice.url }, note);
    try {
      await pools.pool.query('SELECT 1');
    } catch (cause) {
      await end();
      throw new Error(`The database of DATABASE_URL cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause,
      });
    }
    return { ...pools, connectionString: choice.url, embedded: false, close: end };
  }
  const postgres = await startEmbeddedPostgres(choice.dataDir, note);
  const { connection } = postgres;
  const { end, ...pools } = openPools(connection, note);
  return {
    ...pools,
    connectionString: urlOf(connection),
    embedded: true,
    close: async () => {
      await end();
      await postgres.stop();
    },
  };
}

function urlOf(connection: { host: string; port: number; user: string; password: string; database: string }): string {
  const { host, port, user, password, database } = connection;
  if (!host.startsWith('/')) return `postgresql://${user}:${password}@${host}:${port}/${database}`;
  return `postgresql://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}
