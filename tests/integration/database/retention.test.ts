import { expect, test } from 'vitest';
import type { Fork } from '../../../contract/executions/fork.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Question } from '../../../contract/executions/question.ts';
import { removeEndedExecutions, thinEndedExecutions } from '../../../server/modules/executions/index.ts';
import { createPreparedStatements } from '../../../server/platform/database/prepared-statements.ts';
import { copyRun } from '../../support/database/copy-run.ts';
import { setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const old = new Date(Date.now() - 31 * 86_400_000);
const justKept = new Date(Date.now() - 29 * 86_400_000);

const models = setUpModelServer();
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_BASE_URL: models.url }), { ownProcess: 'It is restarted.' });
const ann = setUpAccount(server);

const completed = (endedAt: Date) => ({ status: 'completed', started_at: endedAt, completed_at: endedAt, created_at: endedAt });
const runIds = async () => (await database.pool.query<{ id: string }>('SELECT id FROM executions')).rows.map(({ id }) => id);
const rowsOf = async (id: string) => {
  const tables = ['execution_steps', 'execution_events', 'execution_files', 'execution_contexts', 'agent_thoughts', 'agent_commands'];
  const counts = [...tables.map((table) => [table, 'execution_id']), ['results', 'pipeline_execution_id']].map(
    ([table, column]) => `(SELECT count(*) FROM ${table} WHERE ${column} = $1)`,
  );
  const { rows } = await database.pool.query<{ many: string }>(`SELECT ${counts.join(' + ')} AS many`, [id]);
  return Number(rows[0]?.many);
};
const completedRun = async (task: string) => {
  models.answer({ kind: 'text', text: 'Done\n\n```js path=a.js\nlet a;\n```', thoughts: 'Well.' });
  const run = await ann.start(await ann.pipeline('developer', 'qa'), task);
  await ann.until(run.id, ({ status }) => status === 'completed');
  return run.id;
};
/** Waits until a run has called its model. */
const modelCallOf = (id: string) =>
  expect.poll(() => models.calls.some(({ headers }) => String(headers['idempotency-key']).startsWith(id))).toBe(true);
const pausedRun = async () => {
  models.answer({ kind: 'hang' });
  const run = await ann.start(await ann.pipeline('developer', 'qa'), 'Paused');
  await modelCallOf(run.id);
  await ann.act(run.id, 'pause');
  models.release('Half');
  await ann.until(run.id, ({ status }) => status === 'paused');
  return run.id;
};
const setTimes = (id: string, at: Date) =>
  database.pool.query(
    `UPDATE executions SET created_at = $2, started_at = $2, updated_at = $2,
      completed_at = CASE WHEN completed_at IS NULL THEN NULL ELSE $2::timestamptz END WHERE id = $1`,
    [id, at],
  );

