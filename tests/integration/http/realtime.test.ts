import { describe, expect, test } from 'vitest';
import { applyTextPiece } from '../../../contract/executions/streamed-text.ts';
import { executionUpdate, serverMessage } from '../../../contract/realtime.ts';
import { type Listening, signUp } from '../../support/run-account.ts';
import { setUpAccount, setUpModelServer, setUpServer, startAnother } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_BASE_URL: models.url, ALLOWED_ORIGINS: 'https://artel.example' }));
const ann = setUpAccount(server);
const bob = setUpAccount(server);

const ofRun = (messages: { type: string; executionId?: string; seq?: number }[], id: string) =>
  messages.filter(({ type, executionId }) => type === 'pipeline_update' && executionId === id).map(({ seq }) => seq);

describe('the socket of a user', () => {
  test('W7.08 a user’s socket sends every event of a run once and in order, and what the agents say', async () => {
    const socket = await ann.socket();
    expect(await socket.until(({ type }) => type === 'connected')).toEqual({ type: 'connected', userId: ann.userId });
    socket.say({ type: 'since', since: {} });
    const execution = await ann.start(await ann.pipeline('assistant', 'qa'), 'Tell me');
    await socket.until(({ type, event }) => type === 'pipeline_update' && event.type === 'execution.completed');

    expect(ofRun(socket.messages, execution.id)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const message of socket.messages) expect(serverMessage.safeParse(message).error).toBeUndefined();
    const logged = await ann.logs(execution.id);
    const told = socket.messages.filter(({ type }) => type === 'pipeline_update').map(({ event }) => event);
    expect(told).toEqual(logged);
    const results = socket.messages.filter(({ type }) => type === 'agent_command_result');
    expect(results.map(({ result }) => result)).toEqual(['Answer 1', 'Answer 2']);
    await socket.close();
  });

  test('R46.01 a user’s socket streams the growing text of a step, marked partial, and the server never stores it', async () => {
    const socket = await ann.socket();
    socket.say({ type: 'since', since: {} });
    models.answer({ kind: 'stall', text: 'One two three four five six' });
    const execution = await ann.start(await ann.pipeline('assistant'), 'Stream');
    const thought = await socket.until(({ type, executionId }) => type === 'agent_thought' && executionId === execution.id);
    expect(thought).toMatchObject({ partial: true, agentId: ann.agent('assistant').id });
    expect(thought.position).toBe(0);
    await ann.act(execution.id, 'stop');
    // The cost of the call that was stopped comes after the end.
    await socket.until(({ type, event }) => type === 'pipeline_update' && event.type === 'step.charged');
    const pieces = socket.messages.filter(({ type, partial }) => type === 'agent_thought' && partial);
    const text = pieces.reduce((known, piece) => applyTextPiece(known, piece) ?? 'a gap', '');
    expect('One two three four five six'.startsWith(text)).toBe(true);
    expect(pieces.filter(({ simulated }) => simulated)).toEqual([]);
    expect((await ann.call<unknown[]>('GET', `/agentthought/agent/${ann.agent('assistant').id}`)).body).toEqual([]);
    await socket.close();
  });

  test('R46.01 R25.01 a user’s socket marks the growing text of the simulated model from its first word', async () => {
    await bob.call('PUT', `/nuroagent/${bob.agent('analyst').id}/api-configuration`, { providerType: 'simulated' });
    const socket = await bob.socket();
    socket.say({ type: 'since', since: {} });
    const execution = await bob.start(await bob.pipeline('analyst'), 'Stream');
    await socket.until(({ type, event }) => type === 'pipeline_update' && event.type === 'execution.completed');
    const pieces = socket.messages.filter(
      ({ type, partial, executionId }) => type === 'agent_thought' && partial && executionId === execution.id,
    );
    expect(pieces.length).toBeGreaterThan(0);
    for (const piece of pieces) expect(piece.simulated).toBe(true);
    await socket.close();
  });

  test('R46.01 a client that connects or asks in the middle of a text gets it from its beginning', async () => {
    const text = 'Half a long text. '.repeat(20);
    models.answer({ kind: 'stall', text });
    const execution = await ann.start(await ann.pipeline('assistant'), 'Stream and stop');
    const partials = ({ messages }: Listening) =>
      messages.filter(({ type, partial, executionId }) => type === 'agent_thought' && partial && executionId === execution.id);
    const shown = (socket: Listening) => partials(socket).reduce((known, piece) => applyTextPiece(known, piece) ?? 'a gap', '');
    const early = await ann.socket();
    early.say({ type: 'since', since: {} });
    await expect.poll(() => shown(early)).toBe(text);
    const late = await ann.socket();
    late.say({ type: 'since', since: {} });
    await expect.poll(() => shown(late)).toBe(shown(early));
    const known = partials(late).length;
    late.say({ type: 'texts' });
    await expect.poll(() => partials(late).length).toBeGreaterThan(known);
    expect(partials(late).at(-1)).toMatchObject({ position: 0, content: shown(early) });
    await ann.act(execution.id, 'stop');
    await late.until(({ type, event }) => type === 'pipeline_update' && event.type === 'step.charged');
    await Promise.all([early.close(), late.close()]);
  });

  test('W7.08 a client that reconnects says what it has and misses nothing', async () => {
    const early = await ann.socket();
    early.say({ type: 'since', since: {} });
    models.answer({ kind: 'hang' });
    const execution = await ann.start(await ann.pipeline('assistant', 'developer', 'qa'), 'Come again');
    await early.until(({ type, event }) => type === 'pipeline_update' && event.type === 'step.started');
    await early.close();
    const last = Math.max(...(ofRun(early.messages, execution.id) as number[]));

    models.answer((call) => (call.number === 3 ? { kind: 'hang' } : { kind: 'text', text: `Answer ${call.number}` }));
    models.release('Answer 1');
    await models.call(3);
    const late = await ann.socket();
    late.say({ type: 'since', since: { [execution.id]: last } });
    await late.until(({ type, event }) => type === 'pipeline_update' && event.type === 'step.started' && event.step.orderIndex === 2);
    models.release('Answer 3');
    await late.until(({ type, event }) => type === 'pipeline_update' && event.type === 'execution.completed');

    expect([...ofRun(early.messages, execution.id), ...ofRun(late.messages, execution.id)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await late.close();
  });

  test('R15.01 a user’s socket gets no event of another user, also on request', async () => {
    const socket = await bob.socket();
    const execution = await ann.start(await ann.pipeline('assistant'), 'Private');
    await ann.until(execution.id, ({ status }) => status === 'completed');
    socket.say({ type: 'since', since: { [execution.id]: 0, nonsense: 0 } });
    const own = await bob.start(await bob.pipeline('assistant'), 'Own');
    await socket.until(({ type, event }) => type === 'pipeline_update' && event.type === 'execution.completed');
    expect(ofRun(socket.messages, execution.id)).toEqual([]);
    expect(ofRun(socket.messages, own.id)).toEqual([1, 2, 3, 4]);
    await socket.close();
  });

  test('W7.08 a user’s socket needs a token and an allowed origin', async () => {
    await expect(ann.socket('/natsws', { token: 'no.such.token' })).rejects.toThrow('401');
    await expect(ann.socket('/natsws', { origin: 'https://evil.example' })).rejects.toThrow('403');
    const allowed = await ann.socket('/natsws', { origin: 'https://artel.example' });
    await allowed.close();
    expect(server.logs()).not.toContain(ann.accessToken);
  });

  test('W7.08 a user’s socket is closed when its session ends, and after invalid messages', async () => {
    const cleo = await signUp(server.url);
    const socket = await cleo.socket();
    await cleo.call('POST', '/auth/logout', { refreshToken: cleo.refreshToken });
    expect(await socket.closed).toBe(4401);
    const noisy = await ann.socket();
    noisy.say({ type: 'nonsense' });
    expect(await noisy.closed).toBe(1008);
  });

  test('W7.08 a user’s socket stays open under a newer token, and ends with the session of that token instead of the first', async () => {
    const dora = await signUp(server.url);
    const socket = await dora.socket();
    const second = await dora.signInAgain();
    socket.say({ type: 'token', accessToken: second.accessToken });
    socket.say({ type: 'since', since: {} });
    const execution = await dora.start(await dora.pipeline('assistant'), 'First');
    await socket.until(({ type, event }) => type === 'pipeline_update' && event.type === 'execution.completed');
    await dora.call('POST', '/auth/logout', { refreshToken: dora.refreshToken });
    socket.say({ type: 'since', since: { [execution.id]: 3 } });
    await expect.poll(() => ofRun(socket.messages, execution.id)).toEqual([1, 2, 3, 4, 4]);
    await dora.call('POST', '/auth/logout', { refreshToken: second.refreshToken });
    expect(await socket.closed).toBe(4401);
  });

  test('W7.08 a user’s socket gets all events of a run that the client did not know of', async () => {
    models.answer({ kind: 'hang' });
    const execution = await ann.start(await ann.pipeline('assistant'), 'Unknown');
    await models.call(1);
    const socket = await ann.socket();
    socket.say({ type: 'since', since: {} });
    await socket.until(({ type }) => type === 'connected');
    models.release('Answer 1');
    await socket.until(({ type, event }) => type === 'pipeline_update' && event.type === 'execution.completed');
    expect(ofRun(socket.messages, execution.id)).toEqual([1, 2, 3, 4]);
    await socket.close();
  });

  test('W7.08 the URL of a user’s socket may have the last known events', async () => {
    const execution = await ann.start(await ann.pipeline('assistant'), 'By address');
    await ann.until(execution.id, ({ status }) => status === 'completed');
    const has = encodeURIComponent(JSON.stringify({ [execution.id.toUpperCase()]: 2 }));
    const socket = await ann.socket('/natsws', { query: `&since=${has}` });
    await socket.until(({ type, event }) => type === 'pipeline_update' && event.type === 'execution.completed');
    expect(ofRun(socket.messages, execution.id)).toEqual([3, 4]);
    await socket.close();
    await expect(ann.socket('/natsws', { query: '&since=nonsense' })).rejects.toThrow('400');
  });

  test('W7.08 a user’s socket accepts a new token of the same user, and of no other user', async () => {
    const socket = await ann.socket();
    socket.say({ type: 'token', accessToken: ann.accessToken });
    socket.say({ type: 'since', since: {} });
    const execution = await ann.start(await ann.pipeline('assistant'), 'Still here');
    await socket.until(({ type, executionId }) => type === 'pipeline_update' && executionId === execution.id);
    socket.say({ type: 'token', accessToken: bob.accessToken });
    expect(await socket.closed).toBe(4401);
  });
});

describe('the socket of a pipeline', () => {
  test('W7.08 a pipeline’s socket sends execution_update with status, step, progress and result', async () => {
    const pipeline = await ann.pipeline('assistant', 'qa');
    const socket = await ann.socket(`/pipelinews/${pipeline.id}`);
    const other = await ann.start(await ann.pipeline('developer'), 'Another pipeline');
    await ann.until(other.id, ({ status }) => status === 'completed');
    await ann.start(pipeline, 'Follow me');
    const last = await socket.until(({ status }) => status === 'completed');
    expect(last).toMatchObject({
      type: 'execution_update',
      pipelineId: pipeline.id,
      progress: 100,
      result: expect.stringContaining('Answer'),
    });
    for (const message of socket.messages) expect(executionUpdate.safeParse(message).error).toBeUndefined();
    expect(new Set(socket.messages.map(({ pipelineId }) => pipelineId))).toEqual(new Set([pipeline.id]));
    expect(socket.messages.filter(({ step }) => step?.status === 'completed').map(({ progress }) => progress)).toEqual([50, 100]);
    await socket.close();
  });

  test('W7.08 a pipeline’s socket sends a reconnecting client the missed events of that pipeline, and of no other', async () => {
    const pipeline = await ann.pipeline('assistant');
    const [run, elsewhere] = [await ann.start(pipeline, 'Missed'), await ann.start(await ann.pipeline('qa'), 'Elsewhere')];
    for (const { id } of [run, elsewhere]) await ann.until(id, ({ status }) => status === 'completed');
    const socket = await ann.socket(`/pipelinews/${pipeline.id}`);
    socket.say({ type: 'since', since: { [elsewhere.id]: 0, [run.id]: 1 } });
    await socket.until(({ status }) => status === 'completed');
    expect(socket.messages.map(({ executionId, seq }) => [executionId, seq])).toEqual([2, 3, 4].map((seq) => [run.id, seq]));
    for (const message of socket.messages) expect(executionUpdate.safeParse(message).error).toBeUndefined();
    await socket.close();
  });

  test('R15.01 a pipeline’s socket does not exist for another user', async () => {
    const pipeline = await ann.pipeline('assistant');
    await expect(bob.socket(`/pipelinews/${pipeline.id}`)).rejects.toThrow('404');
    await expect(bob.socket('/pipelinews/nonsense')).rejects.toThrow('404');
  });
});

test('R05.01 with realtime off there is no socket, and a run is followed by its log', async () => {
  const quiet = await startAnother({ env: { ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url, ARTEL_REALTIME: 'off' } });
  try {
    const cleo = await signUp(quiet.url);
    await expect(cleo.socket()).rejects.toThrow('404');
    const execution = await cleo.start(await cleo.pipeline('assistant'), 'Quietly');
    await cleo.until(execution.id, ({ status }) => status === 'completed');
    expect((await cleo.logs(execution.id)).at(-1)?.type).toBe('execution.completed');
  } finally {
    await quiet.stop();
  }
});
