import { expect, test } from 'vitest';
import { AgentService, newAgentModel } from '../../../server/modules/agents/index.ts';
import { agentRepository } from '../../../server/modules/agents/repository.ts';
import { createPreparedStatements } from '../../../server/platform/database/prepared-statements.ts';
import { asOwner } from '../../../server/platform/owner-id.ts';
import { makeSecretBox } from '../../../server/platform/secrets/secret-box.ts';
import { secretKeyFrom } from '../../../server/platform/secrets/secret-key.ts';
import { signUp } from '../../support/call-api.ts';
import { setUpDatabase, setUpServer } from '../../support/set-up/for-vitest.ts';

const server = setUpServer();
const database = setUpDatabase();
const key = 'sk-test-0123456789abcdef-WXYZ';

test('W7.02 an agent is created with the defaults of W9, listed, read and changed', async () => {
  const member = await signUp(server.url);
  const created = await member.ask('agent.create', {
    body: {
      name: 'developer',
      title: 'Второй разработчик',
      role: 'Developer',
      skills: ['Go'],
      configuration: { systemPrompt: 'Пишите код.' },
    },
  });
  expect(created).toMatchObject({ status: 1, userId: member.id, skills: ['Go'], configuration: { systemPrompt: 'Пишите код.', plan: '' } });
  expect(created.apiConfiguration).toEqual({
    ...{ providerType: 'openai', model: 'gpt-4', temperature: 0.7, maxTokens: 4000 },
    ...{ effort: null, connectionId: null, fallback: null, mayGoWithoutTools: false, willSimulate: true },
    work: { fileAccess: 'write', runsTests: false, maxTurns: null, maxCalls: null },
    ...{ baseUrl: null, folderId: null, hasKey: false, keyLast4: null },
  });
  const params = { id: created.id };
  await member.ask('agent.update', { params, body: { title: 'Третий', configuration: { plan: 'Растёт' } } });
  expect(await member.ask('agent.get', { params })).toMatchObject({
    title: 'Третий',
    role: 'Developer',
    configuration: { systemPrompt: 'Пишите код.', plan: 'Растёт' },
  });
  expect((await member.ask('agent.list')).map(({ id }) => id)).toContain(created.id);
});

test('W7.02 a list gives a page of what there is and says how much that is', async () => {
  const member = await signUp(server.url);
  const all = await member.ask('agent.list');
  const response = await member.send('agent.list', { query: { limit: 3, offset: 2 } });
  expect(response.headers.get('x-total-count')).toBe('7');
  expect(((await response.json()) as { id: string }[]).map(({ id }) => id)).toEqual(all.slice(2, 5).map(({ id }) => id));
  expect(await member.refused('agent.list', { query: { limit: 201 } })).toMatchObject({ status: 400, errors: [{ path: 'limit' }] });
});

test('R37.01 an agent that is created twice with one key is created once, also at the same moment', async () => {
  const member = await signUp(server.url);
  const sent = { body: { name: 'qa', title: 'QA', role: 'QA' }, headers: { 'idempotency-key': 'new-agent' } };
  const made = await Promise.all(Array.from({ length: 5 }, () => member.ask('agent.create', sent)));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect(await member.ask('agent.list')).toHaveLength(8);
  const other = await signUp(server.url);
  expect((await other.ask('agent.create', sent)).id).not.toBe(made[0]?.id);
});

test('R15.01 a foreign agent answers exactly as a missing one, on every call', async () => {
  const [owner, other] = [await signUp(server.url), await signUp(server.url)];
  const [foreign] = await owner.ask('agent.list');
  const missing = '01a1fab3-094b-73bf-a485-a91fccff0c5d';
  for (const [name, body] of [
    ['agent.get', undefined],
    ['agent.update', { title: 'Mine now' }],
    ['agent.apiConfiguration', undefined],
    ['agent.putApiConfiguration', { apiKey: null }],
  ] as const) {
    const answers = await Promise.all([foreign?.id ?? '', missing].map((id) => other.refused(name, { params: { id }, body })));
    const [first, second] = answers.map(({ status, code, message }) => ({ status, code, message }));
    expect(first).toMatchObject({ status: 404, code: 'not_found' });
    expect(second).toEqual(first);
  }
  expect((await owner.ask('agent.list')).map(({ title }) => title)).not.toContain('Mine now');
});

