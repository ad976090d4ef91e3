import { describe, expect, test } from 'vitest';
import { signUp } from '../../support/run-account.ts';
import { setUpAccount, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';
import { startServer } from '../../support/start-server.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }));
const ann = setUpAccount(server);
const bob = setUpAccount(server, 'ru');

const team = ['assistant', 'prod-mgr', 'team-lead', 'developer', 'qa'];
const statuses = (steps: { status: string }[]) => steps.map(({ status }) => status);

describe('a run', () => {
  test('R24.01 a run asks the agents in order, each with the task and every earlier result', async () => {
    const execution = await ann.start(await ann.pipeline(...team), 'Plan a bakery');
    expect(execution).toMatchObject({ status: 'pending', progress: 0, initialTask: 'Plan a bakery' });
    const done = await ann.until(execution.id, ({ status }) => status === 'completed');

    expect(models.calls).toHaveLength(5);
    models.calls.forEach((call, index) => {
      const [system, user] = call.body.messages;
      const agent = ann.agent(team[index] ?? '');
      expect(system).toEqual({ role: 'system', content: agent.configuration.systemPrompt });
      expect(user?.content).toContain('Plan a bakery');
      for (let earlier = 1; earlier <= 5; earlier += 1) {
        if (earlier <= index) expect(user?.content).toContain(`Answer ${earlier}`);
        else expect(user?.content).not.toContain(`Answer ${earlier}`);
      }
      expect(call.headers['idempotency-key']).toBe(`${execution.id}:${done.steps[index]?.stepId}`);
      expect(call.headers.authorization).toBe('Bearer sk-server-wide');
    });
    expect(done).toMatchObject({ result: 'Answer 5', progress: 100, error: null });
    expect(done.steps.map(({ result }) => result)).toEqual([1, 2, 3, 4, 5].map((number) => `Answer ${number}`));
    expect(done.steps[0]).toMatchObject({ provider: 'openai', model: 'gpt-4', simulated: false, attempts: 1, nodeId: 'node-assistant' });
    expect(done.steps[0]?.usage).toEqual({ promptTokens: 20, completionTokens: 10, totalTokens: 30 });
  });

  test('R46.01 a run stores an agent’s thoughts separately from its answer, and removes characters that the database cannot store', async () => {
    const listening = await ann.socket();
    models.answer({ kind: 'text', text: 'Flour is short\u0000 today.\n\n# Answer\n\nBake rye\u0000.' });
    const execution = await ann.start(await ann.pipeline('qa', 'analyst'), 'Plan a bakery');
    const done = await ann.until(execution.id, ({ status }) => status === 'completed');
    models.answer((call) => ({ kind: 'text', text: `Answer ${call.number}` }));
    expect(done.steps.map(({ result }) => result)).toEqual(['Bake rye.', 'Bake rye.']);
    const listed = await ann.call<{ content: string; executionId: string }[]>('GET', `/agentthought/agent/${ann.agent('qa').id}`);
    expect(listed.body).toMatchObject([{ content: 'Flour is short today.', executionId: execution.id, stepId: done.steps[0]?.stepId }]);
    await listening.until(({ type, partial, content }) => type === 'agent_thought' && !partial && content === 'Flour is short today.');
    await listening.close();
  });

  test('W7.02 a run sends an agent no more of the run than the agent’s context access allows', async () => {
    const pipeline = await ann.pipeline('assistant', 'analyst', 'qa');
    await ann.call('PUT', `/nuroagent/${ann.agent('analyst').id}`, { contextAccessLevel: 0 });
    const execution = await ann.start(pipeline, 'Plan a bakery');
    await ann.until(execution.id, ({ status }) => status === 'completed');
    await ann.call('PUT', `/nuroagent/${ann.agent('analyst').id}`, { contextAccessLevel: 3 });
    const told = models.calls.map(({ body }) => body.messages[1]?.content ?? '');
    expect(told[1]).toContain('Plan a bakery');
    expect(told[1]).not.toContain('Answer 1');
    expect(told[2]).toContain('Answer 1');
    expect(told[2]).toContain('Answer 2');
  });

  test('W7.06 a run keeps an event log whose numbers grow by one and whose last event has the final state', async () => {
    const execution = await ann.start(await ann.pipeline('assistant', 'qa'), 'Say hello');
    const done = await ann.until(execution.id, ({ status }) => status === 'completed');
    const events = await ann.logs(execution.id);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(events.map(({ type }) => type)).toEqual([
      'execution.started',
      'step.started',
      'step.completed',
      'step.started',
      'step.completed',
      'execution.completed',
    ]);
    expect(events.at(-1)).toMatchObject({ status: 'completed', progress: 100, text: 'Answer 2' });
    expect(done.lastSeq).toBe(6);
    expect((await ann.logs(execution.id, 4)).map(({ seq }) => seq)).toEqual([5, 6]);
  });

  test('R23.01 a run is done once however often its start is sent', async () => {
    const pipeline = await ann.pipeline('assistant');
    const body = { pipelineId: pipeline.id, inputData: { task: 'Once' } };
    const headers = { 'idempotency-key': 'the-same-start' };
    const [one, other] = await Promise.all([
      ann.call<{ id: string }>('POST', '/PipelineExecution/start', body, headers),
      ann.call<{ id: string }>('POST', '/PipelineExecution/start', body, headers),
    ]);
    const again = await ann.call<{ id: string }>('POST', '/PipelineExecution/start', body, headers);
    expect(new Set([one, other, again].filter(({ status }) => status === 202).map(({ body: { id } }) => id)).size).toBe(1);
    await ann.until(again.body.id, ({ status }) => status === 'completed');
    expect(models.calls).toHaveLength(1);
  });

  test('R23.01 two runs that start in one project at the same instant are both whole, each with its own history item', async () => {
    models.answer((call) => ({ kind: 'text', text: `About ${/Bread|Cake/.exec(call.body.messages[1]?.content ?? '')?.[0]}` }));
    const dora = await signUp(server.url);
    const pipeline = await dora.pipeline('assistant', 'developer', 'qa');
    const started = await Promise.all(['Bread', 'Cake'].map((task) => dora.start(pipeline, task)));
    const ended = await Promise.all(started.map(({ id }) => dora.until(id, ({ status }) => status === 'completed')));
    expect(ended.map(({ steps }) => steps.map(({ result }) => result))).toEqual(
      ['Bread', 'Cake'].map((task) => Array.from({ length: 3 }, () => `About ${task}`)),
    );
    for (const { id } of started) {
      const events = await dora.logs(id);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    }
    expect((await dora.history()).map(({ userRequest, finalResult }) => [userRequest, finalResult]).sort()).toEqual([
      ['Bread', 'About Bread'],
      ['Cake', 'About Cake'],
    ]);
  });

  test('W5.01 a run is refused for an empty task in the caller’s language', async () => {
    const pipeline = await bob.pipeline('assistant');
    const answer = await bob.call('POST', '/PipelineExecution/start', { pipelineId: pipeline.id, inputData: { task: '   ' } });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'bad_request', errors: [{ path: 'initialTask', message: 'Введите задачу' }] });
  });

  test('R15.01 the server answers another user as if the execution did not exist', async () => {
    const execution = await ann.start(await ann.pipeline('assistant'), 'Mine');
    await ann.until(execution.id, ({ status }) => status === 'completed');
    const missing = '01890000-0000-7000-8000-000000000000';
    for (const id of [execution.id, missing]) {
      for (const path of ['', '/details', '/logs']) expect((await bob.call('GET', `/PipelineExecution/${id}${path}`)).status).toBe(404);
      for (const action of ['pause', 'resume', 'stop', 'next-step'] as const) expect((await bob.act(id, action)).status).toBe(404);
      expect((await bob.call('POST', `/PipelineExecution/${id}/context`, { content: 'x' })).status).toBe(404);
    }
    const foreign = { pipelineId: execution.pipelineId, inputData: { task: 'x' } };
    expect((await bob.call('POST', '/PipelineExecution/start', foreign)).status).toBe(404);
    const listed = await bob.call<{ id: string }[]>('GET', '/PipelineExecution');
    expect(listed.body.map(({ id }) => id)).not.toContain(execution.id);
  });

  test('W7.06 the list of executions has the caller’s own executions newest first, by project and status', async () => {
    const pipeline = await ann.pipeline('assistant');
    const first = await ann.start(pipeline, 'First');
    await ann.until(first.id, ({ status }) => status === 'completed');
    const second = await ann.start(pipeline, 'Second');
    await ann.until(second.id, ({ status }) => status === 'completed');
    const all = await ann.call<{ id: string }[]>('GET', '/PipelineExecution?projectId=default&status=completed&limit=2');
    expect(all.body.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(Number(all.headers.get('x-total-count'))).toBeGreaterThanOrEqual(2);
    expect((await ann.call('GET', '/PipelineExecution?status=paused')).body).toEqual([]);
  });
});

