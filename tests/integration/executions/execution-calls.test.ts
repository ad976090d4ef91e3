import { describe, expect, test } from 'vitest';
import type { Execution, ExecutionMemory, ExecutionStatistics } from '../../../contract/executions/execution.ts';
import type { PipelineProblem } from '../../../contract/executions/pipeline.ts';
import type { ResultItem } from '../../../contract/executions/result.ts';
import { signUp } from '../../support/run-account.ts';
import { setUpAccount, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_BASE_URL: models.url }), { ownProcess: 'It is restarted.' });
const ann = setUpAccount(server);
const bob = setUpAccount(server, 'ru');

const prepare = async (task: string, ...names: string[]) => {
  const pipeline = await ann.pipeline(...names);
  return (await ann.call<Execution>('POST', '/PipelineExecution', { pipelineId: pipeline.id, inputData: { task } })).body;
};
const begin = ({ id, pipelineId }: Execution) => ann.call<Execution>('POST', '/PipelineExecution/start', { pipelineId, executionId: id });
const paused = async (...names: string[]) => {
  const execution = await ann.start(await ann.pipeline(...names), 'Step by step', { pauseBetweenStepsMs: 60_000 });
  await ann.until(execution.id, ({ steps }) => steps[0]?.status === 'completed');
  await ann.act(execution.id, 'pause');
  return ann.details(execution.id);
};
const idsAt = async (path: string) => (await ann.call<Execution[]>('GET', path)).body.map(({ id }) => id);

describe('an execution that was made first', () => {
  test('W7.06 an execution that was made first waits for its start, also across a restart of the server, and then runs as any other', async () => {
    const { body, status } = await ann.call<Execution>('POST', '/PipelineExecution', {
      ...{ pipelineId: (await ann.pipeline('assistant', 'qa')).id, initialTask: 'Later', priority: 7, timeoutSeconds: 60 },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'pending', held: true, initialTask: 'Later', priority: 7, timeoutSeconds: 60, startedAt: null });
    await server.restart();
    const waiting = await ann.details(body.id);
    expect(waiting).toMatchObject({ status: 'pending', held: true, lastSeq: 0, steps: [{ status: 'pending' }, { status: 'pending' }] });
    expect((await ann.history()).map(({ pipelineExecutionId }) => pipelineExecutionId)).not.toContain(body.id);
    expect(models.calls).toHaveLength(0);

    expect(await begin(body)).toMatchObject({ status: 202, body: { id: body.id, status: 'pending', held: false } });
    const done = await ann.until(body.id, (now) => now.status === 'completed');
    expect(done).toMatchObject({ result: 'Answer 2', held: false });
    expect((await ann.history())[0]).toMatchObject({ pipelineExecutionId: body.id, userRequest: 'Later', status: 2 });
    expect(await begin(body)).toMatchObject({ status: 409, body: { code: 'illegal_state', details: { status: 'completed' } } });
  });

  test('W7.06 an execution before its start is neither paused, resumed nor stepped, does not count as under way, and can be stopped', async () => {
    const execution = await prepare('Wait', 'qa');
    for (const action of ['pause', 'resume', 'next-step'] as const) {
      expect(await ann.act(execution.id, action)).toMatchObject({ status: 409, body: { details: { status: 'pending' } } });
    }
    expect((await ann.call<{ status: string }>('GET', `/Pipeline/${execution.pipelineId}`)).body.status).toBe('ready');
    expect((await ann.call('DELETE', `/Pipeline/${execution.pipelineId}`)).status).toBe(204);
    expect((await ann.act(execution.id, 'stop')).body).toMatchObject({ status: 'cancelled', held: false });
  });

  test('W7.06 an execution that was made first needs a ready pipeline, a task, and its own pipeline at the start', async () => {
    const pipeline = await ann.pipeline('qa');
    const make = (body: object) => ann.call('POST', '/PipelineExecution', { pipelineId: pipeline.id, ...body });
    expect(await make({})).toMatchObject({ status: 400, body: { errors: [{ path: 'initialTask' }] } });
    expect((await make({ initialTask: 'x', priority: 11 })).status).toBe(400);
    await ann.call('PATCH', `/Pipeline/${pipeline.id}/status`, { status: 'draft' });
    expect(await make({ initialTask: 'x' })).toMatchObject({ status: 409, body: { details: { status: 'draft' } } });
    const execution = await prepare('Mine', 'qa');
    expect((await begin({ ...execution, pipelineId: (await ann.pipeline('qa')).id })).status).toBe(404);
  });

  test('W9.03 an execution that was made first has priority 5 and an hour of time, or the time of its pipeline', async () => {
    const { id: pipelineId } = await ann.pipeline('qa');
    const made = async () => (await ann.call<Execution>('POST', '/PipelineExecution', { pipelineId, initialTask: 'Later' })).body;
    expect(await made()).toMatchObject({ priority: 5, timeoutSeconds: 3_600, pauseBetweenStepsMs: 0 });
    await ann.call('PUT', `/Pipeline/${pipelineId}`, { maxExecutionTimeSeconds: 60 });
    expect(await made()).toMatchObject({ priority: 5, timeoutSeconds: 60 });
  });

  test('W7.06 an execution that was made first starts once when several calls start it at the same moment', async () => {
    const execution = await prepare('Once', 'assistant');
    const started = await Promise.all([1, 2, 3, 4].map(() => begin(execution)));
    expect(started.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409]);
    await ann.until(execution.id, ({ status }) => status === 'completed');
    expect(models.calls).toHaveLength(1);
  });
});

