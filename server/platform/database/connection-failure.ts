import type pg from 'pg';
import { createClient } from './create-connection.ts';

/** Connects to a database and queries it once. Returns why that fails; null where it succeeds. */
export async function connectionFailure(config: pg.ClientConfig): Promise<(Error & { code?: unknown }) | null> {
  const client = createClient({ ...config, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    await client.query('SELECT 1');
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end().catch(() => {});
  }
}