describe('pause and stop', () => {
  test('R44.01 a pause lets the current step finish and starts no other', async () => {
    models.answer({ kind: 'hang' });
    const execution = await ann.start(await ann.pipeline('assistant', 'developer', 'qa'), 'Pause me');
    await models.call(1);
    expect((await ann.act(execution.id, 'pause')).body).toMatchObject({ status: 'running', pauseRequested: true });
    models.release('Answer 1');
    const paused = await ann.until(execution.id, ({ status }) => status === 'paused');
    expect(paused.pauseRequested).toBe(false);
    expect(statuses(paused.steps)).toEqual(['completed', 'pending', 'pending']);
    expect(models.calls).toHaveLength(1);
    expect((await ann.logs(execution.id)).map(({ type }) => type).slice(-3)).toEqual([
      'execution.pausing',
      'step.completed',
      'execution.paused',
    ]);

    models.answer((call) => ({ kind: 'text', text: `Answer ${call.number}` }));
    expect((await ann.act(execution.id, 'resume')).body.status).toBe('running');
    const done = await ann.until(execution.id, ({ status }) => status === 'completed');
    expect(done.result).toBe('Answer 3');
    expect(models.calls).toHaveLength(3);
  });

  test('W4.18 next-step runs exactly one step of a paused execution', async () => {
    models.answer({ kind: 'hang' });
    const execution = await ann.start(await ann.pipeline('assistant', 'developer', 'qa'), 'Step by step');
    await models.call(1);
    await ann.act(execution.id, 'pause');
    models.release('Answer 1');
    await ann.until(execution.id, ({ status }) => status === 'paused');

    models.answer((call) => ({ kind: 'text', text: `Answer ${call.number}` }));
    expect((await ann.act(execution.id, 'next-step')).body.status).toBe('running');
    const once = await ann.until(execution.id, ({ status }) => status === 'paused');
    expect(statuses(once.steps)).toEqual(['completed', 'completed', 'pending']);
    await ann.act(execution.id, 'next-step');
    const done = await ann.until(execution.id, ({ status }) => status === 'completed');
    expect(done.result).toBe('Answer 3');
  });

  test('R44.01 a pause that has not taken effect is cancelled by resume', async () => {
    models.answer({ kind: 'hang' });
    const execution = await ann.start(await ann.pipeline('assistant', 'qa'), 'Changed my mind');
    await models.call(1);
    await ann.act(execution.id, 'pause');
    expect((await ann.act(execution.id, 'resume')).body).toMatchObject({ status: 'running', pauseRequested: false });
    models.answer({ kind: 'text', text: 'Second' });
    models.release('First');
    expect((await ann.until(execution.id, ({ status }) => status === 'completed')).result).toBe('Second');
  });

  test('W4.08 a stop cuts off the model call and keeps what was done', async () => {
    models.answer((call) => (call.number === 1 ? { kind: 'text', text: 'Answer 1' } : { kind: 'hang' }));
    const execution = await ann.start(await ann.pipeline('assistant', 'developer', 'qa'), 'Stop me');
    await models.call(2);
    const stopped = await ann.act(execution.id, 'stop');
    expect(stopped.body).toMatchObject({ status: 'cancelled' });
    await models.aborted(2);
    const after = await ann.details(execution.id);
    expect(statuses(after.steps)).toEqual(['completed', 'cancelled', 'pending']);
    expect(after.steps[0]?.result).toBe('Answer 1');
    // What the call has cost may follow.
    const types = (await ann.logs(execution.id)).map(({ type }) => type).filter((type) => type !== 'step.charged');
    expect(types.slice(-2)).toEqual(['step.cancelled', 'execution.cancelled']);
    expect(models.calls).toHaveLength(2);
  });

  test('W4.18 a call that does not fit the state answers 409 and names the state', async () => {
    const execution = await ann.start(await ann.pipeline('assistant'), 'Soon over');
    await ann.until(execution.id, ({ status }) => status === 'completed');
    for (const action of ['pause', 'resume', 'stop', 'next-step'] as const) {
      const answer = await ann.act(execution.id, action);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ code: 'illegal_state', details: { status: 'completed' } });
    }
    const late = await ann.call('POST', `/PipelineExecution/${execution.id}/context`, { content: 'Too late' });
    expect(late.status).toBe(409);
  });

  test('W4.05 a pause between the agents can be paused and stopped in', async () => {
    const execution = await ann.start(await ann.pipeline('assistant', 'qa'), 'Slowly', { pauseBetweenStepsMs: 60_000 });
    await ann.until(execution.id, ({ steps }) => steps[0]?.status === 'completed');
    expect((await ann.act(execution.id, 'pause')).body).toMatchObject({ status: 'paused', pauseRequested: false });
    await ann.act(execution.id, 'resume');
    const done = await ann.until(execution.id, ({ status }) => status === 'completed');
    expect(done.result).toBe('Answer 2');
    expect(models.calls).toHaveLength(2);
  });

  test('W4.17 a run begins after the delay of its start call, without a client, and can be stopped before', async () => {
    const pipeline = await ann.pipeline('assistant');
    const late = await ann.start(pipeline, 'Much later', { startAfterMs: 5_000 });
    expect((await ann.act(late.id, 'stop')).body).toMatchObject({ status: 'cancelled', startedAt: null });
    const execution = await ann.start(pipeline, 'A moment later', { startAfterMs: 300 });
    const done = await ann.until(execution.id, ({ status }) => status === 'completed');
    expect(Date.parse(done.startedAt ?? '') - Date.parse(execution.createdAt)).toBeGreaterThanOrEqual(295);
    expect(models.calls).toHaveLength(1);
  });
});

