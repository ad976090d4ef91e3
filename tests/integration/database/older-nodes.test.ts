import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Budgets, Forecast } from '../../../contract/budget.ts';
import type { Canvas } from '../../../contract/canvas.ts';
import type { VersionComparison, VersionPage } from '../../../contract/canvas-version.ts';
import type { Comparison } from '../../../contract/executions/compare.ts';
import type { Execution, ExecutionDetails } from '../../../contract/executions/execution.ts';
import type { Fork } from '../../../contract/executions/fork.ts';
import type { Question } from '../../../contract/executions/question.ts';
import { Recording } from '../../../src/workers/engine/replay/recording.ts';
import type { TestDatabase } from '../../support/open-test-database.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { startServerOnDatabase } from '../../support/server-on-database.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import type { TestServer } from '../../support/start-server.ts';

let models: ModelServer;
let database: TestDatabase;
let server: TestServer;
let ann: RunAccount;

beforeAll(async () => {
  models = await startModelServer();
  ({ database, server } = await startServerOnDatabase({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }));
  ann = await signUp(server.url);
});
afterAll(async () => {
  await server?.stop();
  await database?.remove();
  await models?.close();
});

/** What a node without costs, budgets, forks and versions does not write: the columns since migration 0041, and parts of events. */
const newer: Record<string, readonly string[]> = {
  executions: ['budget_hold', 'unpriced_allowed', 'limited', 'parent_id', 'forked_at', 'canvas_version', 'approved_tools'],
  execution_steps: ['cost', 'input_hash', 'reused_from', 'tried_model'],
  execution_events: [],
};

