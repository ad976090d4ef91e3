import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { createClient } from '../create-connection.ts';

/** The lock of the one server of a data folder. */
const instanceLock = 4_118_500_000;

/** Thrown when the data folder is in use. */
export class AnotherServer extends Error {}

/** Takes the lock, on a connection that holds it until it ends. Throws `AnotherServer` when another server keeps it. */
export async function takeInstanceLock(config: pg.ClientConfig, dataDir: string, attempts = 50): Promise<pg.Client> {
  const client = createClient({ ...config, database: 'postgres' });
  await client.connect();
  // A killed server still holds the lock until PostgreSQL notices.
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [instanceLock]);
    if (rows[0]?.taken) return client;
    await delay(100);
  }
  await client.end();
  throw new AnotherServer(`Another Artel server is running on the data folder ${dataDir}. Stop it, or set another DATA_DIR.`);
}