describe('a message during a run', () => {
  test('R41.01 a message during a run reaches every later step and no earlier step', async () => {
    models.answer((call) => (call.number === 1 ? { kind: 'hang' } : { kind: 'text', text: `Answer ${call.number}` }));
    const execution = await ann.start(await ann.pipeline('assistant', 'developer', 'qa'), 'Listen');
    await models.call(1);
    const added = await ann.call('POST', `/PipelineExecution/${execution.id}/context`, { content: 'Make it blue' });
    expect(added.status).toBe(200);
    models.release('Answer 1');
    await ann.until(execution.id, ({ status }) => status === 'completed');
    const heard = models.calls.map(({ body }) => body.messages[1]?.content.includes('Make it blue'));
    expect(heard).toEqual([false, true, true]);
    expect((await ann.logs(execution.id)).find(({ type }) => type === 'context.added')?.text).toBe('Make it blue');
  });
});

describe('a message that no step would read', () => {
  test('R41.01 a message is refused with a code of its own while the last step works, and is in no log', async () => {
    models.answer((call) => (call.number === 2 ? { kind: 'hang' } : { kind: 'text', text: `Answer ${call.number}` }));
    const execution = await ann.start(await ann.pipeline('assistant', 'developer'), 'Listen');
    await models.call(2);
    const refused = await ann.call('POST', `/PipelineExecution/${execution.id}/context`, { content: 'Too late' });
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ code: 'no_later_step' })]);
    models.release('Answer 2');
    await ann.until(execution.id, ({ status }) => status === 'completed');
    expect((await ann.logs(execution.id)).map(({ type }) => type)).not.toContain('context.added');
  });

  test('R41.01 a message that arrives as the last step begins is refused, or that step reads it', async () => {
    models.answer((call) => ({ kind: 'text', text: `Answer ${call.number}` }));
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const execution = await ann.start(await ann.pipeline('assistant', 'developer'), `Run ${index}`);
        const sent: string[] = [];
        for (let open = true, number = 1; open; number += 1) {
          const content = `Word ${index}.${number}!`;
          const { status } = await ann.call('POST', `/PipelineExecution/${execution.id}/context`, { content });
          open = status === 200;
          if (open) sent.push(content);
        }
        await ann.until(execution.id, ({ status }) => status === 'completed');
        return { index, sent };
      }),
    );
    expect(outcomes.some(({ sent }) => sent.length > 0)).toBe(true);
    for (const { index, sent } of outcomes) {
      const last = models.calls.filter(({ body }) => body.messages[1]?.content.includes(`Run ${index}\n`)).at(-1);
      const heard = last?.body.messages[1]?.content ?? '';
      expect(sent.filter((content) => !heard.includes(content))).toEqual([]);
    }
  });
});

