import { expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { ConnectionModels, ConnectionTest, ModelConnection } from '../../../contract/model-connection.ts';
import { startListServer } from '../../support/model-lists/list-server.ts';
import { signUp } from '../../support/run-account.ts';
import { setUp, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const lists = setUp(startListServer, ({ close }) => close());
const server = setUpServer(() => ({
  ...{ OPENAI_API_KEY: 'operators-secret-key', OPENAI_BASE_URL: `${models.url}/v1`, ARTEL_DEFAULT_MODEL: 'served-today' },
  ...{ ANTHROPIC_API_KEY: 'operators-other-key', ANTHROPIC_BASE_URL: `${lists.url}/v1` },
  ARTEL_LOCAL_MODELS: 'on',
}));
const publicServer = setUpServer({ PUBLIC_URL: 'https://artel.example', ARTEL_LOCAL_MODELS: 'on' });
const closedServer = setUpServer({ ARTEL_LOCAL_MODELS: 'off' });

const operatorsOf = async (ann: Awaited<ReturnType<typeof signUp>>) =>
  (await ann.call<ModelConnection[]>('GET', '/model-connections')).body.filter(({ owner }) => owner === 'operator');

test('M3.16 the connections of the operator come first, show no key and no address, and cannot be changed', async () => {
  const ann = await signUp(server.url);
  const operators = await operatorsOf(ann);
  expect(operators.map(({ name, address, keyLast4 }) => [name, address, keyLast4])).toEqual([
    ['OpenAI', null, null],
    ['Anthropic', null, null],
  ]);
  for (const [method, body] of [
    ['PUT', { name: 'Mine' }],
    ['DELETE', undefined],
  ] as const) {
    const refused = await ann.call<ErrorBody>(method, `/model-connections/${operators[0]?.id}`, body);
    expect(refused).toMatchObject({ status: 422, body: { code: 'connection_refused', details: { reason: 'operator' } } });
  }
});

test('M3.15 M3.16 agents of a new account use the connection and the default model of the operator', async () => {
  const ann = await signUp(server.url);
  const [operators] = await operatorsOf(ann);
  expect(operators).toMatchObject({ agents: 7, defaultModel: 'served-today' });
  const { body: made } = await ann.call<Agent>('POST', '/nuroagent', { name: 'new', title: 'New', role: 'QA' });
  const chosen = { connectionId: operators?.id, model: 'served-today', providerType: 'openai' };
  for (const agent of [...ann.agents, made]) expect(agent.apiConfiguration).toMatchObject(chosen);
  const { body: done } = await ann.call('POST', '/agentcommand/execute', { agentId: made.id, request: 'Hello', projectId: 'default' });
  expect(done).toMatchObject({ status: 'completed', model: 'served-today', simulated: false });
  expect(models.calls[0]?.headers.authorization).toBe('Bearer operators-secret-key');
});

test('M3.16 the list of the operator is read with its key, once for all accounts, and its test uses the lent key', async () => {
  const [ann, bob] = [await signUp(server.url), await signUp(server.url)];
  lists.answer({ '/v1/models': { json: { data: [{ id: 'claude-of-today', type: 'model' }] } } });
  const anthropic = (await operatorsOf(ann))[1]?.id;
  for (const person of [ann, bob])
    expect((await person.call<ConnectionModels>('GET', `/model-connections/${anthropic}/models`)).body.items).toEqual([
      { id: 'claude-of-today' },
    ]);
  await bob.call('POST', `/model-connections/${anthropic}/models`);
  expect(lists.calls.map(({ headers }) => headers['x-api-key'])).toEqual(['operators-other-key']);
  const openai = (await operatorsOf(ann))[0]?.id;
  const { body: tested } = await ann.call<ConnectionTest>('POST', `/model-connections/${openai}/test`, {});
  expect(tested).toMatchObject({ model: 'served-today', text: true, tools: false, problem: null });
});

test('M3.17 a server for this machine alone accepts the usual ports of local model servers, and no other private address', async () => {
  const ann = await signUp(server.url);
  const connect = (provider: string, address: string) => ann.call<ModelConnection>('POST', '/model-connections', { provider, address });
  expect((await connect('ollama', 'http://localhost:11434')).body).toMatchObject({ address: 'http://127.0.0.1:11434/' });
  expect((await connect('lmstudio', 'http://127.0.0.1:1234/v1')).status).toBe(201);
  for (const address of [
    'http://127.0.0.1:11435/v1',
    'http://127.0.0.2:11434/v1',
    'http://192.168.0.2:11434/v1',
    'http://127.0.0.1:1234@10.0.0.1/',
  ])
    expect([address, (await connect('ollama', address)).status]).toEqual([address, 400]);
});

test.each([
  ['that others can reach', publicServer],
  ['whose operator has switched it off', closedServer],
])('M3.17 a server %s looks at no port of its machine, and calls none', async (_, closed) => {
  const ann = await signUp(closed.url);
  expect((await ann.call('GET', '/model-connections/local')).body).toEqual([]);
  expect((await ann.call('POST', '/model-connections', { provider: 'ollama', address: 'http://127.0.0.1:11434/v1' })).status).toBe(400);
  const { body: own } = await ann.call<ModelConnection>('POST', '/model-connections', { provider: 'ollama' });
  const { body: list } = await ann.call<ConnectionModels>('GET', `/model-connections/${own.id}/models`);
  expect(list.problem?.reason).toBe('host');
});