test('R15.01 a write cannot set what the contract does not offer', async () => {
  const member = await signUp(server.url);
  const other = await signUp(server.url);
  const body = {
    name: 'x',
    title: 'X',
    role: 'X',
    userId: other.id,
    id: other.id,
    status: 2,
    createdAt: '2000-01-01T00:00:00Z',
    apiKeySealed: 'x',
  };
  const response = await member.send('agent.create', { body });
  expect(await response.json()).toMatchObject({ userId: member.id, status: 1, apiConfiguration: { hasKey: false } });
  expect(await other.ask('agent.list')).toHaveLength(7);
});

test('R25.01 a key is stored, shown by its last four characters only, and never returned', async () => {
  const member = await signUp(server.url);
  const [agent] = await member.ask('agent.list');
  const params = { id: agent?.id ?? '' };
  const response = await member.send('agent.putApiConfiguration', { params, body: { apiKey: key, model: 'gpt-4-turbo', temperature: 0 } });
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ hasKey: true, keyLast4: 'WXYZ', model: 'gpt-4-turbo', temperature: 0 });
  const everything = [
    text,
    ...(await Promise.all((['agent.get', 'agent.list', 'agent.apiConfiguration'] as const).map((name) => read(name)))),
  ];
  expect(everything.join()).not.toContain('sk-test');
  expect(server.logs()).not.toContain('sk-test');

  async function read(name: 'agent.get' | 'agent.list' | 'agent.apiConfiguration'): Promise<string> {
    return (await member.send(name, { params })).text();
  }
});

test('R25.01 a key stays with its host: a change of host or provider removes the key, other settings keep it, null removes it', async () => {
  const member = await signUp(server.url);
  const [agent] = await member.ask('agent.list');
  const params = { id: agent?.id ?? '' };
  const put = (body: object) => member.ask('agent.putApiConfiguration', { params, body });
  const baseUrl = 'https://models.example/v1';
  expect(await put({ apiKey: key, baseUrl })).toMatchObject({ hasKey: true });
  expect(await put({ model: 'llama', baseUrl: 'https://models.example/v2' })).toMatchObject({ hasKey: true, keyLast4: 'WXYZ' });
  expect(await put({ baseUrl: 'https://elsewhere.example/v1' })).toMatchObject({ hasKey: false, keyLast4: null });
  expect(await put({ apiKey: key, baseUrl: null })).toMatchObject({ hasKey: true });
  expect(await put({ providerType: 'anthropic' })).toMatchObject({ hasKey: false });
  await put({ apiKey: key });
  expect(await put({ apiKey: null })).toMatchObject({ hasKey: false, keyLast4: null });
});

test.each([
  [{ temperature: 2.1 }, 'temperature'],
  [{ maxTokens: 99 }, 'maxTokens'],
  [{ maxTokens: 128_001 }, 'maxTokens'],
  [{ baseUrl: 'file:///etc/passwd' }, 'baseUrl'],
  [{ providerType: 'other' }, 'providerType'],
])('W5.07 model settings outside their range are refused: %o', async (body, path) => {
  const member = await signUp(server.url);
  const [agent] = await member.ask('agent.list');
  const refusal = await member.refused('agent.putApiConfiguration', { params: { id: agent?.id ?? '' }, body });
  expect(refusal).toMatchObject({ status: 400, errors: [{ path }] });
});

test.each([
  ['http://127.0.0.1:11434/v1', 'закрытой сети'],
  ['http://localhost:11434/v1', 'закрытой сети'],
  ['http://[::ffff:10.0.0.1]/v1', 'закрытой сети'],
  ['http://0x7f.1/v1', 'закрытой сети'],
  ['http://169.254.169.254/latest', 'закрытой сети'],
  ['https://me:hush@93.184.215.14/v1', 'имени и пароля'],
  ['https://93.184.215.14/v1?api_key=hush', 'ключа'],
])('R25.01 the address %s is refused when it is saved, and nothing is changed', async (baseUrl, words) => {
  const member = await signUp(server.url);
  const [agent] = await member.ask('agent.list');
  const params = { id: agent?.id ?? '' };
  const refusal = await member.refused('agent.putApiConfiguration', { params, body: { baseUrl, apiKey: key, model: 'other' } });
  expect(refusal).toMatchObject({ status: 400, errors: [{ path: 'baseUrl', message: expect.stringContaining(words) }] });
  expect(await member.ask('agent.apiConfiguration', { params })).toMatchObject({ baseUrl: null, hasKey: false, model: 'gpt-4' });
});

test('R25.01 an address whose name does not resolve now is saved all the same', async () => {
  const member = await signUp(server.url);
  const [agent] = await member.ask('agent.list');
  const body = { baseUrl: 'https://nowhere.invalid/v1' };
  expect(await member.ask('agent.putApiConfiguration', { params: { id: agent?.id ?? '' }, body })).toMatchObject(body);
});

