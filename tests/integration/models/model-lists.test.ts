import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { ConnectionModels, ModelConnection } from '../../../contract/model-connection.ts';
import { startListServer } from '../../support/model-lists/list-server.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUp, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const lists = setUp(startListServer, ({ close }) => close());
const { database, server } = setUpServerOnDatabase(() => ({
  ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on',
  GIGACHAT_AUTH_URL: `${lists.url}/oauth`,
}));

const key = 'a-long-secret-key-WXYZ';
const named = (...ids: string[]) => ({ json: { object: 'list', data: ids.map((id) => ({ id, object: 'model' })) } });
const connect = async (ann: RunAccount, given: object = {}) =>
  (await ann.call<ModelConnection>('POST', '/model-connections', { provider: 'compatible', address: `${lists.url}/v1`, ...given })).body;
const read = async (ann: RunAccount, id: string, query = '') =>
  (await ann.call<ConnectionModels>('GET', `/model-connections/${id}/models${query}`)).body;

test('M3.09 a list is read once for requests at once, kept for a day, and searched', async () => {
  const ann = await signUp(server.url);
  lists.answer({ '/v1/models': named('qwen3-32b', 'llama-4', 'text-embedding-3') });
  const { id } = await connect(ann, { apiKey: key });
  const both = await Promise.all([read(ann, id), read(ann, id)]);
  expect(both[0].items).toEqual([{ id: 'qwen3-32b' }, { id: 'llama-4' }]);
  expect((await read(ann, id, '?query=QWEN')).items).toEqual([{ id: 'qwen3-32b' }]);
  expect(lists.calls).toHaveLength(1);
  expect(lists.calls[0]?.headers.authorization).toBe(`Bearer ${key}`);
  await database.pool.query(`UPDATE connections SET models_at = now() - interval '25 hours' WHERE id = $1`, [id]);
  await read(ann, id);
  expect(lists.calls).toHaveLength(2);
  await ann.call('POST', `/model-connections/${id}/models`);
  expect(lists.calls).toHaveLength(3);
  expect((await ann.call<ModelConnection[]>('GET', '/model-connections')).body).toMatchObject([{ modelCount: 2, modelsProblem: null }]);
});

test('M3.13 the prices that a list tells are kept for the models that agents use, and go with another address', async () => {
  const ann = await signUp(server.url);
  const priced = (id: string, prompt: string) => ({ id, pricing: { prompt, completion: '0.00001', input_cache_read: '0.0000001' } });
  lists.answer({ '/v1/models': { json: { data: [priced('a/used', '0.000002'), priced('a/other', '0.000003')] } } });
  const { id } = await connect(ann);
  const kept = async () => (await database.pool.query('SELECT told_prices FROM connections WHERE id = $1', [id])).rows[0]?.told_prices;
  await read(ann, id);
  expect(await kept()).toBeNull();
  await ann.call('POST', `/model-connections/${id}/use`, { agentIds: [ann.agents[0]?.id], model: 'a/used' });
  const used = { currency: 'USD', input: 2_000_000, cachedInput: 100_000, output: 10_000_000 };
  expect(await kept()).toEqual({ 'a/used': used });
  lists.answer({ '/v1/models': { json: { data: [priced('a/used', '0.000004')] } } });
  await ann.call('POST', `/model-connections/${id}/models`);
  expect(await kept()).toEqual({ 'a/used': { ...used, input: 4_000_000 } });
  await ann.call('PUT', `/model-connections/${id}`, { address: `${lists.url}/other/v1` });
  expect(await kept()).toBeNull();
});

test('M3.10 a list of 6,000 models is cut to 5,000, and the number of the others is shown', async () => {
  const ann = await signUp(server.url);
  lists.answer({ '/v1/models': named(...Array.from({ length: 6_000 }, (_, number) => `model-${number}`)) });
  const { id } = await connect(ann);
  expect(await read(ann, id)).toMatchObject({ total: 5_000, leftOut: 1_000, problem: null });
  expect((await read(ann, id, '?query=model-4999')).items).toEqual([{ id: 'model-4999' }]);
});

