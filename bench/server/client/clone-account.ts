import pg from 'pg';
import { makeAccessTokens } from '../../../server/modules/auth/access-tokens.ts';
import { readOrMakeSecret, secretKeyFrom } from '../../../server/platform/secrets/secret-key.ts';
import { embeddedAddress } from '../../../tests/support/database/embedded-address.ts';
import type { Account } from './account.ts';

export type Clone = { token: string; pipelineId: string };

/**
 * Copies an account with its project, first agent and pipeline `many` times, directly in the database of a server on this machine.
 * Thousands of sign-ups would take minutes of password hashing. The copies' tokens are signed as the server signs them.
 */
export async function cloneAccount(dataDir: string, account: Account, many: number): Promise<Clone[]> {
  const client = new pg.Client({ connectionString: await embeddedAddress(dataDir) });
  await client.connect();
  try {
    await client.query(
      `CREATE TEMP TABLE clones AS SELECT n, gen_random_uuid() AS u, gen_random_uuid() AS s, gen_random_uuid() AS p, gen_random_uuid() AS a,
         gen_random_uuid() AS l, gen_random_uuid() AS t FROM generate_series(1, ${Number(many)}) AS n`,
    );
    const { userId, pipelineId, agentIds } = account;
    const [agentId = ''] = agentIds;
    await copy(client, 'users', "'id', u, 'email', 'clone-' || n || '@example.com'", 'id', userId);
    await copy(client, 'sessions', "'id', s, 'user_id', u", 'user_id', userId);
    await copy(client, 'projects', "'id', p, 'user_id', u", 'user_id', userId);
    await copy(client, 'agents', "'id', a, 'user_id', u", 'id', agentId);
    await copy(client, 'pipelines', "'id', l, 'user_id', u, 'project_id', p", 'id', pipelineId);
    await copy(client, 'pipeline_steps', "'id', t, 'pipeline_id', l, 'agent_id', a", 'pipeline_id', pipelineId);
    const { rows } = await client.query<{ n: number; u: string; s: string; l: string }>('SELECT n, u, s, l FROM clones');
    const tokens = makeAccessTokens(secretKeyFrom(await readOrMakeSecret(dataDir)));
    return await Promise.all(
      rows.map(async ({ n, u, s, l }) => ({
        token: await tokens.sign({ id: u, email: `clone-${n}@example.com`, name: 'Bench' }, s, Date.now()),
        pipelineId: l,
      })),
    );
  } finally {
    await client.end();
  }
}

/** Every column as the original has it, but those that `changes` names. */
function copy(client: pg.Client, table: string, changes: string, key: string, value: string) {
  return client.query(
    `INSERT INTO ${table} SELECT made.* FROM ${table} AS original, clones,
       LATERAL jsonb_populate_record(original, jsonb_build_object(${changes})) AS made WHERE original.${key} = $1`,
    [value],
  );
}
