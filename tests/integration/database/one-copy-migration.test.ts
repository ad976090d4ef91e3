import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../server/platform/database/migrate.ts';
import { migrationsFolder, openTestDatabase, type TestDatabase } from '../../support/open-test-database.ts';

const changed = '0028_one_copy_of_an_answer.sql';
let database: TestDatabase;
let before: string;
let pool: pg.Pool;

beforeAll(async () => {
  database = await openTestDatabase();
  before = await mkdtemp(join(tmpdir(), 'artel-migrations-'));
  for (const name of await readdir(migrationsFolder)) if (name < changed) await copyFile(join(migrationsFolder, name), join(before, name));
  const name = `before_${process.pid}`;
  await database.pool.query(`CREATE DATABASE ${name}`);
  const url = new URL(database.connectionString);
  url.pathname = `/${name}`;
  pool = new pg.Pool({ connectionString: url.href });
  await migrate(pool, before);
});
afterAll(async () => {
  await pool?.end();
  await database?.pool.query(`DROP DATABASE IF EXISTS before_${process.pid}`);
  await database?.remove();
  await rm(before, { recursive: true });
});

const id = (number: number) => `01934567-89ab-7cde-8f01-${String(number).padStart(12, '0')}`;

/** A run of two steps as earlier versions stored it: its answer in the last step, in the run and in the history. */
async function storeRun(number: number, run: { status: string; answer: string | null; finalResult: string }) {
  await pool.query(
    `INSERT INTO executions (id, user_id, project_id, pipeline_id, status, initial_task, language, result, steps_total, timeout_seconds)
      VALUES ($1, $2, $2, $2, $3, 'Task', 'en', $4, 2, 60)`,
    [id(number), id(1), run.status, run.answer],
  );
  await pool.query(
    `INSERT INTO execution_steps (execution_id, step_id, order_index, name, agent_id, agent_title, role, system_prompt, timeout_seconds, status, result)
      SELECT $1, gen_random_uuid(), place, 'Step', $2, 'Agent', 'qa', '', 60, 'completed', CASE place WHEN 1 THEN $3 ELSE 'First' END
      FROM generate_series(0, 1) AS place`,
    [id(number), id(1), run.answer],
  );
  await pool.query(
    `INSERT INTO results (id, user_id, project_id, pipeline_execution_id, user_request, final_result, summary, tags, type, status)
      VALUES ($1, $2, $2, $1, 'İstanbul Request', $3, 'Summary', 'Tags', 2, 2)`,
    [id(number), id(1), run.finalResult],
  );
}

test('W7.06 an upgrade moves each final answer to its one place, and what people wrote stays', async () => {
  await pool.query("INSERT INTO users (id, email, name, password_hash) VALUES ($1, 'ann@example.com', 'Ann', '')", [id(1)]);
  await pool.query("INSERT INTO projects (id, user_id, name, status, canvas_version) VALUES ($1, $1, 'One', 'active', 1)", [id(1)]);
  await pool.query("INSERT INTO pipelines (id, user_id, project_id, name, status) VALUES ($1, $1, $1, 'One', 'ready')", [id(1)]);
  const long = `The Answer ${'words '.repeat(20_000)}`;
  await storeRun(11, { status: 'completed', answer: long, finalResult: long });
  await storeRun(12, { status: 'completed', answer: 'Its answer', finalResult: 'Rewritten By Hand' });
  await storeRun(13, { status: 'failed', answer: null, finalResult: 'The Reason' });

  expect(await migrate(pool, migrationsFolder)).toContain(changed);

  const { rows } = await pool.query(
    `SELECT coalesce(final_result, step.result) AS shown, final_result IS NULL AS moved, search_text, length(answer_search_text) AS searched
      FROM results JOIN execution_steps AS step ON execution_id = pipeline_execution_id AND order_index = 1 ORDER BY results.id`,
  );
  expect(rows.map(({ shown, moved, searched }) => [shown === long ? 'long' : shown, moved, searched])).toEqual([
    ['long', true, 65_536],
    ['Rewritten By Hand', false, null],
    ['The Reason', false, null],
  ]);
  expect(rows.map(({ search_text }) => search_text.split('\n').slice(1))).toEqual([
    ['summary', 'tags', ''],
    ['summary', 'tags', 'rewritten by hand'],
    ['summary', 'tags', 'the reason'],
  ]);
  const { rows: found } = await pool.query("SELECT 1 FROM results WHERE strpos(answer_search_text, 'the answer words') = 1");
  expect(found).toHaveLength(1);
});
