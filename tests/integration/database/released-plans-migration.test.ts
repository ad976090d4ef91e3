import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../server/platform/database/migrate.ts';
import { migrationsFolder, openTestDatabase, type TestDatabase } from '../../support/open-test-database.ts';

const changed = '0095_pipelines_of_releases.sql';
let database: TestDatabase;
let before: string;
let pool: pg.Pool;

beforeAll(async () => {
  database = await openTestDatabase();
  before = await mkdtemp(join(tmpdir(), 'artel-migrations-'));
  for (const name of await readdir(migrationsFolder)) if (name < changed) await copyFile(join(migrationsFolder, name), join(before, name));
  const name = `releases_${process.pid}`;
  await database.pool.query(`CREATE DATABASE ${name}`);
  const url = new URL(database.connectionString);
  url.pathname = `/${name}`;
  pool = new pg.Pool({ connectionString: url.href });
  await migrate(pool, before);
});
afterAll(async () => {
  await pool?.end();
  await database?.pool.query(`DROP DATABASE IF EXISTS releases_${process.pid}`);
  await database?.remove();
  await rm(before, { recursive: true });
});

const id = (number: number) => `01934567-89ab-7cde-8f01-${String(number).padStart(12, '0')}`;

test('K4.16 an upgrade makes a pipeline of the plan of each release, which then never changes', async () => {
  await pool.query("INSERT INTO users (id, email, name, password_hash) VALUES ($1, 'ann@example.com', 'Ann', '')", [id(1)]);
  await pool.query("INSERT INTO projects (id, user_id, name, status, canvas_version) VALUES ($1, $1, 'One', 'active', 1)", [id(1)]);
  await pool.query(
    `INSERT INTO team_versions (id, project_id, number, canvas_version, document, agents, settings, hash) VALUES ($1, $1, 1, 1, '{}', '{}', '{}', 'a')`,
    [id(1)],
  );
  await pool.query(
    `INSERT INTO released_teams (id, project_id, run_as, slug, title, task, input, at_once, created_at, updated_at)
      VALUES ($1, $1, $1, 'notes', 'Notes', '', '[]', 5, now(), now())`,
    [id(1)],
  );
  const step = { description: 'Words', agentId: id(7), timeoutSeconds: 60 };
  const graph = { links: [{ id: 'a', from: 'one', to: 'two' }], maxParallel: 3 };
  const plans = [
    {
      ...{ name: 'A graph', projectId: id(1), configuration: '{"a":1}', maxExecutionTimeSeconds: 600, ...graph },
      steps: [
        { ...step, name: 'First', nodeId: 'one', settings: { person: {} }, orderIndex: 0 },
        { ...step, name: 'Second', nodeId: 'two', groupId: 'g', orderIndex: 1 },
      ],
    },
    { name: 'A chain', projectId: id(1), configuration: '{}', links: null, steps: [{ ...step, name: 'Only', nodeId: null }] },
  ];
  for (const [at, plan] of plans.entries())
    await pool.query(
      `INSERT INTO team_releases (team_id, number, team_version_id, plan, released_by, released_at) VALUES ($1, $2, $1, $3, 'Ann', now())`,
      [id(1), at + 1, JSON.stringify(plan)],
    );
  await migrate(pool, migrationsFolder);
  const { rows } =
    await pool.query(`SELECT name, configuration, status, links, max_parallel, max_execution_time_seconds AS seconds, is_of_release,
      (SELECT json_agg(json_build_array(order_index, steps.name, steps.description, agent_id = '${id(7)}', node_id, settings, group_id) ORDER BY order_index)
        FROM pipeline_steps AS steps WHERE pipeline_id = pipelines.id) AS steps
    FROM team_releases JOIN pipelines ON pipelines.id = pipeline_id ORDER BY number`);
  const common = { status: 'ready', is_of_release: true };
  expect(rows).toEqual([
    {
      ...{ ...common, name: 'A graph', configuration: '{"a":1}', links: graph.links, max_parallel: 3, seconds: 600 },
      steps: [
        [0, 'First', 'Words', true, 'one', { person: {} }, null],
        [1, 'Second', 'Words', true, 'two', null, 'g'],
      ],
    },
    {
      ...{ ...common, name: 'A chain', configuration: '{}', links: null, max_parallel: null, seconds: null },
      steps: [[0, 'Only', 'Words', true, null, null, null]],
    },
  ]);
  await expect(pool.query('UPDATE team_releases SET number = 9')).rejects.toThrow('never changes');
});