describe('a step that fails', () => {
  test('W8.04 a failed step fails the run with a sentence in the language of its start, and keeps earlier results', async () => {
    models.answer((call) =>
      call.number === 1
        ? { kind: 'text', text: 'Answer 1' }
        : { kind: 'status', status: 401, message: 'Incorrect API key provided: sk-server-wide' },
    );
    const execution = await bob.start(await bob.pipeline('assistant', 'developer', 'qa'), 'Провались');
    const failed = await bob.until(execution.id, ({ status }) => status === 'failed');
    expect(models.calls).toHaveLength(2);
    expect(statuses(failed.steps)).toEqual(['completed', 'failed', 'pending']);
    expect(failed.steps[0]?.result).toBe('Answer 1');
    expect(failed.error?.code).toBe('model_unauthorized');
    expect(failed.error?.message).toMatch(/не принял ключ/);
    expect(failed.error?.message).not.toContain('sk-server-wide');
    expect(server.logs()).not.toContain('sk-server-wide');
  });

  test('W8.04 a step is tried again after a transient failure, with the same key, and the retry is logged', async () => {
    models.answer((call) => (call.number === 1 ? { kind: 'status', status: 429, retryAfter: '0' } : { kind: 'text', text: 'Now' }));
    const execution = await ann.start(await ann.pipeline('assistant'), 'Try again');
    const done = await ann.until(execution.id, ({ status }) => status === 'completed');
    expect(done.steps[0]).toMatchObject({ attempts: 2, result: 'Now', error: null });
    const [one, other] = models.calls;
    expect(one?.headers['idempotency-key']).toBe(other?.headers['idempotency-key']);
    const retrying = (await ann.logs(execution.id)).find(({ type }) => type === 'step.retrying');
    expect(retrying).toMatchObject({ error: { code: 'model_rate_limited' } });
  });

  test('W9.03 a step that runs out of time ends with step_timeout', async () => {
    models.answer({ kind: 'hang' });
    const agentId = ann.agent('assistant').id;
    const steps = [{ name: 'Slow', agentId, timeoutSeconds: 1 }];
    const { body: pipeline } = await ann.call<{ id: string }>('POST', '/Pipeline', { name: 'Slow', projectId: 'default', steps });
    const { body } = await ann.call<{ id: string }>('POST', '/PipelineExecution/start', {
      pipelineId: pipeline.id,
      inputData: { task: 'Too slow' },
    });
    const failed = await ann.until(body.id, ({ status }) => status === 'failed');
    expect(failed.error).toMatchObject({ code: 'step_timeout' });
    // A slow machine may not have called the model by then.
    for (const { number } of models.calls) await models.aborted(number);
  });

  test('W9.03 a run that has used its whole time ends with execution_timeout', async () => {
    models.answer({ kind: 'hang' });
    const execution = await ann.start(await ann.pipeline('assistant', 'qa'), 'Too long', { timeoutSeconds: 1 });
    const failed = await ann.until(execution.id, ({ status }) => status === 'failed');
    expect(failed.error).toMatchObject({ code: 'execution_timeout' });
    expect(statuses(failed.steps)).toEqual(['failed', 'pending']);
  });
});