test('M3.10 a list that never ends is cut at its limit, and named', async () => {
  const ann = await signUp(server.url);
  const { id } = await connect(ann);
  const part = JSON.stringify({ id: 'x'.repeat(100) });
  lists.answer({
    '/v1/models': {
      write: (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"data":[');
        const more = () => {
          while (!response.destroyed && response.write(`${part},`.repeat(1_000)));
        };
        response.on('drain', more);
        more();
      },
    },
  });
  expect((await read(ann, id)).problem).toMatchObject({ reason: 'too_large', message: 'The answer is too long.' });
});

test('M3.10 pages that never end are cut at their number', async () => {
  const ann = await signUp(server.url);
  let page = 0;
  lists.answer({
    '/v1/models': () => ({ json: { data: [{ id: `claude-${page}`, type: 'model' }], has_more: true, last_id: `at-${page++}` } }),
  });
  const { id } = await connect(ann, { provider: 'anthropic', apiKey: key });
  expect(await read(ann, id)).toMatchObject({ total: 10, problem: null });
  expect(lists.calls).toHaveLength(10);
  expect(lists.calls[1]?.query.get('after_id')).toBe('at-0');
  expect(lists.calls[0]?.headers).toMatchObject({ 'x-api-key': key, 'anthropic-version': '2023-06-01' });
});

/** Answers nothing on `/hang` until `end` is called. */
const silence = () => {
  const open: ServerResponse[] = [];
  lists.answer({ '/v1/models': named('llama-4'), '/hang/v1/models': { write: (response) => open.push(response) } });
  return { calls: (count: number) => expect.poll(() => open.length).toBe(count), end: () => open.map((one) => one.writeHead(503).end()) };
};

test('M3.10 lists of servers that hang take no place of another account', async () => {
  const hanging = silence();
  const [bob, ...hostile] = await Promise.all(Array.from({ length: 9 }, () => signUp(server.url)));
  const hung = hostile.map(async (ann) => read(ann, (await connect(ann, { address: `${lists.url}/hang/v1` })).id));
  await hanging.calls(8);
  const { id } = await connect(bob as RunAccount);
  expect((await read(bob as RunAccount, id)).items).toEqual([{ id: 'llama-4' }]);
  hanging.end();
  await Promise.all(hung);
});

test('M3.10 a changed connection waits for no answer of its former server', async () => {
  const ann = await signUp(server.url);
  const hanging = silence();
  const { id } = await connect(ann, { address: `${lists.url}/hang/v1` });
  const hung = read(ann, id);
  await hanging.calls(1);
  await ann.call('PUT', `/model-connections/${id}`, { address: `${lists.url}/v1` });
  expect(await read(ann, id)).toMatchObject({ items: [{ id: 'llama-4' }], problem: null });
  hanging.end();
  await hung;
  expect(await read(ann, id)).toMatchObject({ items: [{ id: 'llama-4' }], problem: null });
});

test.each<[string, Parameters<typeof lists.answer>[0], string, RegExp]>([
  [
    'a refused key',
    { '/v1/models': { status: 401, json: { error: { message: `Bad key ${key}` } } } },
    'unauthorized',
    /^The server refuses the key\./,
  ],
  ['no list', {}, 'no_list', /has no list of models/],
  ['another form', { '/v1/models': { json: { names: ['a'] } } }, 'protocol', /a form that Artel does not understand/],
])('M3.11 %s is a sentence, and the list that was read before stays', async (_, replies, reason, sentence) => {
  const ann = await signUp(server.url);
  lists.answer({ '/v1/models': named('old') });
  const { id } = await connect(ann, { apiKey: key });
  await read(ann, id);
  lists.answer(replies);
  const { body } = await ann.call<ConnectionModels>('POST', `/model-connections/${id}/models`);
  expect(body).toMatchObject({ items: [{ id: 'old' }], problem: { reason, message: expect.stringMatching(sentence) } });
  expect(JSON.stringify(body)).not.toContain(key);
  // It is not asked again at once for each request.
  await read(ann, id);
  expect(lists.calls.length).toBeLessThanOrEqual(1);
});

test('M3.11 a name that nothing can store or show is left out, whatever else the server says', async () => {
  const ann = await signUp(server.url);
  lists.answer({
    '/v1/models': {
      json: {
        data: [
          { id: 'a\u0000b' },
          { id: '\u202Eevil' },
          { id: '' },
          { id: 'x'.repeat(201) },
          { id: 'fine', context_length: 'many' },
          null,
          7,
        ],
      },
    },
  });
  const { id } = await connect(ann);
  expect((await read(ann, id)).items).toEqual([{ id: 'fine' }]);
});

test.each([
  ['headers', () => ({ headers: [{ name: 'x-team', value: 'another-team' }] })],
  ['address', () => ({ address: `${lists.url}/v1/` })],
])('M3.09 a list that was asked for before a change of the %s is neither shown nor kept after it', async (_, change) => {
  const ann = await signUp(server.url);
  const [isAsked, isReleased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  lists.answer({
    '/v1/models': {
      write: async (response) => {
        const isFirst = lists.calls.length === 1;
        isAsked.resolve();
        if (isFirst) await isReleased.promise;
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(named(isFirst ? 'old' : 'new').json));
      },
    },
  });
  const { id } = await connect(ann, { headers: [{ name: 'x-team', value: 'one-of-the-teams' }] });
  const before = read(ann, id);
  await isAsked.promise;
  expect((await ann.call('PUT', `/model-connections/${id}`, change())).status).toBe(200);
  expect((await read(ann, id)).items).toEqual([{ id: 'new' }]);
  isReleased.resolve();
  await before;
  expect((await read(ann, id)).items).toEqual([{ id: 'new' }]);
});

test('M3.12 a list tells calls the window and the tools of a model that an agent has chosen', async () => {
  const ann = await signUp(server.url);
  lists.answer({
    '/v1/models': {
      json: {
        data: [
          { id: 'served', max_model_len: 32_768 },
          { id: 'other', max_model_len: 1_000 },
        ],
      },
    },
  });
  const { id } = await connect(ann);
  await read(ann, id);
  await ann.call('PUT', `/nuroagent/${ann.agent('assistant').id}/api-configuration`, { connectionId: id, model: 'served' });
  const { rows } = await database.pool.query('SELECT model, context FROM model_traits WHERE host = $1', [new URL(lists.url).host]);
  expect(rows).toEqual([{ model: 'served', context: 32_768 }]);
});

test('M3.13 GigaChat gives its list for the token that its key is exchanged for', async () => {
  const ann = await signUp(server.url);
  lists.answer({
    '/oauth': { json: { access_token: 'a-token-of-minutes', expires_at: Date.now() + 600_000 } },
    '/api/v1/models': named('GigaChat-2', 'Embeddings'),
  });
  const { id } = await connect(ann, { provider: 'gigachat', address: lists.url, apiKey: key });
  expect((await read(ann, id)).items).toEqual([{ id: 'GigaChat-2' }]);
  expect(lists.calls.map(({ headers }) => headers.authorization)).toEqual([`Basic ${key}`, 'Bearer a-token-of-minutes']);
});