test.each(['sk-one\r\nx-two: 3', 'ключ-по-русски', 'sk two words'])(
  'R25.01 a key that no header can carry is refused: %j',
  async (apiKey) => {
    const member = await signUp(server.url);
    const [agent] = await member.ask('agent.list');
    const refusal = await member.refused('agent.putApiConfiguration', { params: { id: agent?.id ?? '' }, body: { apiKey } });
    expect(refusal).toMatchObject({ status: 400, errors: [{ path: 'apiKey' }] });
  },
);

test('R25.01 a stored key is sealed, opens for its own agent and host only, and not with another secret', async () => {
  const userId = '01a1fab3-094b-73bf-a485-a91fccff0c5d';
  await database.pool.query(`INSERT INTO users (id, email, name, password_hash) VALUES ($1, 'k@example.com', 'K', 'none')`, [userId]);
  const run = createPreparedStatements(database.pool);
  const secrets = makeSecretBox(secretKeyFrom('one secret of at least thirty-two characters'));
  const own = {
    db: database.db,
    run,
    isHostAllowed: async () => true,
    operator: new Map(),
    newAgentModel: () => newAgentModel(new Map()),
    now: () => new Date(),
  };
  const agents = new AgentService({ ...own, secrets });
  const [one, two] = await agents.createAll(
    database.db,
    asOwner(userId),
    ['one', 'two'].map((name) => ({ name, title: name, role: 'QA' })),
  );
  if (!one || !two) throw new Error('no agents');
  await agents.putApiConfiguration(asOwner(userId), one.id, { apiKey: key }, 'en');
  expect(await agents.modelConfigs(asOwner(userId), [one.id])).toMatchObject([{ apiKey: key }]);

  const repository = agentRepository(database.db);
  const row = await repository.find(asOwner(userId), one.id);
  expect(row?.apiKeySealed).not.toContain('sk-test');
  await repository.update(asOwner(userId), two.id, { apiKeySealed: row?.apiKeySealed ?? null, apiKeyHost: row?.apiKeyHost ?? null });
  expect(await agents.modelConfigs(asOwner(userId), [two.id])).toMatchObject([{ apiKey: null }]);
  await repository.update(asOwner(userId), one.id, { baseUrl: 'https://thief.example/v1' });
  expect(await agents.modelConfigs(asOwner(userId), [one.id])).toMatchObject([{ apiKey: null }]);
  await repository.update(asOwner(userId), one.id, { baseUrl: null });
  const another = makeSecretBox(secretKeyFrom('another secret of thirty-two characters'));
  const stranger = new AgentService({ ...own, secrets: another });
  expect(await stranger.modelConfigs(asOwner(userId), [one.id])).toMatchObject([{ apiKey: null }]);
  expect(await agents.modelConfigs(asOwner(userId), [one.id])).toMatchObject([{ apiKey: key }]);
});

test('D4.20 agents get a model and its connection in one call, and the response has the former values, so that a client can undo', async () => {
  const member = await signUp(server.url);
  const agents = (await member.ask('agent.list')).slice(0, 3);
  const agentIds = agents.map(({ id }) => id);
  const connection = await member.ask('modelConnection.create', {
    body: { provider: 'openai', name: 'Mine', apiKey: 'sk-one' },
  });
  const had = agents[0]?.apiConfiguration.model ?? '';
  const set = await member.ask('agent.setModels', { body: { agentIds, connectionId: connection.id, model: 'gpt-4-turbo' } });
  expect(set.agents.map(({ agentId }) => agentId).toSorted()).toEqual(agentIds.toSorted());
  expect(set.agents).toEqual(agentIds.toSorted().map((agentId) => ({ agentId, connectionId: null, model: had })));
  const modelsNow = async () => {
    const listed = (await member.ask('agent.list')).filter(({ id }) => agentIds.includes(id));
    return listed.map(({ apiConfiguration: { connectionId, model } }) => [connectionId, model]);
  };
  expect(await modelsNow()).toEqual(agentIds.map(() => [connection.id, 'gpt-4-turbo']));
  expect(await member.ask('agent.setModels', { body: { agentIds, connectionId: connection.id, model: 'gpt-4-turbo' } })).toEqual({
    agents: [],
  });
  await member.ask('agent.setModels', { body: { agentIds, connectionId: null, model: had } });
  expect(await modelsNow()).toEqual(agentIds.map(() => [null, had]));
});
