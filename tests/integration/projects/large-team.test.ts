import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectModelConfigs } from '../../../server/modules/agents/index.ts';
import { readPlan } from '../../../server/modules/pipelines/read-plan.ts';
import { storingTeam } from '../../../server/modules/team-versions/team-sql.ts';
import { type Statement, writeStatement } from '../../../server/platform/database/statement.ts';
import { asOwner } from '../../../server/platform/owner-id.ts';
import { openTestDatabase, type TestDatabase } from '../../support/open-test-database.ts';

const agents = 600;
const [user, project, version] = [v7(), v7(), v7()];
let database: TestDatabase;
let ids: string[];
/** The agents as they were when the version was stored. */
let stored: Map<string, unknown>;

beforeAll(async () => {
  database = await openTestDatabase();
  const { pool } = database;
  await pool.query(`INSERT INTO users (id, email, name, password_hash) VALUES ($1, 'ann@example.com', 'Ann', '')`, [user]);
  await pool.query(`INSERT INTO projects (id, user_id, name, status) VALUES ($1, $2, 'Large', 'active')`, [project, user]);
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO agents (id, user_id, name, title, role, system_prompt, provider_type, model, temperature, max_tokens, effort, fallback, base_url, folder_id)
      SELECT gen_random_uuid(), $1, 'agent-' || n, 'Agent ' || n, 'developer', repeat(md5(n::text), 20), 'custom', 'model-' || n, 0.5, n, 'high',
        CASE WHEN n % 2 = 0 THEN jsonb_build_object('connectionId', gen_random_uuid(), 'model', 'second') END, 'https://models.example.com/v1', 'folder'
      FROM generate_series(1, $2::integer) AS n RETURNING id`,
    [user, agents],
  );
  ids = rows.map(({ id }) => id);
  stored = await configs(statementFor(null));
  await pool.query(storingTeam({ id: version, userId: asOwner(user), projectId: project, agentIds: ids, createdBy: user, at: new Date() }));
  await pool.query(
    `UPDATE agents SET name = 'other', title = 'Other', system_prompt = '', model = 'other', max_tokens = 1, fallback = NULL, base_url = NULL`,
  );
});
afterAll(async () => {
  await database?.remove();
});

function statementFor(versionId: string | null): Statement {
  return writeStatement((place) => selectModelConfigs(asOwner(user), `SELECT unnest(${place(ids)}::uuid[])`, place, versionId));
}

/** The settings that a statement finds, by the ids of their agents. */
async function configs(statement: Statement): Promise<Map<string, unknown>> {
  const { rows } = await database.pool.query<{ agent: { id: string } }>(statement);
  return new Map(rows.map(({ agent }) => [agent.id, agent] as const).toSorted(([one], [other]) => one.localeCompare(other)));
}

test('R23.01 the agents of a version are as they were, also where they have changed since, and without those that are gone', async () => {
  const found = await configs(statementFor(version));
  expect(found.size).toBe(agents);
  expect(found).toEqual(stored);
  const [gone = '', ...left] = ids;
  await database.pool.query('DELETE FROM agents WHERE id = $1', [gone]);
  expect([...(await configs(statementFor(version))).keys()]).toEqual(left.toSorted((one, other) => one.localeCompare(other)));
  const one = writeStatement((place) => selectModelConfigs(asOwner(user), place(left[7]), place, version));
  expect(await configs(one)).toEqual(new Map([[left[7], stored.get(left[7] as string)]]));
});

test('R23.01 a version is unpacked once for all of its agents: the plan of a large team reads a few rows and blocks an agent', async () => {
  for (const { text, values } of [statementFor(version), await planStatement()]) {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      values,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan as PlanNode;
    const nodes = nodesOf(plan);
    expect(nodes.filter((node) => node['Function Name'] === 'jsonb_each').map((node) => node['Actual Loops'])).toEqual([1]);
    expect(nodes.reduce((sum, node) => sum + rowsOf(node), 0)).toBeLessThan(20 * agents);
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(12 * agents);
  }
});

/** The statement that reads the plan of a pipeline with all agents, as a start sends it. */
async function planStatement(): Promise<Statement> {
  const pipeline = v7();
  const { pool } = database;
  await pool.query(`INSERT INTO pipelines (id, user_id, project_id, name, status) VALUES ($1, $2, $3, 'Large', 'ready')`, [
    pipeline,
    user,
    project,
  ]);
  await pool.query(
    `INSERT INTO pipeline_steps (id, pipeline_id, order_index, name, agent_id, timeout_seconds)
      SELECT gen_random_uuid(), $1, at, 'Step ' || at, id, 60 FROM unnest($2::uuid[]) WITH ORDINALITY AS one (id, at)`,
    [pipeline, ids],
  );
  const sent: Statement[] = [];
  const run = async (statement: Statement) => {
    sent.push(statement);
    return [];
  };
  await readPlan(run, { modelConfigFrom: () => null })(asOwner(user), pipeline, version);
  return sent[0] as Statement;
}

type PlanNode = {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'Actual Loops': number;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Function Name'?: string;
  Plans?: PlanNode[];
};

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** The rows that a node has looked at. */
function rowsOf(node: PlanNode): number {
  return node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0));
}
