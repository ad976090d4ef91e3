import { openTestDatabase, type TestDatabase } from './open-test-database.ts';
import { startServer, type TestServer } from './start-server.ts';

/** One of several servers: `beside` starts another with the same settings but these, so on the same database unless they name another. */
export type ServerAmongOthers = TestServer & { beside: (other?: Record<string, string>) => Promise<TestServer> };

/** Starts a server on a new PostgreSQL that the test can query, and that outlives the server. */
export async function startServerOnDatabase(
  more: Record<string, string> = {},
): Promise<{ database: TestDatabase; server: ServerAmongOthers }> {
  const database = await openTestDatabase();
  const server = await startServerOn(database, more).catch(async (error) => {
    await database.remove();
    throw error;
  });
  return { database, server };
}

export async function startServerOn(database: TestDatabase, more: Record<string, string>): Promise<ServerAmongOthers> {
  const secret = { ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters' };
  const env = { ...secret, DATABASE_URL: database.connectionString, ARTEL_CLIENT: 'off', ...more };
  const server = await startServer({ env });
  return { ...server, beside: (other = {}) => startServer({ env: { ...env, ...other } }) };
}