describe('an agent’s own model', () => {
  test('R25.01 a base URL of a private network that was saved when that was allowed is refused, and nothing is called', async () => {
    let house = await startServer({ env: { ARTEL_CLIENT: 'off', ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' } });
    try {
      const cleo = await signUp(house.url);
      const settings = `/nuroagent/${cleo.agent('analyst').id}/api-configuration`;
      expect((await cleo.call('PUT', settings, { baseUrl: models.url, apiKey: 'sk-mine-1234567890' })).status).toBe(200);
      house = await house.restart({ ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'off' });
      const execution = await cleo.start(await cleo.pipeline('analyst'), 'Look inside');
      const failed = await cleo.until(execution.id, ({ status }) => status === 'failed');
      expect(failed.error?.code).toBe('model_host_refused');
      expect(models.calls).toHaveLength(0);
    } finally {
      await house.stop();
    }
  });

  test('R25.01 a provider that has a key and lacks a setting is a failure, never a simulation', async () => {
    const cleo = await signUp(server.url);
    const agent = cleo.agent('prod-mgr');
    await cleo.call('PUT', `/nuroagent/${agent.id}/api-configuration`, { providerType: 'yandexgpt', apiKey: 'key-of-yandex-1' });
    const execution = await cleo.start(await cleo.pipeline('prod-mgr'), 'Ask it');
    const failed = await cleo.until(execution.id, ({ status }) => status === 'failed');
    expect(failed.error).toMatchObject({ code: 'model_folder_missing', message: expect.stringContaining('folder') });
  });
});