describe('a change', () => {
  test('W7.06 a change of task, priority, time and pauses is accepted until the start', async () => {
    const execution = await prepare('First thought', 'assistant');
    const change = { initialTask: ' Second thought ', priority: 9, timeoutSeconds: 30, pauseBetweenStepsMs: 5 };
    const changed = await ann.call<Execution>('PUT', `/PipelineExecution/${execution.id}`, change);
    expect(changed).toMatchObject({ status: 200, body: { ...change, initialTask: 'Second thought' } });
    expect((await ann.call('PUT', `/PipelineExecution/${execution.id}`, { timeoutSeconds: 0 })).status).toBe(400);
    await begin(execution);
    await ann.until(execution.id, ({ status }) => status === 'completed');
    expect(models.calls[0]?.body.messages[1]?.content).toContain('Second thought');
    expect((await ann.history())[0]?.userRequest).toBe('Second thought');
    expect(await ann.call('PUT', `/PipelineExecution/${execution.id}`, { priority: 1 })).toMatchObject({
      ...{ status: 409, body: { code: 'illegal_state', details: { status: 'completed' } } },
    });
  });

  test('W7.06 a change of a paused run does not change its task, and applies to its next step', async () => {
    const execution = await paused('assistant', 'developer', 'qa');
    const path = `/PipelineExecution/${execution.id}`;
    expect(await ann.call('PUT', path, { initialTask: 'Another' })).toMatchObject({ status: 409, body: { details: { status: 'paused' } } });
    expect((await ann.call('PUT', path, { pauseBetweenStepsMs: 0 })).body).toMatchObject({ pauseBetweenStepsMs: 0, status: 'paused' });
    await ann.act(execution.id, 'resume');
    await ann.until(execution.id, ({ status }) => status === 'completed');
  });

  test('W7.06 a change of a running execution is refused', async () => {
    models.answer({ kind: 'hang' });
    const execution = await ann.start(await ann.pipeline('assistant'), 'Busy');
    await models.call(1);
    const path = `/PipelineExecution/${execution.id}`;
    for (const [method, body] of [['PUT', { priority: 1 }], ['DELETE']] as const) {
      expect(await ann.call(method, path, body)).toMatchObject({ status: 409, body: { details: { status: 'running' } } });
    }
    await ann.act(execution.id, 'stop');
  });
});

describe('removing an execution', () => {
  test('W7.06 removing an ended execution removes its log and its history item', async () => {
    const execution = await paused('assistant', 'qa');
    expect(await ann.call('DELETE', `/PipelineExecution/${execution.id}`)).toMatchObject({
      status: 409,
      body: { details: { status: 'paused' } },
    });
    await ann.act(execution.id, 'stop');
    const item = (await ann.history()).find(({ pipelineExecutionId }) => pipelineExecutionId === execution.id) as ResultItem;
    expect((await ann.call('DELETE', `/PipelineExecution/${execution.id}`)).status).toBe(204);
    for (const path of ['', '/details', '/logs', '/memory', '/statistics']) {
      expect((await ann.call('GET', `/PipelineExecution/${execution.id}${path}`)).status).toBe(404);
    }
    expect((await ann.call('GET', `/ProjectResultHistory/${item.id}`)).status).toBe(404);
    expect((await ann.call('DELETE', `/PipelineExecution/${execution.id}`)).status).toBe(404);
  });

  test('W7.06 removing an execution is possible before its start', async () => {
    const execution = await prepare('Never mind', 'qa');
    expect((await ann.call('DELETE', `/PipelineExecution/${execution.id}`)).status).toBe(204);
    expect((await begin(execution)).status).toBe(404);
  });
});

