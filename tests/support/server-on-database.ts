import { openTestDatabase, type TestDatabase } from './open-test-database.ts';
import type { RunningServer } from './server/open-test-server.ts';
import { startServer, type TestServer } from './start-server.ts';

/** One of several servers: `beside` starts another with the same settings but these, so on the same database unless they name another. */
export type ServerAmongOthers<S extends RunningServer = TestServer> = S & { beside: (other?: Record<string, string>) => Promise<S> };

type Start<S> = (options: { env: Record<string, string> }) => Promise<S>;

/** Starts a server in a process of its own, on a new PostgreSQL that the test can query, and that outlives the server. */
export async function startServerOnDatabase(
  more: Record<string, string> = {},
): Promise<{ database: TestDatabase; server: ServerAmongOthers }> {
  const database = await openTestDatabase();
  const server = await startServerOn(startServer, database, more).catch(async (error) => {
    await database.remove();
    throw error;
  });
  return { database, server };
}

export async function startServerOn<S extends RunningServer>(
  start: Start<S>,
  database: TestDatabase,
  more: Record<string, string>,
): Promise<ServerAmongOthers<S>> {
  const secret = { ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters' };
  const env = { ...secret, DATABASE_URL: database.connectionString, ARTEL_CLIENT: 'off', ...more };
  const server = await start({ env });
  return { ...server, beside: (other = {}) => start({ env: { ...env, ...other } }) };
}