test('R23.01 a batch removes at most so many executions, and waits for no lock of another', async () => {
  const run = createPreparedStatements(database.work.pool);
  const ids = await copyRun(database.pool, await completedRun('Copy me'), 8, completed(old));
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM executions WHERE id = $1 FOR KEY SHARE', [ids[0]]);
    const first = await removeEndedExecutions(run, { before: justKept, limit: 5 });
    expect(first).toHaveLength(5);
    const second = await removeEndedExecutions(run, { before: justKept, limit: 5 });
    expect(second).toHaveLength(2);
    expect([...first, ...second].map(({ id }) => id)).not.toContain(ids[0]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  expect((await removeEndedExecutions(run, { before: justKept, limit: 5 })).map(({ id }) => id)).toEqual([ids[0]]);
  await database.pool.query('DELETE FROM executions');
});

test('R23.01 runs that ended before the retention period are removed with all their records, and no other run', async () => {
  const [gone, kept] = [await completedRun('Old'), await completedRun('Young')];
  const paused = await pausedRun();
  const body = { agentId: ann.agent('qa').id, request: 'Join', parameters: { executionId: gone } };
  const command = await ann.call<{ id: string; status: string }>('POST', '/agentcommand/execute-async', body);
  expect(command.body.status).toBe('completed');
  const resultOf = async (id: string) => (await ann.history()).find((item) => item.pipelineExecutionId === id)?.id;
  const [goneResult, keptResult] = [await resultOf(gone), await resultOf(kept)];
  await setTimes(gone, old);
  await setTimes(kept, justKept);
  await setTimes(paused, old);
  const many = await copyRun(database.pool, gone, 120, completed(old));
  const failed = await copyRun(database.pool, gone, 1, { status: 'failed', failed_at: old, created_at: old });
  expect(await rowsOf(gone)).toBeGreaterThan(10);

  await server.restart({ ARTEL_KEEP_RUNS_DAYS: '30' });
  await expect.poll(async () => (await runIds()).toSorted()).toEqual([kept, paused].toSorted());
  for (const id of [gone, ...many, ...failed]) expect(await rowsOf(id)).toBe(0);

  for (const path of [`/PipelineExecution/${gone}`, `/PipelineExecution/${gone}/files`, `/ProjectResultHistory/${goneResult}`]) {
    expect(await ann.call('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  expect(await ann.call('GET', `/agentcommand/status/${command.body.id}`)).toMatchObject({ status: 404 });
  expect((await ann.call('GET', `/ProjectResultHistory/${keptResult}`)).status).toBe(200);
  expect((await ann.history()).map(({ pipelineExecutionId }) => pipelineExecutionId).toSorted()).toEqual([kept, paused].toSorted());
  const [project] = (await ann.call<{ id: string }[]>('GET', '/project')).body;
  const statistics = await ann.call('GET', `/project/${project?.id}/statistics`);
  expect(statistics.body).toMatchObject({ totalExecutions: 2, successfulExecutions: 1, failedExecutions: 0 });
  expect((await ann.call('GET', `/ProjectResultHistory/project/${project?.id}/statistics`)).body).toMatchObject({ total: 2, completed: 1 });
  expect((await ann.call('GET', `/PipelineExecution/${kept}/pull-request`)).status).toBe(200);
  models.answer({ kind: 'text', text: 'Whole' });
  await ann.act(paused, 'resume');
  expect(await ann.until(paused, ({ status }) => status !== 'running')).toMatchObject({ status: 'completed', result: 'Whole' });
});

/** Rows of a run that are thinned. */
const turnsOf = async (id: string) => {
  const tables = ['execution_events', 'model_turns', 'tool_calls'];
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table} WHERE execution_id = $1)::int AS ${table}`);
  const { rows } = await database.pool.query<Record<string, number>>(`SELECT ${counts.join()}`, [id]);
  return rows[0];
};
const nothing = { execution_events: 0, model_turns: 0, tool_calls: 0 };
/** Gives the first step of a run a turn with a call, as tools make them. */
const addTurn = (id: string) =>
  database.pool.query(
    `WITH step AS (SELECT execution_id, step_id FROM execution_steps WHERE execution_id = $1 AND order_index = 0),
      turn AS (INSERT INTO model_turns (execution_id, step_id, turn, text, created_at) SELECT execution_id, step_id, 0, 'I look.', now() FROM step)
      INSERT INTO tool_calls (execution_id, step_id, turn, call_id, position, tool, effect, args, state, result, created_at)
        SELECT execution_id, step_id, 0, 'a', 0, 'read_file', 'read', '{}', 'done', 'Text', now() FROM step`,
    [id],
  );
/** All that a user can read of a run but its events and calls. */
const keptOf = async (id: string) => {
  const at = `/PipelineExecution/${id}`;
  const paths = [at, `${at}/files`, `${at}/questions`, `${at}/memory`, `${at}/statistics`];
  return Promise.all(paths.map(async (path) => (await ann.call<Record<string, unknown>>('GET', path)).body));
};

test('R23.01 a batch thins whole runs up to a number of events, and waits for no lock of another', async () => {
  const run = createPreparedStatements(database.work.pool);
  const ids = await copyRun(database.pool, await completedRun('Copy me'), 3, { ...completed(old), last_seq: 9_000 });
  const client = await database.pool.connect();
  const thin = async () => (await thinEndedExecutions(run, { before: justKept, limit: 50, now: new Date() })).isLast;
  const thinned = async () =>
    (await database.pool.query<{ id: string }>('SELECT id FROM executions WHERE thinned_at IS NOT NULL')).rows.map((row) => row.id);
  const others = ids.toSorted().slice(1);
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM executions WHERE id = $1 FOR UPDATE', [ids.toSorted()[0]]);
    expect(await thin()).toBe(false);
    // 9,000 events, and 9,000 more: the next run waits for the next batch.
    expect((await thinned()).toSorted()).toEqual(others);
    expect(await thin()).toBe(true);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  expect([await thin(), await thin()]).toEqual([false, true]);
  await database.pool.query('DELETE FROM executions');
});

test('R23.04 events and turns of old runs are removed, all else of them stays and says so, and no other run is changed', async () => {
  models.answer({ kind: 'text', text: 'Done\n\n```js path=a.js\nlet a;\n```', thoughts: 'Well.' });
  const agentId = ann.agent('developer').id;
  const steps = [
    { name: 'Write', agentId, nodeId: 'write' },
    { name: 'Ask', agentId, nodeId: 'ask', settings: { person: {} } },
  ];
  const { body: pipeline } = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Ask', projectId: 'default', steps });
  const { id: aged } = await ann.start(pipeline, 'Old');
  await ann.until(aged, ({ openQuestions }) => openQuestions === 1);
  const [question] = (await ann.call<Question[]>('GET', `/PipelineExecution/${aged}/questions`)).body;
  await ann.call('POST', `/question/${question?.id}/answer`, { action: 'answer', text: 'Yes' });
  await ann.until(aged, ({ status }) => status === 'completed');
  const [young, paused] = [await completedRun('Young'), await pausedRun()];
  for (const id of [aged, young, paused]) await addTurn(id);
  await setTimes(aged, old);
  await setTimes(young, justKept);
  await setTimes(paused, old);
  const dead = `INSERT INTO dead_letters (id, queue, job_id, died_at) VALUES (gen_random_uuid(), 'command', gen_random_uuid(), $1)`;
  for (const at of [old, justKept]) await database.pool.query(dead, [at]);
  const thought = `INSERT INTO agent_thoughts (id, user_id, agent_id, execution_id, content, created_at) VALUES (gen_random_uuid(), $1, $2, $3, 'Well', $4)`;
  for (const [of, at] of [
    [null, old],
    [null, justKept],
    [aged, old],
  ] as const)
    await database.pool.query(thought, [ann.userId, agentId, of, at]);
  const others = [await turnsOf(young), await turnsOf(paused)];
  const before = await keptOf(aged);
  expect(await turnsOf(aged)).toEqual({ execution_events: expect.any(Number), model_turns: 1, tool_calls: 1 });

  await server.restart({ ARTEL_KEEP_RUNS_DAYS: '', ARTEL_KEEP_EVENTS_DAYS: '30' });
  await expect.poll(() => turnsOf(aged)).toEqual(nothing);
  const [details, ...rest] = await keptOf(aged);
  expect(details).toEqual({ ...before[0], thinnedAt: expect.any(String) });
  expect(rest).toEqual(before.slice(1));
  expect((await ann.call('GET', `/PipelineExecution/${aged}/logs`)).body).toEqual([]);
  expect([await turnsOf(young), await turnsOf(paused)]).toEqual(others);
  expect(await ann.details(young)).not.toHaveProperty('thinnedAt');
  const left = async (table: string, where: string) =>
    (await database.pool.query<{ many: number }>(`SELECT count(*)::int AS many FROM ${table} WHERE ${where}`)).rows[0]?.many;
  expect(server.logs()).not.toContain('Removing what has run out failed');
  expect(await left('dead_letters', "queue = 'command'")).toBe(1);
  expect(await left('agent_thoughts', "content = 'Well'")).toBe(2);

  const stepId = (await ann.details(aged)).steps[1]?.stepId;
  const fork = await ann.call<Fork>('POST', `/PipelineExecution/${aged}/fork`, { from: { stepId } });
  expect(fork.status).toBe(202);
  await ann.act(fork.body.execution?.id ?? '', 'stop');
  await ann.act(paused, 'stop');
});

test('R23.04 without a setting the events of a run are kept for a year', async () => {
  const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const [aged, younger] = [await completedRun('Old'), await completedRun('Younger')];
  await setTimes(aged, dayAgo(366));
  await setTimes(younger, dayAgo(364));
  await server.restart({ ARTEL_KEEP_RUNS_DAYS: '', ARTEL_KEEP_EVENTS_DAYS: '' });
  await expect.poll(() => turnsOf(aged)).toEqual(nothing);
  expect((await turnsOf(younger))?.execution_events).toBeGreaterThan(0);
});

test('G5.07 runs with which a step was tried are stopped after a day without a choice, and no others that wait', async () => {
  models.answer({ kind: 'text', text: 'Done' });
  const original = await ann.start(await ann.pipeline('developer', 'qa', 'team-lead', 'assistant'), 'Try');
  const { steps } = await ann.until(original.id, ({ status }) => status === 'completed');
  const tryStep = async () => {
    const body = { from: { stepId: steps[1]?.stepId }, onlyStep: true, model: { providerType: 'openai', model: 'other' } };
    const fork = await ann.call<Fork>('POST', `/PipelineExecution/${original.id}/fork`, body);
    const id = fork.body.execution?.id ?? '';
    await ann.until(id, ({ status }) => status === 'paused');
    return id;
  };
  const [left, fresh, chosen] = [await tryStep(), await tryStep(), await tryStep()];
  models.calls.length = 0;
  models.answer({ kind: 'hang' });
  await ann.act(chosen, 'resume');
  await modelCallOf(chosen);
  await ann.act(chosen, 'pause');
  models.release('Half');
  await ann.until(chosen, ({ status }) => status === 'paused');
  const own = await pausedRun();
  const aDayAgo = new Date(Date.now() - 25 * 3_600_000);
  for (const id of [left, chosen, own]) await setTimes(id, aDayAgo);

  await server.restart({});
  const stopped = await ann.until(left, ({ status }) => status === 'cancelled');
  expect(stopped.steps.map(({ status }) => status)).toEqual(['reused', 'completed', 'pending', 'pending']);
  expect(stopped.steps[1]?.result).toBe('Done');
  for (const id of [fresh, chosen, own]) expect((await ann.details(id)).status).toBe('paused');
});

test('R23.01 without the setting no run is ever removed', async () => {
  const ancient = await completedRun('Ancient');
  await setTimes(ancient, new Date(Date.now() - 4_000 * 86_400_000));
  await server.restart({ ARTEL_KEEP_RUNS_DAYS: '' });
  await ann.until(await completedRun('Now'), ({ status }) => status === 'completed');
  expect(await runIds()).toContain(ancient);
});
