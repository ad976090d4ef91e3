import { beforeAll, describe, expect, test } from 'vitest';
import {
  type ChatCompletion,
  type Command,
  type CommandState,
  command,
  commandState,
  maxCommandsOfAgent,
} from '../../../contract/command.ts';
import type { Thought } from '../../../contract/executions/thought.ts';
import { type Reply, signUp } from '../../support/run-account.ts';
import type { ModelCall } from '../../support/services/model-server.ts';
import { setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }), {
  ownProcess: 'The waits for its answers are measured.',
});
const ann = setUpAccount(server);
const bob = setUpAccount(server);
let agentId: string;

beforeAll(() => {
  agentId = ann.agent('developer').id;
});

const execute = (body: object, headers: Record<string, string> = {}) =>
  ann.call<CommandState>('POST', '/agentcommand/execute', { agentId, request: 'Say hello', ...body }, headers);
const begin = (body: object = {}) =>
  ann.call<CommandState>('POST', '/agentcommand/execute-async', { agentId, request: 'Say hello', ...body });
const status = async (id: string) => (await ann.call<CommandState>('GET', `/agentcommand/status/${id}`)).body;
const history = async (of = agentId, query = '') => (await ann.call<Command[]>('GET', `/agentcommand/history/${of}${query}`)).body;
const until = (id: string, wanted: string) => expect.poll(async () => (await status(id)).status).toBe(wanted);
/** The shortest of up to five times (ms): a busy machine may delay some of them. */
async function shortest(measure: (number: number) => Promise<number>, enoughMs = 1_000): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let number = 1; number <= 5 && least >= enoughMs; number += 1) least = Math.min(least, await measure(number));
  return least;
}
const said = (call: number) => models.calls[call - 1]?.body.messages.at(-1)?.content ?? '';

