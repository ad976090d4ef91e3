import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { ConnectionModels, ConnectionTest, ModelConnection } from '../../../contract/model-connection.ts';
import { AgentService, newAgentModel } from '../../../server/modules/agents/index.ts';
import { operatorIds } from '../../../server/modules/connections/index.ts';
import { createPreparedStatements } from '../../../server/platform/database/prepared-statements.ts';
import { accountInRow } from '../../../server/platform/llm/model-traits.ts';
import { asOwner } from '../../../server/platform/owner-id.ts';
import { makeSecretBox } from '../../../server/platform/secrets/secret-box.ts';
import { secretKeyFrom } from '../../../server/platform/secrets/secret-key.ts';
import { signUp } from '../../support/run-account.ts';
import { setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const { database, server } = setUpServerOnDatabase({ ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' });

const key = 'a-long-secret-key-WXYZ';
const create = async (person: Awaited<ReturnType<typeof signUp>>, given: object = {}) =>
  (await person.call<ModelConnection>('POST', '/model-connections', { provider: 'compatible', address: `${models.url}/v1`, ...given }))
    .body;
const refusal = async (person: Awaited<ReturnType<typeof signUp>>, given: object) =>
  (await person.call<ErrorBody>('POST', '/model-connections', { provider: 'compatible', address: `${models.url}/v1`, ...given })).body;

test('M3.01 a connection is entered once, listed and changed, and shows neither its key nor the values of its headers', async () => {
  const ann = await signUp(server.url);
  const created = await create(ann, {
    name: 'Ours',
    apiKey: key,
    headers: [{ name: 'X-Team', value: 'blue team' }],
    extraBody: { num_ctx: 8192 },
  });
  expect(created).toMatchObject({ owner: 'user', name: 'Ours', hasKey: true, keyLast4: 'WXYZ', headerNames: ['X-Team'], agents: 0 });
  const { body: changed } = await ann.call<ModelConnection>('PUT', `/model-connections/${created.id}`, { name: 'Theirs' });
  expect(changed).toMatchObject({ name: 'Theirs', hasKey: true, headerNames: ['X-Team'], extraBody: { num_ctx: 8192 } });
  const listed = await ann.call('GET', '/model-connections');
  expect(listed.body).toEqual([changed]);
  expect(JSON.stringify([created, changed, listed.body])).not.toMatch(/secret-key|blue team/);
  const { rows } = await database.pool.query('SELECT c::text AS row FROM connections AS c WHERE id = $1', [created.id]);
  expect(rows[0].row).not.toMatch(/secret-key|blue team/);
  expect(server.logs()).not.toMatch(/secret-key|blue team/);
});

test('M3.01 a repeated creation with one idempotency key makes one connection', async () => {
  const ann = await signUp(server.url);
  const headers = { 'idempotency-key': randomUUID() };
  const given = { provider: 'compatible', address: `${models.url}/v1` };
  const first = await ann.call<ModelConnection>('POST', '/model-connections', given, headers);
  const again = await ann.call<ModelConnection>('POST', '/model-connections', given, headers);
  expect(again.body).toEqual(first.body);
  expect((await ann.call<unknown[]>('GET', '/model-connections')).body).toHaveLength(1);
});

test('M3.01 an account has fifty connections at most, also when they are made at once', async () => {
  const ann = await signUp(server.url);
  const made = await Promise.all(
    Array.from({ length: 55 }, () => ann.call<ErrorBody>('POST', '/model-connections', { provider: 'ollama' })),
  );
  expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
  const refused = made.filter(({ status }) => status !== 201);
  expect(new Set(refused.map(({ body }) => body.message))).toEqual(new Set(['An account has 50 connections at most.']));
});

test('M3.02 a new host drops the key and the headers of the old one', async () => {
  const ann = await signUp(server.url);
  const { id } = await create(ann, { apiKey: key, headers: [{ name: 'X-Team', value: 'blue' }] });
  const samePlace = await ann.call<ModelConnection>('PUT', `/model-connections/${id}`, { address: `${models.url}/v1/chat/completions` });
  expect(samePlace.body).toMatchObject({ hasKey: true, headerNames: ['X-Team'] });
  const kept = { address: 'http://127.0.0.1:9/v1', headers: [{ name: 'X-Team', value: null }] };
  const refused = await ann.call<ErrorBody>('PUT', `/model-connections/${id}`, kept);
  expect(refused.body.errors).toEqual([{ path: 'headers.0.value', message: 'Enter the value of “X-Team”: no earlier one is stored.' }]);
  const moved = await ann.call<ModelConnection>('PUT', `/model-connections/${id}`, { address: 'http://127.0.0.1:9/v1' });
  expect(moved.body).toMatchObject({ hasKey: false, keyLast4: null, headerNames: [] });
});

test.each<[string, object, string, RegExp]>([
  ['a key of another provider', { provider: 'openai', address: null, apiKey: 'sk-ant-api03-abcdefgh' }, 'apiKey', /key of Anthropic/],
  ['no key for a provider', { provider: 'openai', address: null }, 'apiKey', /Enter the key/],
  ['no address', { address: null }, 'address', /Enter the address/],
  ['an address with user info', { address: 'https://ann:secret@models.example/v1' }, 'address', /name, a password or a key/],
  ['an address with a key in its query', { address: 'https://models.example/v1?api_key=abc' }, 'address', /name, a password or a key/],
  ['an address of another scheme', { address: 'ftp://models.example/v1' }, 'address', /begins with http/],
  ['an address of a metadata service', { address: 'http://169.254.169.254/v1' }, 'address', /private network/],
  [
    'a header with a line break',
    { headers: [{ name: 'X-Team', value: 'blue\r\nx-evil: 1' }] },
    'headers.0.value',
    /“X-Team” has a line break/,
  ],
  ['a header of calls', { headers: [{ name: 'Content-Length', value: '1' }] }, 'headers.0.name', /header “Content-Length” themselves/],
  ['a header that is no name', { headers: [{ name: 'X Team:', value: '1' }] }, 'headers.0.name', /Latin letters/],
  ['messages in further fields', { extraBody: { messages: [] } }, 'extraBody.messages', /field “messages” themselves/],
  ['a model in further fields', { extraBody: { model: 'another' } }, 'extraBody.model', /field “model” themselves/],
  ['large further fields', { extraBody: { text: 'x'.repeat(10_001) } }, 'extraBody', /10000 characters/],
  ['deep further fields', { extraBody: JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`) }, 'extraBody', /8 levels/],
])('M3.03 %s is refused by name', async (_, given, path, sentence) => {
  const ann = await signUp(server.url);
  expect((await refusal(ann, given)).errors).toEqual([{ path, message: expect.stringMatching(sentence) }]);
  expect((await ann.call('GET', '/model-connections')).body).toEqual([]);
});

test('M3.04 an agent calls the address of its connection with its key, headers and fields, and needs no key of its own', async () => {
  const ann = await signUp(server.url);
  const { id } = await create(ann, { apiKey: key, headers: [{ name: 'X-Team', value: 'blue' }], extraBody: { num_ctx: 8192 } });
  const agent = ann.agent('assistant').id;
  const put = await ann.call('PUT', `/nuroagent/${agent}/api-configuration`, { connectionId: id, model: 'ours-1' });
  expect(put.body).toMatchObject({ connectionId: id, model: 'ours-1', providerType: 'openai', hasKey: false });
  const { body: done } = await ann.call('POST', '/agentcommand/execute', { agentId: agent, request: 'Hello', projectId: 'default' });
  expect(done).toMatchObject({ status: 'completed', model: 'ours-1', simulated: false });
  expect(models.calls[0]).toMatchObject({
    headers: { authorization: `Bearer ${key}`, 'x-team': 'blue' },
    body: { model: 'ours-1', num_ctx: 8192 },
  });
});

test('M3.04 an address or a key of its own takes the place of the connection of an agent', async () => {
  const ann = await signUp(server.url);
  const { id } = await create(ann);
  const agent = ann.agent('assistant').id;
  await ann.call('PUT', `/nuroagent/${agent}/api-configuration`, { connectionId: id });
  const put = await ann.call('PUT', `/nuroagent/${agent}/api-configuration`, { apiKey: key });
  expect(put.body).toMatchObject({ connectionId: null, hasKey: true });
});

test('M3.04 the second connection of an agent is read with it: the settings of the first but for the server and the model', async () => {
  const ann = await signUp(server.url);
  const { id } = await create(ann, { extraBody: { num_ctx: 8192 } });
  const agent = ann.agent('assistant').id;
  await ann.call('PUT', `/nuroagent/${agent}/api-configuration`, { fallback: { connectionId: id, model: 'second' }, temperature: 0.2 });
  const run = createPreparedStatements(database.pool);
  const secrets = makeSecretBox(secretKeyFrom('one secret of at least thirty-two characters'));
  const own = { db: database.db, run, secrets, operator: new Map(), newAgentModel: () => newAgentModel(new Map()), now: () => new Date() };
  const config = await new AgentService({ ...own, isHostAllowed: async () => true }).modelConfig(asOwner(ann.userId), agent);
  expect(config).toMatchObject({ providerType: 'openai', model: 'gpt-4', baseUrl: null });
  expect(config?.fallback).toMatchObject({
    ...{ providerType: 'compatible', model: 'second', baseUrl: `${models.url}/v1`, temperature: 0.2, apiKey: null },
    connection: { headers: {}, extraBody: { num_ctx: 8192 } },
  });
});

test('M3.26 an agent whose model its provider has ended says so with the successor, where the provider answers; a simulated one does not', async () => {
  const ann = await signUp(server.url);
  const [agent] = ann.agents;
  const endOf = async () => (await ann.call<Agent>('GET', `/nuroagent/${agent?.id}`)).body.apiConfiguration.ended;
  expect(agent?.apiConfiguration).toMatchObject({ model: 'gpt-4', willSimulate: true });
  expect(await endOf()).toBeUndefined();
  await ann.call('PUT', `/nuroagent/${agent?.id}/api-configuration`, { apiKey: 'sk-own' });
  expect(await endOf()).toEqual({ on: '2026-10-23', instead: 'gpt-6.1-sol' });
  const [listed] = (await ann.call<Agent[]>('GET', '/nuroagent')).body.filter(({ id }) => id === agent?.id);
  expect(listed?.apiConfiguration.ended?.on).toBe('2026-10-23');
  const connect = async (given: object) => (await ann.call<ModelConnection>('POST', '/model-connections', given)).body.id;
  const use = (id: string, model: string) => ann.call('POST', `/model-connections/${id}/use`, { agentIds: [agent?.id], model });
  await use(await connect({ provider: 'deepseek', apiKey: 'sk-deepseek' }), 'deepseek-chat');
  expect(await endOf()).toEqual({ on: '2026-07-24', instead: 'deepseek-flash' });
  // Another server may serve another model under the name.
  await use(await connect({ provider: 'deepseek', address: `${models.url}/v1` }), 'deepseek-chat');
  expect(await endOf()).toBeUndefined();
});

test('M3.05 a connection that agents use says so before it is removed, and then they have none', async () => {
  const ann = await signUp(server.url);
  const { id } = await create(ann);
  const [first, second] = [ann.agent('assistant').id, ann.agent('developer').id];
  await ann.call('PUT', `/nuroagent/${first}/api-configuration`, { connectionId: id });
  await ann.call('PUT', `/nuroagent/${second}/api-configuration`, { fallback: { connectionId: id, model: 'second' } });
  const refused = await ann.call<ErrorBody>('DELETE', `/model-connections/${id}`);
  expect(refused).toMatchObject({ status: 409, body: { code: 'connection_used', details: { agents: 2 } } });
  expect((await ann.call('DELETE', `/model-connections/${id}?evenIfUsed=true`)).status).toBe(204);
  expect((await ann.call('GET', `/nuroagent/${first}/api-configuration`)).body).toMatchObject({ connectionId: null, model: 'gpt-4' });
  expect((await ann.call('GET', `/nuroagent/${second}/api-configuration`)).body).toMatchObject({ fallback: null });
});

test('M3.05 agents of a removed project’s connections have no connection', async () => {
  const ann = await signUp(server.url);
  const { body: project } = await ann.call<{ id: string }>('POST', '/project', { name: 'Another' });
  const { id, owner } = await create(ann, { projectId: project.id });
  expect(owner).toBe('project');
  expect((await ann.call('GET', `/model-connections?projectId=${project.id}`)).body).toHaveLength(1);
  const agent = ann.agent('assistant').id;
  await ann.call('PUT', `/nuroagent/${agent}/api-configuration`, { connectionId: id });
  expect((await ann.call('DELETE', `/project/${project.id}`)).status).toBe(204);
  expect((await ann.call('GET', `/nuroagent/${agent}/api-configuration`)).body).toMatchObject({ connectionId: null });
});

test('M3.06 agents of a canvas change to a connection at once, after a preview that changes nothing', async () => {
  const ann = await signUp(server.url);
  const { id } = await create(ann, { name: 'Ours' });
  const [one, two] = [ann.agent('assistant'), ann.agent('developer')];
  const asked = { agentIds: [one.id, two.id], model: 'ours-1' };
  const preview = await ann.call('POST', `/model-connections/${id}/use`, { ...asked, isPreview: true });
  const line = (agent: typeof one) => ({ agentId: agent.id, title: agent.title, before: 'openai · gpt-4', after: 'Ours · ours-1' });
  expect(preview.body).toEqual({ agents: expect.arrayContaining([line(one), line(two)]) });
  expect((await ann.call('GET', `/nuroagent/${one.id}/api-configuration`)).body).toMatchObject({ connectionId: null });
  await ann.call('POST', `/model-connections/${id}/use`, asked);
  expect((await ann.call('GET', `/nuroagent/${two.id}/api-configuration`)).body).toMatchObject({ connectionId: id, model: 'ours-1' });
  expect((await ann.call('POST', `/model-connections/${id}/use`, asked)).body).toEqual({ agents: [] });
});

test('M3.07 a test makes one call with a tool, says what works, and is counted', async () => {
  const ann = await signUp(server.url);
  const { id } = await create(ann, { apiKey: key });
  models.answer(() => ({
    kind: 'calls',
    text: 'Spring is here.',
    calls: [{ id: 'c', name: 'report_word', arguments: '{"word":"spring"}' }],
  }));
  const { body } = await ann.call<ConnectionTest>('POST', `/model-connections/${id}/test`, { model: 'ours-1' });
  expect(body).toMatchObject({ model: 'ours-1', text: true, tools: true, hasPrice: false, problem: null });
  expect(models.calls).toHaveLength(1);
  expect((await ann.call<ModelConnection[]>('GET', '/model-connections')).body[0]?.tested).toEqual(body);
  const { rows } = await database.pool.query('SELECT model, project_id FROM spend WHERE user_id = $1', [ann.userId]);
  expect(rows).toEqual([{ model: 'ours-1', project_id: null }]);
});

test('M3.07 M3.27 a test in which the model only calls the tool, or fails, does not say what could not be seen', async () => {
  const ann = await signUp(server.url);
  const { id } = await create(ann, { apiKey: key });
  const tested = async () => (await ann.call<ConnectionTest>('POST', `/model-connections/${id}/test`, { model: 'ours-1' })).body;
  models.answer(() => ({ kind: 'calls', calls: [{ id: 'c', name: 'report_word', arguments: '{"word":"spring"}' }] }));
  expect(await tested()).toMatchObject({ text: null, streaming: null, tools: true, problem: null });
  models.answer(() => ({ kind: 'status', status: 401, message: 'No' }));
  expect(await tested()).toMatchObject({ text: false, streaming: null, tools: null });
});

test('M3.12 windows and tools that a model list does not name are learned from calls and from the last test', async () => {
  const ann = await signUp(server.url);
  const { id } = await create(ann, { apiKey: key });
  models.offer(['ours-1', 'ours-2', 'ours-3']);
  models.answer(({ body }) =>
    body.model === 'ours-1'
      ? { kind: 'calls', calls: [{ id: 'c', name: 'report_word', arguments: '{"word":"spring"}' }] }
      : { kind: 'status', status: 400, message: 'ours-2 does not support tools' },
  );
  for (const model of ['ours-2', 'ours-1']) await ann.call('POST', `/model-connections/${id}/test`, { model });
  const place = [accountInRow(ann.userId), new URL(models.url).host];
  await database.pool.query("UPDATE model_traits SET context = 8192 WHERE model = 'ours-1' AND account = $1 AND host = $2", place);
  const { items } = (await ann.call<ConnectionModels>('GET', `/model-connections/${id}/models`)).body;
  expect(items).toEqual([{ id: 'ours-1', context: 8_192, tools: true }, { id: 'ours-2', tools: false }, { id: 'ours-3' }]);
});

test('M3.07 a test that fails says why, in the language of the caller, without the key', async () => {
  const ann = await signUp(server.url);
  const { id } = await create(ann, { apiKey: key });
  models.answer(() => ({ kind: 'status', status: 401, message: `Incorrect API key provided: ${key}` }));
  const { body } = await ann.call<ConnectionTest>('POST', `/model-connections/${id}/test`, { model: 'ours-1' });
  expect(body.problem).toMatchObject({ reason: 'unauthorized', message: expect.stringMatching(/^The server refuses the key\./) });
  const listed = await ann.call<ModelConnection[]>('GET', '/model-connections', undefined, { 'accept-language': 'ru' });
  expect(listed.body[0]?.tested?.problem?.message).toMatch(/^Сервер не принимает ключ\./);
  expect(JSON.stringify([body, listed.body])).not.toContain(key);
});

test('M3.08 a key that cannot be decrypted is named, and no other key takes its place', async () => {
  const ann = await signUp(server.url);
  const { id } = await create(ann, { apiKey: key });
  const agent = ann.agent('assistant').id;
  await ann.call('PUT', `/nuroagent/${agent}/api-configuration`, { connectionId: id, model: 'ours-1' });
  await database.pool.query(`UPDATE connections SET key_sealed = 'v1.AAAA.AAAA.AAAA' WHERE id = $1`, [id]);
  const { body: done } = await ann.call('POST', '/agentcommand/execute', { agentId: agent, request: 'Hello', projectId: 'default' });
  expect(done).toMatchObject({ status: 'failed', error: { code: 'model_key_unreadable' } });
  const { body: tested } = await ann.call<ConnectionTest>('POST', `/model-connections/${id}/test`, { model: 'ours-1' });
  expect(tested.problem?.reason).toBe('key_unreadable');
  const lost = await ann.call<ErrorBody>('PUT', `/model-connections/${id}`, { headers: [{ name: 'X-Team', value: 'blue' }] });
  expect(lost.body.errors).toMatchObject([{ path: 'apiKey' }]);
  expect(models.calls).toEqual([]);
});

test('M3.16 an agent of a connection whose key the operator has removed has no connection, and says that it is simulated', async () => {
  const ann = await signUp(server.url);
  const agent = ann.agent('assistant').id;
  await database.pool.query('UPDATE agents SET connection_id = $1 WHERE id = $2', [operatorIds[0], agent]);
  expect((await ann.call('GET', `/nuroagent/${agent}/api-configuration`)).body).toMatchObject({ connectionId: null, willSimulate: true });
  const { body: done } = await ann.call('POST', '/agentcommand/execute', { agentId: agent, request: 'Hello', projectId: 'default' });
  expect(done).toMatchObject({ status: 'completed', simulated: true });
});

test('M2.07 the answers that one connection’s fields cause on a server change no call of another account', async () => {
  const [ann, bob] = await Promise.all([signUp(server.url), signUp(server.url)]);
  const [own, plain] = await Promise.all([create(ann, { extraBody: { note: '1000 tokens' } }), create(bob)]);
  const message = "Invalid value for 'note': this model's maximum context length is 1000 tokens.";
  models.answer(({ body }) => ('note' in body ? { kind: 'status', status: 400, message } : { kind: 'text', text: 'Spring is here.' }));
  const model = `ours-${randomUUID()}`;
  await ann.call('POST', `/model-connections/${own.id}/test`, { model });
  await bob.call('POST', `/model-connections/${plain.id}/test`, { model });
  const { host } = new URL(models.url);
  const { rows } = await database.pool.query<{ account: string; context: number | null }>(
    'SELECT account, context FROM model_traits WHERE model = $1 AND host = $2',
    [model, host],
  );
  const learnt = Object.fromEntries(rows.map(({ account, context }) => [account, context]));
  expect(learnt).toEqual({ [accountInRow(ann.userId)]: 1_000, [accountInRow(bob.userId)]: null });
});
