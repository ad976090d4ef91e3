import type { Agent } from '../../../contract/agent.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { RunAccount } from '../../support/run-account.ts';
import { demand } from './demand.ts';
import type { MeasuredServer } from './measured-server.ts';
import { countFromHere } from './step-statement.ts';

/** Agents of the team: their version is one value of many blocks. */
const agents = 100;

/** Returns the blocks for each agent that PostgreSQL reads for the plan of a released team with many agents. Its run is started, and stopped. */
export async function blocksOfLargePlan(server: MeasuredServer, account: RunAccount, task: string): Promise<number> {
  const { rows } = await server.database.query<Pick<Agent, 'id'>>(
    `INSERT INTO agents SELECT (jsonb_populate_record(agents, jsonb_build_object('id', gen_random_uuid(), 'name', 'agent-' || n,
       'system_prompt', (SELECT string_agg(md5(n || ' ' || word), ' ') FROM generate_series(1, 40) AS word)))).*
     FROM agents, generate_series(1, $2::integer) AS n WHERE agents.id = $1 RETURNING id`,
    [account.agent('developer').id, agents],
  );
  const steps = rows.map(({ id }, at) => ({ name: `Step ${at}`, agentId: id, nodeId: `node-${at}` }));
  const pipeline = demand(await account.call<Pipeline>('POST', '/Pipeline', { name: 'Large team', projectId: 'default', steps }), 201);
  const release = { pipelineId: pipeline.id, slug: 'large', title: 'Large', task };
  demand(await account.call('POST', '/project/default/released-teams', release), 201);
  await countFromHere(server);
  const { id } = demand(await account.call<{ id: string }>('POST', '/team/large/runs', { input: {} }), 202);
  const { rows: costs } = await server.database.query<{ blocks: number; calls: number }>(
    `SELECT (shared_blks_hit + shared_blks_read)::float / calls AS blocks, calls::integer
     FROM pg_stat_statements WHERE query LIKE 'SELECT json_build_object(%AS pipeline%team_versions%'`,
  );
  demand(await account.act(id, 'stop'), 200);
  if (costs.length !== 1) throw new Error(`${costs.length} statements read a plan.`);
  return (costs[0]?.blocks as number) / agents;
}
