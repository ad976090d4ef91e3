import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Execution, ExecutionDetails } from '../../../contract/executions/execution.ts';
import type { Fork } from '../../../contract/executions/fork.ts';
import { untilLocked } from '../../support/database/until-locked.ts';
import type { TestDatabase } from '../../support/open-test-database.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { type ServerAmongOthers, startServerOnDatabase } from '../../support/server-on-database.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';

const hour = 60 * 60 * 1_000;

let models: ModelServer;
let database: TestDatabase;
let server: ServerAmongOthers;
let ann: RunAccount;
let original: ExecutionDetails;

beforeAll(async () => {
  models = await startModelServer();
  ({ database, server } = await startServerOnDatabase({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }));
  ann = await signUp(server.url);
  const { id } = await ann.start(await ann.pipeline('developer', 'qa', 'analyst'), 'Try me');
  original = await ann.until(id, ({ status }) => status === 'completed');
});
afterAll(async () => {
  await server?.stop();
  await database?.remove();
  await models?.close();
});

/** Tries the first step with another model, and waits until the trial has its result. */
async function tried(): Promise<string> {
  const from = { stepId: original.steps[0]?.stepId ?? '', round: 0, item: 0 };
  const model = { providerType: 'openai', model: 'another-model' };
  const { body } = await ann.call<Fork>('POST', `/PipelineExecution/${original.id}/fork`, { from, onlyStep: true, model });
  const id = body.execution?.id ?? '';
  await ann.until(id, ({ status }) => status === 'paused');
  return id;
}
const setAge = (id: string, ms: number) =>
  database.pool.query('UPDATE executions SET updated_at = $2 WHERE id = $1', [id, new Date(Date.now() - ms)]);
const statusOf = async (id: string) => (await ann.call<Execution>('GET', `/PipelineExecution/${id}`)).body.status;

test('G5.07 the server stops trials after a day without a choice; younger and chosen trials go on, and a failing one blocks no other', async () => {
  const [broken, left, younger, chosen, over] = [await tried(), await tried(), await tried(), await tried(), await tried()];
  await ann.act(over, 'resume');
  await ann.until(over, ({ status }) => status === 'completed');
  // Chosen, and paused by its user after the next step.
  await ann.act(chosen, 'next-step');
  await ann.until(chosen, ({ status, steps }) => status === 'paused' && steps[1]?.status === 'completed');
  for (const [id, age] of [
    [broken, 72 * hour],
    [left, 25 * hour],
    [younger, 23 * hour],
    [chosen, 96 * hour],
    [over, 96 * hour],
  ] as const)
    await setAge(id, age);
  await database.pool.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$;
    CREATE TRIGGER broken BEFORE UPDATE ON executions FOR EACH ROW WHEN (OLD.id = '${broken}') EXECUTE FUNCTION fail()`);
  const other = await server.beside();
  const stopped = await ann.until(left, ({ status }) => status === 'cancelled');
  expect(stopped.steps.map(({ status }) => status)).toEqual(['completed', 'pending', 'pending']);
  expect(stopped.steps[0]?.result).toMatch(/^Answer/);
  const runs = [broken, younger, chosen, over];
  expect(await Promise.all(runs.map(statusOf))).toEqual(['paused', 'paused', 'paused', 'completed']);
  await other.stop();
  await database.pool.query('DROP TRIGGER broken ON executions');
  for (const id of [broken, younger, chosen]) await ann.act(id, 'stop');
});

test('G5.07 a trial that changes while the server waits for its lock is not stopped, and can be chosen', async () => {
  const id = await tried();
  await setAge(id, 25 * hour);
  const lock = await database.pool.connect();
  try {
    await lock.query('BEGIN');
    await lock.query('SELECT FROM executions WHERE id = $1 FOR UPDATE', [id]);
    const other = await server.beside();
    // The server has found the trial, and waits to stop it.
    await untilLocked(database.pool, 'executions');
    await lock.query('UPDATE executions SET updated_at = now() WHERE id = $1', [id]);
    await lock.query('COMMIT');
    expect((await ann.act(id, 'resume')).status).toBe(200);
    expect((await ann.until(id, ({ status }) => status !== 'running')).status).toBe('completed');
    await other.stop();
  } finally {
    lock.release(true);
  }
});