describe('lists', () => {
  test('W7.06 the list of a pipeline’s executions is newest first, in pages, and stays when the pipeline is removed', async () => {
    const pipeline = await ann.pipeline('assistant');
    const runs = [await ann.start(pipeline, 'One'), await ann.start(pipeline, 'Two')];
    for (const { id } of runs) await ann.until(id, ({ status }) => status === 'completed');
    const path = `/PipelineExecution/pipeline/${pipeline.id}`;
    const newestFirst = runs.map(({ id }) => id).toReversed();
    expect(await idsAt(path)).toEqual(newestFirst);
    const page = await ann.call<Execution[]>('GET', `${path}?limit=1&offset=1`);
    expect([page.body[0]?.id, page.headers.get('x-total-count')]).toEqual([runs[0]?.id, '2']);
    await ann.call('DELETE', `/Pipeline/${pipeline.id}`);
    expect(await idsAt(path)).toEqual(newestFirst);
    expect((await bob.call('GET', path)).status).toBe(404);
  });

  test('W7.06 the list by status takes the name of a status, its number and its other spellings', async () => {
    const cleo = await signUp(server.url);
    const at = async (status: string) => (await cleo.call<Execution[]>('GET', `/PipelineExecution/status/${status}`)).body;
    const pipeline = await cleo.pipeline('assistant');
    const done = await cleo.start(pipeline, 'Done');
    await cleo.until(done.id, ({ status }) => status === 'completed');
    models.answer({ kind: 'status', status: 401 });
    const broken = await cleo.start(pipeline, 'Broken');
    await cleo.until(broken.id, ({ status }) => status === 'failed');
    models.calls.length = 0;
    models.answer({ kind: 'hang' });
    const running = await cleo.start(pipeline, 'Running');
    await models.call(1);
    for (const status of ['completed', 'Success', 'finished', '3']) expect((await at(status)).map(({ id }) => id)).toEqual([done.id]);
    for (const status of ['failed', 'ERROR', '4']) expect((await at(status)).map(({ id }) => id)).toEqual([broken.id]);
    for (const status of ['running', 'in_progress', 'In-Progress', 'processing', '1']) {
      expect((await at(status)).map(({ id }) => id)).toEqual([running.id]);
    }
    for (const status of ['pending', 'paused', '2', 'cancelled', 'canceled', '5']) expect(await at(status)).toEqual([]);
    for (const status of ['6', 'unheard-of']) expect((await cleo.call('GET', `/PipelineExecution/status/${status}`)).status).toBe(400);
    await cleo.act(running.id, 'stop');
  });

  test('W7.06 the list of a user’s executions is shown to that user alone', async () => {
    expect(await idsAt(`/PipelineExecution/user/${ann.userId}`)).toEqual(await idsAt('/PipelineExecution'));
    expect((await bob.call('GET', `/PipelineExecution/user/${ann.userId}`)).status).toBe(404);
    expect((await ann.call('GET', '/PipelineExecution/user/missing')).status).toBe(400);
  });
});

describe('what an execution holds', () => {
  test('W7.06 the statistics of an execution sum up its steps', async () => {
    models.answer((call) =>
      call.number === 1 ? { kind: 'status', status: 429, retryAfter: '0' } : { kind: 'text', text: `Answer ${call.number}` },
    );
    const execution = await ann.start(await ann.pipeline('assistant', 'qa'), 'Count me');
    const done = await ann.until(execution.id, ({ status }) => status === 'completed');
    const { body } = await ann.call<ExecutionStatistics>('GET', `/PipelineExecution/${execution.id}/statistics`);
    const times = done.steps.map(({ durationMs }) => durationMs ?? 0);
    expect(body).toEqual({
      executionId: execution.id,
      status: 'completed',
      progress: 100,
      totalSteps: 2,
      steps: { pending: 0, reused: 0, running: 0, waiting: 0, completed: 2, failed: 0, cancelled: 0, skipped: 0 },
      attempts: 3,
      retries: 1,
      tokenUsage: { promptTokens: 40, completionTokens: 20, totalTokens: 60 },
      activeMs: expect.any(Number),
      elapsedMs: Date.parse(done.completedAt ?? '') - Date.parse(done.startedAt ?? ''),
      averageStepMs: Math.round(times.reduce((sum, ms) => sum + ms, 0) / 2),
      longestStep: { stepId: expect.any(String), name: expect.any(String), durationMs: Math.max(...times) },
      simulatedSteps: 0,
      contexts: 0,
      events: done.lastSeq,
      files: { count: 0, bytes: 0 },
    });
  });

  test('W7.06 the memory of an execution is the task, the messages of people, and the results of its steps; a tester’s report was not executed', async () => {
    const execution = await paused('developer', 'qa');
    const memory = async () => (await ann.call<ExecutionMemory>('GET', `/PipelineExecution/${execution.id}/memory`)).body;
    expect((await memory()).results).toHaveLength(1);
    await ann.call('POST', `/PipelineExecution/${execution.id}/context`, { content: 'Make it blue', dialogNodeTitle: 'Ask' });
    await ann.call('PUT', `/PipelineExecution/${execution.id}`, { pauseBetweenStepsMs: 0 });
    await ann.act(execution.id, 'resume');
    await ann.until(execution.id, ({ status }) => status === 'completed');
    expect(await memory()).toMatchObject({
      executionId: execution.id,
      task: 'Step by step',
      contexts: [{ position: 1, content: 'Make it blue', type: 'user_input', source: 'dialog', dialogNodeTitle: 'Ask' }],
      results: [
        { orderIndex: 0, agentTitle: ann.agent('developer').title, role: 'Developer', text: 'Answer 1', simulated: false, executed: null },
        { orderIndex: 1, agentTitle: ann.agent('qa').title, role: 'QA', text: 'Answer 2', simulated: false, executed: false },
      ],
    });
  });
});