describe('a command', () => {
  test('W7.03 a command waits for the agent’s answer, and returns its provider, model and cost', async () => {
    const { status: code, body } = await execute({ projectId: 'default', timestamp: '2026-11-20T10:00:00Z' });
    expect(code).toBe(200);
    expect(commandState.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      ...{ agentId, commandId: body.id, kind: 'execute', status: 'completed', result: 'Answer 1', response: 'Answer 1', error: null },
      ...{ progress: 100, provider: 'openai', model: 'gpt-4', simulated: false, attempts: 1, executionId: null },
      usage: { promptTokens: 20, completionTokens: 10, totalTokens: 30 },
    });
    expect(body.executionTimeMs).toBeGreaterThanOrEqual(0);
    expect(await status(body.id)).toEqual(body);
    expect(models.calls[0]?.headers['idempotency-key']).toBe(body.id);
    expect(models.calls[0]?.body.messages[0]).toEqual({ role: 'system', content: ann.agent('developer').configuration.systemPrompt });
    expect(said(1)).toContain('Say hello');
  });

  test('M2.25 an answer that a limit has cut goes on, and a command says where it could not', async () => {
    const saidBefore = (call: ModelCall) => call.body.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
    models.answer((call) =>
      saidBefore(call).length === 0 ? { kind: 'text', text: 'One tw', end: 'length' } : { kind: 'text', text: 'o.' },
    );
    const whole = (await execute({})).body;
    expect(whole).toMatchObject({ status: 'completed', result: 'One two.', usage: { totalTokens: 60 } });
    expect(whole).not.toHaveProperty('isUnfinished');
    expect(saidBefore(models.calls.at(-1) as ModelCall)).toEqual(['One tw']);
    models.answer((call) =>
      saidBefore(call).length === 0 ? { kind: 'text', text: 'Half', end: 'length' } : { kind: 'status', status: 400 },
    );
    const half = (await execute({})).body;
    expect(half).toMatchObject({ status: 'completed', result: 'Half', isUnfinished: true, error: null });
    expect(await status(half.id)).toEqual(half);
  });

  test('W3.06 a command sends the agent the user’s task with its parameters, and the server stores all of it', async () => {
    const sent = {
      ...{ request: 'start_workflow', initialTask: 'A first idea', task: 'Plan a bakery', timestamp: '2026-11-20T10:00:00.000Z' },
      ...{ parameters: { priority: 5 }, data: { town: 'Kazan' } },
    };
    const { body } = await execute(sent);
    expect(said(1)).toContain('Plan a bakery');
    expect(said(1)).toContain('Kazan');
    expect(said(1)).not.toContain('start_workflow');
    const [item] = await history();
    expect(command.parse(item)).toEqual(item);
    expect(item).toMatchObject({ id: body.id, ...sent });
  });

  test('W7.03 a command responds at once when the caller does not wait, and the caller follows it by its id', async () => {
    models.answer({ kind: 'hang' });
    for (const begun of [await begin(), await execute({ async: true })]) {
      expect(begun).toMatchObject({ status: 202, body: { commandId: begun.body.id, status: 'pending', result: null, progress: 0 } });
    }
    await models.call(2);
    models.release('Both');
    for (const { id } of await history()) await until(id, 'completed');
  });

  test('W7.03 a command without a result has the reason in the caller’s language', async () => {
    models.answer({ kind: 'status', status: 401, message: 'Incorrect API key' });
    const { status: code, body } = await execute({});
    expect(code).toBe(200);
    expect(body).toMatchObject({ status: 'failed', result: null, progress: 0, error: { code: 'model_unauthorized' } });
    expect(body.error?.message).toContain('Incorrect API key');
  });

  test('W7.03 a command calls the model again after a transient failure, with the same key', async () => {
    models.answer((call) => (call.number === 1 ? { kind: 'status', status: 503, retryAfter: '0' } : { kind: 'text', text: 'At last' }));
    expect((await execute({})).body).toMatchObject({ status: 'completed', result: 'At last' });
    expect(new Set(models.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  test('W7.03 a command is refused when a field is missing or the agent does not exist', async () => {
    const refusals: [object, number, string][] = [
      [{ request: ' ' }, 400, 'request'],
      [{ agentId: '[object Object]' }, 400, 'agentId'],
      [{ agentId: bob.agent('qa').id }, 404, ''],
      [{ projectId: '01a1fab3-094b-73bf-a485-a91fccff0c5d' }, 404, ''],
      [{ parameters: { executionId: '01a1fab3-094b-73bf-a485-a91fccff0c5d' } }, 404, ''],
      [{ data: 'x'.repeat(70_000) }, 400, 'data'],
    ];
    for (const [body, code, path] of refusals) {
      const answer = (await execute(body)) as unknown as Reply<{ errors?: { path: string }[] }>;
      expect([answer.status, answer.body.errors?.[0]?.path ?? '']).toEqual([code, path]);
    }
    expect(models.calls).toHaveLength(0);
  });

  test('W7.08 a command sends its growing text and its end on the socket', async () => {
    const socket = await ann.socket();
    models.answer({ kind: 'text', text: 'One two three four five six' });
    const { body } = await execute({ projectId: 'default' });
    const result = await socket.until(({ type, commandId }) => type === 'agent_command_result' && commandId === body.id);
    expect(result).toMatchObject({ agentId, result: body.result, projectId: body.projectId, executionId: null, status: 'completed' });
    const partial = socket.messages.find(({ type, commandId }) => type === 'agent_thought' && commandId === body.id);
    expect(partial).toMatchObject({ partial: true, agentId, executionId: null });
    await socket.close();
  });
});

test('R46.01 what the model thought before its answer to a command is kept as a thought of the agent', async () => {
  models.answer({ kind: 'text', text: 'Forty-two', thoughts: 'Six by nine is more.' });
  const { body } = await execute({ projectId: 'default' });
  expect(body.result).toBe('Forty-two');
  const [kept] = (await ann.call<Thought[]>('GET', `/agentthought/agent/${agentId}`)).body;
  expect(kept).toMatchObject({ content: 'Six by nine is more.', projectId: body.projectId, executionId: null, stepId: null });
});

describe('sent twice', () => {
  test('R23.01 a command that is sent twice with the same key is done once, and the later call gets its current state', async () => {
    models.answer({ kind: 'hang' });
    const key = { 'idempotency-key': 'the-same-command' };
    const both = Promise.all([execute({}, key), execute({}, key)]);
    await models.call(1);
    models.release('Once');
    const [one, other] = await both;
    const later = await execute({}, key);
    for (const answer of [one, other, later]) expect(answer).toMatchObject({ status: 200, body: { id: one.body.id, result: 'Once' } });
    expect(models.calls).toHaveLength(1);
  });

  test('R23.01 asynchronously, the later call gets the first answer', async () => {
    const key = { 'idempotency-key': 'the-same-async' };
    const send = () => ann.call<CommandState>('POST', '/agentcommand/execute-async', { agentId, request: 'Once' }, key);
    const first = await send();
    await until(first.body.id, 'completed');
    expect(await send()).toMatchObject({ status: 202, body: first.body });
    const viaExecute = { 'idempotency-key': 'the-same-flag' };
    const begun = await execute({ async: true }, viaExecute);
    await until(begun.body.id, 'completed');
    expect(await execute({ async: true }, viaExecute)).toMatchObject({ status: 202, body: { id: begun.body.id, status: 'completed' } });
    expect(models.calls).toHaveLength(2);
  });
});

describe('cancelling', () => {
  test('W7.03 cancelling a command ends the model call within a second, and the waiting caller gets an answer', async () => {
    models.answer({ kind: 'hang' });
    const cancel = async (number: number) => {
      const waiting = execute({});
      await models.call(number);
      const [{ id } = { id: '' }] = await history();
      const asked = performance.now();
      const cancelled = await ann.call<CommandState>('POST', `/agentcommand/cancel/${id}`);
      await models.aborted(number);
      const ms = performance.now() - asked;
      expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled', result: null } });
      expect(await waiting).toMatchObject({ status: 200, body: { id, status: 'cancelled' } });
      models.release('Too late');
      expect((await status(id)).status).toBe('cancelled');
      return ms;
    };
    expect(await shortest(cancel)).toBeLessThan(1_000);
  });

  test('W2.16 a conversation is found by its own mark before its answer, and nothing of the mark goes to the model', async () => {
    models.answer({ kind: 'hang' });
    const metadata = { requestId: 'this-very-one' };
    const waiting = ann.call('POST', `/agentcommand/openai/${agentId}`, { messages: [{ role: 'user', content: 'Hello' }], metadata });
    const call = await models.call(1);
    expect(JSON.stringify(call)).not.toContain('this-very-one');
    const [{ id, parameters } = { id: '', parameters: {} }] = await history();
    expect(parameters).toMatchObject({ metadata });
    await ann.call<CommandState>('POST', `/agentcommand/cancel/${id}`);
    await models.aborted(1);
    expect(await waiting).toMatchObject({ body: { details: { status: 'cancelled' } } });
  });

  test('W7.03 a command that has ended is not cancelled: the answer has its state', async () => {
    const { body } = await execute({});
    const refusal = await ann.call('POST', `/agentcommand/cancel/${body.id}`);
    expect(refusal).toMatchObject({ status: 409, body: { code: 'illegal_state', details: { status: 'completed' } } });
    expect(await bob.call('POST', `/agentcommand/cancel/${body.id}`)).toMatchObject({ status: 404 });
  });

  test('W7.03 a command that another node works on is cut off there within a second', async () => {
    const other = await server.beside();
    try {
      models.answer({ kind: 'hang' });
      const cancel = async (number: number) => {
        const { body } = await begin();
        await models.call(number);
        const asked = performance.now();
        const cancelled = await ann.at(other).call('POST', `/agentcommand/cancel/${body.id}`);
        expect(cancelled.status).toBe(200);
        await models.aborted(number);
        return performance.now() - asked;
      };
      expect(await shortest(cancel)).toBeLessThan(1_000);
    } finally {
      await other.stop();
    }
  });
});

describe('a command for a step of a run', () => {
  const join = (executionId: string, body: object = {}) => execute({ parameters: { executionId }, ...body });

  test('R23.01 a command for a step of a run waits for that step instead of asking the model again, and ends with the same outcome', async () => {
    models.answer((call) => (call.number === 2 ? { kind: 'hang' } : { kind: 'text', text: `Answer ${call.number}` }));
    const run = await ann.start(await ann.pipeline('assistant', 'developer', 'qa'), 'Build it');
    const begun = await begin({ parameters: { executionId: run.id } });
    expect(begun.body).toMatchObject({ executionId: run.id, status: expect.stringMatching(/pending|running/) });
    await models.call(2);
    await until(begun.body.id, 'running');
    const waiting = join(run.id);
    models.release('The step’s own words');
    const joined = await waiting;
    const { steps } = await ann.until(run.id, ({ status: now }) => now === 'completed');
    expect(joined).toMatchObject({
      status: 200,
      body: { status: 'completed', result: 'The step’s own words', stepId: steps[1]?.stepId, usage: steps[1]?.usage, simulated: false },
    });
    await until(begun.body.id, 'completed');
    expect(await join(run.id)).toMatchObject({
      status: 200,
      body: { result: 'The step’s own words', executionTimeMs: steps[1]?.durationMs },
    });
    expect(models.calls).toHaveLength(3);
  });

  test('R23.01 an agent that works twice in a run answers each command with its own turn', async () => {
    const run = await ann.start(await ann.pipeline('developer', 'qa', 'developer'), 'Twice');
    await ann.until(run.id, ({ status: now }) => now === 'completed');
    const results = [await join(run.id), await join(run.id), await join(run.id)].map(({ body }) => body.result);
    expect(results).toEqual(['Answer 1', 'Answer 3', 'Answer 3']);
    const named = await execute({ parameters: { executionId: run.id, nodeId: 'node-developer' } });
    expect(named.body.result).toMatch(/Answer [13]/);
  });

  test('R23.01 a command for a step is cancelled with a run that ends before the step, and fails with a run that fails', async () => {
    models.answer({ kind: 'hang' });
    const stopped = await ann.start(await ann.pipeline('assistant', 'developer'), 'Stop me');
    await models.call(1);
    const waiting = join(stopped.id);
    await ann.act(stopped.id, 'stop');
    expect((await waiting).body).toMatchObject({ status: 'cancelled', result: null });
    expect((await join(stopped.id)).body.status).toBe('cancelled');

    models.answer({ kind: 'status', status: 400, message: 'No such model' });
    const failing = await ann.start(await ann.pipeline('assistant', 'developer'), 'Fail');
    expect((await join(failing.id)).body).toMatchObject({ status: 'failed', error: { code: 'model_rejected' } });
  });

  test('R23.01 cancelling it leaves the run alone', async () => {
    models.answer({ kind: 'hang' });
    const run = await ann.start(await ann.pipeline('developer'), 'Go on');
    await models.call(1);
    const { body } = await begin({ parameters: { executionId: run.id } });
    expect((await ann.call('POST', `/agentcommand/cancel/${body.id}`)).status).toBe(200);
    models.release('Done');
    expect((await ann.until(run.id, ({ status: now }) => now === 'completed')).result).toBe('Done');
    expect((await status(body.id)).status).toBe('cancelled');
  });

  test('R23.01 an agent without a step in the run gets an error', async () => {
    const run = await ann.start(await ann.pipeline('qa'), 'Without developers');
    expect(await join(run.id)).toMatchObject({ status: 400, body: { errors: [{ path: 'parameters.executionId' }] } });
    expect(
      await bob.call('POST', '/agentcommand/execute', { agentId: bob.agent('qa').id, request: 'x', parameters: { executionId: run.id } }),
    ).toMatchObject({
      status: 404,
    });
    // Its model call would count in the next test.
    await ann.until(run.id, ({ status: now }) => now === 'completed');
  });
});

describe('how an agent is', () => {
  test('W3.08 an agent’s load and availability follow its commands and steps, and commands beyond the limit wait', async () => {
    const cleo = await signUp(server.url);
    const { id } = cleo.agent('qa');
    const look = async (what: string) => (await cleo.call<Record<string, unknown>>('GET', `/agentcommand/${what}/${id}`)).body;
    expect(await look('load')).toEqual({ currentLoad: 0, maxLoad: maxCommandsOfAgent, loadPercentage: 0 });
    expect(await look('availability')).toEqual({ isAvailable: true, status: 1, lastSeen: null });

    models.answer({ kind: 'hang' });
    const many = maxCommandsOfAgent + 2;
    const begun = await Promise.all(
      Array.from({ length: many }, () => cleo.call<CommandState>('POST', '/agentcommand/execute-async', { agentId: id, request: 'Hold' })),
    );
    await models.call(maxCommandsOfAgent);
    const states = await Promise.all(
      begun.map(async ({ body }) => (await cleo.call<CommandState>('GET', `/agentcommand/status/${body.id}`)).body.status),
    );
    expect(states.filter((state) => state === 'running')).toHaveLength(maxCommandsOfAgent);
    expect(states.filter((state) => state === 'pending')).toHaveLength(2);
    expect(await look('load')).toEqual({ currentLoad: maxCommandsOfAgent, maxLoad: maxCommandsOfAgent, loadPercentage: 100 });
    expect(await look('availability')).toMatchObject({ isAvailable: false, status: 2, lastSeen: expect.any(String) });
    expect(models.calls).toHaveLength(maxCommandsOfAgent);

    models.answer({ kind: 'text', text: 'Next' });
    models.release('Free');
    await expect.poll(async () => (await look('statistics')).successfulCommands).toBe(many);
    expect(await look('load')).toMatchObject({ currentLoad: 0 });

    models.answer({ kind: 'hang' });
    await cleo.start(await cleo.pipeline('qa'), 'A step counts too');
    await models.call(many + 1);
    expect(await look('load')).toMatchObject({ currentLoad: 1, loadPercentage: 5 });
    expect(await look('availability')).toMatchObject({ isAvailable: true, status: 2 });
    models.release('Done');
  });

  test('W7.02 an agent with a waiting command is not removed, and a working agent is no free delegate', async () => {
    const fay = await signUp(server.url);
    const [qa, lead] = [fay.agent('qa').id, fay.agent('team-lead').id];
    const tie = `sourceAgentId=${lead}&targetAgentId=${qa}&relationshipType=delegates-to`;
    await fay.call('POST', `/nuroagent/relationships?${tie}`);
    models.answer({ kind: 'hang' });
    const begun = await fay.call<CommandState>('POST', '/agentcommand/execute-async', { agentId: qa, request: 'Hold' });
    await models.call(1);
    expect(await fay.call('DELETE', `/nuroagent/${qa}`)).toMatchObject({ status: 409, body: { details: { status: 'running' } } });
    const can = await fay.call<{ canDelegate: boolean }>('GET', `/nuroagent/can-delegate?sourceAgentId=${lead}&targetAgentId=${qa}`);
    expect(can.body.canDelegate).toBe(false);
    await fay.call('POST', `/agentcommand/cancel/${begun.body.id}`);
    expect((await fay.call('DELETE', `/nuroagent/${qa}`)).status).toBe(204);
    expect((await fay.call<Command[]>('GET', `/agentcommand/history/${qa}`)).body).toHaveLength(1);
  });

  test('W3.08 an agent’s statistics count the outcomes of its commands', async () => {
    const dora = await signUp(server.url);
    const { id } = dora.agent('analyst');
    const give = () => dora.call<CommandState>('POST', '/agentcommand/execute', { agentId: id, request: 'Count' });
    const statistics = async () => (await dora.call<Record<string, unknown>>('GET', `/agentcommand/statistics/${id}`)).body;
    expect(await statistics()).toEqual({
      totalCommands: 0,
      successfulCommands: 0,
      failedCommands: 0,
      averageExecutionTime: null,
      lastActivity: null,
    });
    await give();
    const { body } = await give();
    models.answer({ kind: 'status', status: 400 });
    await give();
    const after = await statistics();
    expect((await dora.call('GET', `/nuroagent/statistics/${id}`)).body).toEqual(after);
    expect(after).toMatchObject({ totalCommands: 3, successfulCommands: 2, failedCommands: 1, averageExecutionTime: expect.any(Number) });
    expect(Date.parse(String(after.lastActivity))).toBeGreaterThanOrEqual(Date.parse(body.updatedAt));
  });
});

test('W3.08 an agent’s work is the work of its runs and commands, and a command that has joined a step adds nothing', async () => {
  const gus = await signUp(server.url);
  const { id } = gus.agent('qa');
  const run = await gus.start(await gus.pipeline('qa', 'qa'), 'Work');
  await gus.until(run.id, ({ status: now }) => now === 'completed');
  const own = { agentId: id, request: 'Alone' };
  const joined = { ...own, parameters: { executionId: run.id } };
  for (const body of [own, joined]) await gus.call('POST', '/agentcommand/execute', body);
  models.answer({ kind: 'status', status: 400 });
  const { body: last } = await gus.call<CommandState>('POST', '/agentcommand/execute', own);
  const read = async (path: string) => (await gus.call<Record<string, unknown>>('GET', `/${path}/${id}`)).body;
  expect(await read('nuroagent/statistics')).toMatchObject({ totalCommands: 4, successfulCommands: 3, failedCommands: 1 });
  expect(await read('agentcommand/statistics')).toMatchObject({ totalCommands: 3, successfulCommands: 2, failedCommands: 1 });
  expect(await read('agentcommand/availability')).toEqual({ isAvailable: true, status: 1, lastSeen: last.updatedAt });
  const { executionTimeMs } = (await gus.call<Command[]>('GET', `/agentcommand/history/${id}?status=completed`)).body.at(-1) ?? {};
  const ms = [...(await gus.details(run.id)).steps.map(({ durationMs }) => durationMs), executionTimeMs].map(Number);
  const mean = Math.round(ms.reduce((sum, one) => sum + one, 0) / ms.length);
  expect(await read('nuroagent/statistics')).toMatchObject({ averageExecutionTime: mean, lastActivity: last.updatedAt });
});

test('W7.03 the history is newest first, by pages and by state, is cleared of what has ended, and outlives its agent', async () => {
  const eve = await signUp(server.url);
  const { id } = eve.agent('team-lead');
  const list = (query = '') => eve.call<Command[]>('GET', `/agentcommand/history/${id}${query}`);
  expect(await list()).toMatchObject({ status: 200, body: [] });
  for (const request of ['One', 'Two', 'Three']) await eve.call('POST', '/agentcommand/execute', { agentId: id, request });
  models.answer({ kind: 'hang' });
  const held = await eve.call<CommandState>('POST', '/agentcommand/execute-async', { agentId: id, request: 'Four' });
  await models.call(4);

  const all = await list();
  expect(all.body.map(({ request }) => request)).toEqual(['Four', 'Three', 'Two', 'One']);
  expect(all.headers.get('x-total-count')).toBe('4');
  expect((await list('?limit=1&offset=1')).body.map(({ request }) => request)).toEqual(['Three']);
  for (const running of ['running', '2']) expect((await list(`?status=${running}`)).body.map(({ request }) => request)).toEqual(['Four']);
  expect((await list('?status=3')).body).toHaveLength(3);
  expect((await list('?limit=0')).status).toBe(400);

  expect((await eve.call('DELETE', `/agentcommand/history/${id}`)).status).toBe(204);
  expect((await list()).body.map(({ request }) => request)).toEqual(['Four']);
  await database.pool.query('DELETE FROM agents WHERE id = $1', [id]);
  expect((await list()).body).toHaveLength(1);
  expect(await eve.call('GET', `/agentcommand/statistics/${id}`)).toMatchObject({ status: 200, body: { totalCommands: 1 } });
  await eve.call('POST', `/agentcommand/cancel/${held.body.id}`);
  await eve.call('DELETE', `/agentcommand/history/${id}`);
  expect((await list()).status).toBe(404);
});

describe('a chat completion', () => {
  const complete = (body: object, headers: Record<string, string> = {}) =>
    ann.call<ChatCompletion>('POST', `/agentcommand/openai/${agentId}`, body, headers);
  const hello = [{ role: 'user', content: 'Hello' }];

  test('W7.03 a chat completion goes through the agent’s provider, with request and response in OpenAI’s shape', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'And now?' },
    ];
    const { status: code, body } = await complete({ messages, model: 'gpt-3.5-turbo', max_tokens: 1_000, temperature: 0.2 });
    expect(code).toBe(200);
    expect(body).toEqual({
      ...{
        id: body.id,
        commandId: body.id,
        object: 'chat.completion',
        created: expect.any(Number),
        model: 'gpt-3.5-turbo',
        simulated: false,
      },
      choices: [{ index: 0, message: { role: 'assistant', content: 'Answer 1' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
    });
    expect(models.calls[0]?.body).toMatchObject({ model: 'gpt-3.5-turbo', max_tokens: 1_000, temperature: 0.2 });
    expect(models.calls[0]?.body.messages.map(({ content }) => content)).toEqual(['Be brief.', 'Hello', 'Hello.', 'And now?']);
    expect(await status(body.id)).toMatchObject({ kind: 'openai', status: 'completed', result: 'Answer 1' });
    expect((await history())[0]).toMatchObject({ id: body.id, request: 'And now?' });
  });

  test('W7.03 a conversation belongs to the project that it names, which must be the caller’s', async () => {
    const mine = await complete({ messages: [{ role: 'user', content: 'Hello' }], projectId: 'default' });
    expect((await history())[0]).toMatchObject({ id: mine.body.id, projectId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(await complete({ messages: [{ role: 'user', content: 'Hello' }], projectId: crypto.randomUUID() })).toMatchObject({
      status: 404,
    });
  });

  test('W7.03 a chat completion without a system message and settings uses the agent’s own prompt and settings', async () => {
    await complete({ messages: hello });
    const { temperature, maxTokens, model } = ann.agent('developer').apiConfiguration;
    expect(models.calls[0]?.body).toMatchObject({ model, temperature, max_tokens: maxTokens });
    expect(models.calls[0]?.body.messages[0]).toEqual({ role: 'system', content: ann.agent('developer').configuration.systemPrompt });
  });

  test('W7.03 a chat completion of an agent with another provider uses the agent’s own model, and marks a simulated answer', async () => {
    const simulated = bob.agent('analyst').id;
    await bob.call('PUT', `/nuroagent/${simulated}/api-configuration`, { providerType: 'simulated' });
    const answer = await bob.call<ChatCompletion>('POST', `/agentcommand/openai/${simulated}`, { messages: hello, model: 'gpt-4' });
    expect(answer).toMatchObject({ status: 200, body: { model: 'simulated', simulated: true } });
    // A task without letters has no language: the account's language counts, not Accept-Language.
    const numbers = { agentId: simulated, request: '2 + 2 = ?' };
    const { body } = await bob.call<CommandState>('POST', '/agentcommand/execute', numbers, { 'accept-language': 'ru' });
    expect(body).toMatchObject({ status: 'completed', simulated: true });
    expect(body.result).toMatch(/[a-z]/i);
    expect(body.result).not.toMatch(/\p{Script=Cyrillic}/u);
    expect(models.calls).toHaveLength(0);
  });

  test('W7.03 a chat completion that fails is an error with the cause, and after a transient failure with the time to wait', async () => {
    models.answer({ kind: 'status', status: 401, message: 'Incorrect API key' });
    const wrong = (await complete({ messages: hello })) as unknown as Reply<{ code: string; message: string; details: object }>;
    expect(wrong).toMatchObject({ status: 422, body: { code: 'model_failed', details: { failure: 'model_unauthorized' } } });
    expect(wrong.body.message).toContain('Incorrect API key');
    models.answer({ kind: 'status', status: 503, retryAfter: '0' });
    const away = await complete({ messages: hello });
    expect(away).toMatchObject({ status: 503, body: { code: 'model_unavailable' } });
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('W7.03 a chat completion is refused for a body that is not a conversation', async () => {
    for (const body of [
      {},
      { messages: [] },
      { messages: [{ role: 'assistant', content: 'I' }] },
      { messages: hello, stream: true },
      { messages: hello, temperature: 3 },
    ]) {
      expect((await complete(body)).status).toBe(400);
    }
    expect(await bob.call('POST', `/agentcommand/openai/${agentId}`, { messages: hello })).toMatchObject({ status: 404 });
  });

  test('R23.01 sent twice with one key it is asked once, and cancelled it is no answer', async () => {
    const key = { 'idempotency-key': 'the-same-chat' };
    const first = await complete({ messages: hello }, key);
    expect(await complete({ messages: hello }, key)).toMatchObject({ status: 200, body: first.body });
    expect(models.calls).toHaveLength(1);
    models.answer({ kind: 'hang' });
    const waiting = complete({ messages: hello });
    await models.call(2);
    const [{ id } = { id: '' }] = await history();
    await ann.call('POST', `/agentcommand/cancel/${id}`);
    expect(await waiting).toMatchObject({ status: 409, body: { code: 'illegal_state', details: { status: 'cancelled' } } });
  });
});
