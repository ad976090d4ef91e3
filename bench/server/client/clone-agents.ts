import pg from 'pg';
import { embeddedAddress } from '../../../tests/support/database/embedded-address.ts';
import type { Account } from './account.ts';

/** Copies the first agent of an account `many` times, directly in the database of a server on this machine. Returns the ids of the copies. */
export async function cloneAgents(dataDir: string, { agentIds }: Account, many: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: await embeddedAddress(dataDir) });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO agents SELECT made.* FROM agents AS original, generate_series(1, $2::int) AS n,
         LATERAL jsonb_populate_record(original, jsonb_build_object('id', gen_random_uuid(), 'name', original.name || '-' || n)) AS made
       WHERE original.id = $1 RETURNING id`,
      [agentIds[0], many],
    );
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}