describe('readiness', () => {
  type Ready = { ready: boolean; reasons: PipelineProblem[] };
  const readiness = async (id: string, account = ann) =>
    (await account.call<Ready>('GET', `/PipelineExecution/pipeline/${id}/readiness`)).body;

  test('W7.06 the readiness call says that a pipeline can be started', async () => {
    expect(await readiness((await ann.pipeline('assistant', 'qa')).id)).toEqual({ ready: true, reasons: [] });
  });

  test('W7.06 the readiness call names the obstacles: the pipeline’s status, its errors, a model that cannot be called', async () => {
    const { id } = await bob.pipeline('assistant', 'prod-mgr');
    await bob.call('PATCH', `/Pipeline/${id}/status`, { status: 'draft' });
    await bob.call('PUT', `/Pipeline/${id}`, { configuration: 'none' });
    const settings = { providerType: 'yandexgpt', apiKey: 'a-key-without-a-folder' };
    await bob.call('PUT', `/nuroagent/${bob.agent('prod-mgr').id}/api-configuration`, settings);
    const { ready, reasons } = await readiness(id, bob);
    expect(ready).toBe(false);
    expect(reasons).toEqual([
      { code: 'pipeline.draft', message: 'Конвейер ещё черновик: сначала сделайте его готовым', nodeId: null },
      { code: 'pipeline.configurationUnreadable', message: expect.stringContaining('не читаются'), nodeId: null },
      { code: 'model_folder_missing', message: expect.stringContaining(bob.agent('prod-mgr').title), nodeId: 'node-prod-mgr' },
    ]);
  });
});

describe('a single step', () => {
  const run = (id: string, stepId: string | undefined, headers = {}) =>
    ann.call<Execution>('POST', `/PipelineExecution/${id}/steps/${stepId}`, undefined, headers);

  test('W7.06 the next step of a paused run is run alone, after which the run is paused again', async () => {
    const { id, steps } = await paused('assistant', 'developer', 'qa');
    expect(await run(id, steps[1]?.stepId)).toMatchObject({ status: 200, body: { id, status: 'running' } });
    const after = await ann.until(id, ({ status }) => status === 'paused');
    expect(after.steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'pending']);
    await run(id, steps[2]?.stepId);
    expect((await ann.until(id, ({ status }) => status === 'completed')).result).toBe('Answer 3');
    expect(await run(id, steps[2]?.stepId)).toMatchObject({
      status: 409,
      body: { code: 'illegal_state', details: { status: 'completed' } },
    });
  });

  test('W7.06 a step that is done or not yet due is refused with the name of the next step', async () => {
    const { id, steps } = await paused('assistant', 'developer', 'qa');
    for (const other of [steps[0], steps[2]]) {
      expect(await run(id, other?.stepId)).toMatchObject({
        status: 409,
        body: {
          code: 'conflict',
          errors: [{ path: 'stepId', message: `Another step comes first: “${steps[1]?.name}”.` }],
          details: { status: 'paused', nextStepId: steps[1]?.stepId },
        },
      });
    }
    expect((await run(id, '01890000-0000-7000-8000-000000000000')).status).toBe(404);
    expect((await run(id, 'second')).status).toBe(400);
    await ann.act(id, 'stop');
  });

  test('R23.01 a single step runs once however often it is requested', async () => {
    const { id, steps } = await paused('assistant', 'developer', 'qa');
    const headers = { 'idempotency-key': `step of ${id}` };
    const first = await run(id, steps[1]?.stepId, headers);
    await ann.until(id, ({ status }) => status === 'paused');
    expect(await run(id, steps[1]?.stepId, headers)).toMatchObject({ status: 200, body: first.body });
    expect(models.calls).toHaveLength(2);
    await ann.act(id, 'stop');
  });
});
