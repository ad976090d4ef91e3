import { openTestDatabase, type TestDatabase } from './open-test-database.ts';
import { startServer, type TestServer } from './start-server.ts';

/** A server on a PostgreSQL that the test can look into, and that outlives the server. */
export async function startServerOnDatabase(): Promise<{ database: TestDatabase; server: TestServer }> {
  const database = await openTestDatabase();
  const secret = { ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters' };
  const server = await startServer({ env: { ...secret, DATABASE_URL: database.connectionString, ARTEL_CLIENT: 'off' } });
  return { database, server };
}