/** Writes a run again as a node of the earlier release writes it: under a new id, without the newer columns and parts of events. */
async function asOlderNode(id: string): Promise<string> {
  const [{ copy } = { copy: '' }] = (await database.pool.query<{ copy: string }>('SELECT gen_random_uuid() AS copy')).rows;
  for (const [table, own] of [
    ['executions', 'id'],
    ['execution_steps', 'execution_id'],
    ['execution_events', 'execution_id'],
  ] as const) {
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 AND column_name <> ALL ($2)`,
      [table, newer[table]],
    );
    const written = rows.map(({ name }) => name);
    const values = written.map((name) => (name === own ? '$2::uuid' : name === 'event' ? olderEvent : name));
    await database.pool.query(`INSERT INTO ${table} (${written.join(', ')}) SELECT ${values.join(', ')} FROM ${table} WHERE ${own} = $1`, [
      id,
      copy,
    ]);
  }
  // From before a run kept the version of its canvas.
  await database.pool.query('UPDATE executions SET canvas_version = NULL, job_id = NULL WHERE id = $1', [copy]);
  return copy;
}

const olderEvent = `jsonb_set(event - 'changedSteps' - 'question' - 'call' - 'holds' - 'limited', '{executionId}', to_jsonb($2::text))
  || CASE jsonb_typeof((event->'step')) WHEN 'object' THEN jsonb_build_object('step', (event->'step') - 'cost' - 'reusedFrom' - 'isEdited' - 'toolUse')
    ELSE '{}'::jsonb END`;

const completed = (id: string) => ann.until(id, ({ status }) => status === 'completed');
const statuses = ({ steps }: Pick<ExecutionDetails, 'steps'>) => steps.map(({ status }) => status);

test('G5.02 G4.10 G5.10 G7.01 a run that an older node has stored is shown, forked, compared, forecast from and played', async () => {
  const made = await ann.pipeline('developer', 'qa');
  const first = await completed((await ann.start(made, 'From before')).id);
  const id = await asOlderNode(first.id);
  const old = await ann.details(id);
  expect(old).toMatchObject({ status: 'completed', steps: first.steps.map(({ result, usage }) => ({ result, usage })) });
  expect(old.steps.some(({ cost }) => cost !== undefined)).toBe(false);
  const { body: run } = await ann.call<Execution>('GET', `/PipelineExecution/${id}`);
  expect([run.parentId, run.forkedAt, run.canvasVersion]).toEqual([undefined, undefined, undefined]);

  const from = { stepId: old.steps[1]?.stepId ?? '', round: 0, item: 0 };
  const { body: preview } = await ann.call<Fork>('POST', `/PipelineExecution/${id}/fork`, { from, dryRun: true });
  expect(preview.steps.map(({ state, reason }) => [state, reason])).toEqual([
    ['rerun', 'unknown'],
    ['rerun', 'follows'],
  ]);
  const { body: fork } = await ann.call<Fork>('POST', `/PipelineExecution/${id}/fork`, { from });
  const again = await completed(fork.execution?.id ?? '');
  expect(statuses(again)).toEqual(['completed', 'completed']);
  const { body: compared } = await ann.call<Comparison>('GET', `/PipelineExecution/compare?left=${id}&right=${again.id}`);
  expect(compared.steps.map(({ left, right }) => [left?.cost, right?.cost !== undefined])).toEqual(Array(2).fill([undefined, true]));
  const agentIds = first.steps.map(({ agentId }) => agentId);
  const { body: forecast } = await ann.call<Forecast>('POST', '/budget/forecast', { projectId: 'default', agentIds });
  // The fork has paid for a part of its steps only.
  expect(forecast).toMatchObject({ runs: 2, tokens: { min: expect.any(Number) } });
  expect(forecast.tokens.min).toBeGreaterThan(0);

  const events = await ann.logs(id);
  const recording = new Recording(old, null, events);
  expect(recording.runAt(events.length)).toMatchObject({ phase: 'stopped', execution: { status: 'completed' } });
  expect(statuses(recording.runAt(events.length))).toEqual(['completed', 'completed']);
  expect(statuses(recording.runAt(0))).toEqual(['pending', 'pending']);
  expect(recording.lines.length).toBeGreaterThan(2);
});

test('G4.09 G4.07 a run that an older node has begun goes on here within the budgets of its owner', async () => {
  models.answer({ kind: 'hang' });
  const before = models.calls.length;
  const { id } = await ann.start(await ann.pipeline('developer', 'qa', 'analyst'), 'Half done');
  await models.call(before + 1);
  await ann.act(id, 'pause');
  models.answer({ kind: 'text', text: 'Done.' });
  models.release('Begun.');
  await ann.until(id, ({ status }) => status === 'paused');
  const old = await asOlderNode(id);
  expect((await ann.call('PUT', '/budget', { scope: 'user', span: 'run', calls: 1 })).status).toBe(200);
  await ann.act(old, 'resume');
  await ann.until(old, ({ openQuestions }) => openQuestions === 1);
  const { body: questions } = await ann.call<Question[]>('GET', `/PipelineExecution/${old}/questions`);
  expect(questions[0]?.budget).toMatchObject({ kind: 'calls', limit: 1, used: 1 });
  await ann.call('POST', `/question/${questions[0]?.id}/answer`, { action: 'asMuchAgain' });
  expect(statuses(await completed(old))).toEqual(['completed', 'completed', 'completed']);
  const { body } = await ann.call<Budgets>('GET', `/budget?executionId=${old}`);
  expect(body.budgets).toMatchObject([{ scope: 'user', span: 'run', used: { calls: 2, reservedTokens: 0 } }]);
});

test('G6.02 G6.03 changes that an older node has stored are listed, read and compared', async () => {
  const { body: project } = await ann.call<{ id: string }>('POST', '/project', { name: 'Older changes' });
  const card = (id: string) => ({ id, type: 'start', title: `Card ${id}`, x: 0, y: 0 });
  for (const [baseVersion, id] of ['a', 'b'].entries()) {
    const patches = [{ op: 'set', collection: 'nodes', id, value: card(id) }];
    const saved = await ann.call('PATCH', `/project/${project.id}/canvas`, { baseVersion: baseVersion + 1, patches });
    expect(saved.status).toBe(200);
  }
  // A node from before migration 0050 does not say where the changes of a canvas begin.
  await database.pool.query('UPDATE canvas_changes SET is_start = DEFAULT WHERE project_id = $1', [project.id]);
  const { body: list } = await ann.call<VersionPage>('GET', `/project/${project.id}/versions`);
  expect(list.items[0]).toMatchObject({ version: 3 });
  for (const [version, ids] of [[], ['a'], ['a', 'b']].entries()) {
    const { body } = await ann.call<Canvas>('GET', `/project/${project.id}/versions/${version + 1}`);
    expect(Object.keys(body.nodes)).toEqual(ids);
  }
  const { body } = await ann.call<VersionComparison>('GET', `/project/${project.id}/versions/compare?left=1&right=3`);
  expect(body.nodes.map(({ id }) => id).toSorted()).toEqual(['a', 'b']);
});

test('R23.01 a negative duration that an earlier release has stored is mended by the update', async () => {
  const { id } = await ann.start(await ann.pipeline('assistant'), 'Once upon a clock');
  await ann.until(id, ({ status }) => status === 'completed');
  await database.pool.query('UPDATE execution_steps SET duration_ms = -7 WHERE execution_id = $1', [id]);
  await database.pool.query(
    `UPDATE execution_events SET event = jsonb_set(event, '{step,durationMs}', '-7') WHERE execution_id = $1 AND event->>'type' = 'step.completed'`,
    [id],
  );
  await database.pool.query(await readFile('server/migrations/0057_no_negative_durations.sql', 'utf8'));
  expect((await ann.details(id)).steps.map(({ durationMs }) => durationMs)).toEqual([0]);
  const ends = (await ann.logs(id)).filter(({ type }) => type === 'step.completed');
  expect(ends.map(({ step }) => step?.durationMs)).toEqual([0]);
});
