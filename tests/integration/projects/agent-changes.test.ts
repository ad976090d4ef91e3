import { expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import type { AgentChangePage, PromptChange } from '../../../contract/agent-change.ts';
import { thinAgentChanges } from '../../../server/modules/agents/index.ts';
import { openPools } from '../../../server/platform/database/open-pools.ts';
import { signUp } from '../../support/run-account.ts';
import { setUp, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const { database, server } = setUpServerOnDatabase();
const ann = setUp(() => signUp(server.url));
const pools = setUp(
  async () => openPools({ connectionString: database.connectionString }, () => {}),
  (pools) => pools.end(),
);

const newAgent = async (systemPrompt: string) =>
  (
    await ann.call<Agent>('POST', '/nuroagent', {
      ...{ name: 'writer', title: 'Writer', role: 'Writer', configuration: { systemPrompt } },
    })
  ).body.id;
const setPrompt = (id: string, systemPrompt: string, more: object = {}) =>
  ann.call('PUT', `/nuroagent/${id}`, { configuration: { systemPrompt }, ...more });
const changes = async (id: string, query = '') => (await ann.call<AgentChangePage>('GET', `/nuroagent/${id}/changes${query}`)).body;

test('each change of a prompt is kept with both texts and its author; another edit, and the same text again, make none', async () => {
  const id = await newAgent('First.');
  expect(await changes(id)).toEqual({ items: [], next: null });
  await setPrompt(id, 'Second.');
  await setPrompt(id, 'Second.');
  await ann.call('PUT', `/nuroagent/${id}`, { title: 'Another title' });
  await setPrompt(id, 'Third.', { cause: 'proposal', title: 'A third title' });
  const author = { id: ann.userId, name: 'Ann' };
  expect(await changes(id)).toEqual({
    items: [
      { number: 2, before: 'Second.', after: 'Third.', author, cause: 'proposal', at: expect.any(String) },
      { number: 1, before: 'First.', after: 'Second.', author, cause: 'person', at: expect.any(String) },
    ],
    next: null,
  });
  expect(await changes(id, '?limit=1')).toMatchObject({ items: [{ number: 2 }], next: 2 });
  expect(await changes(id, '?limit=1&before=2')).toMatchObject({ items: [{ number: 1 }], next: null });
});

test('changes at the same time have one number each, and lead from one text to the next', async () => {
  const id = await newAgent('0');
  const texts = Array.from({ length: 8 }, (_, at) => `Text ${at}`);
  expect((await Promise.all(texts.map((text) => setPrompt(id, text)))).map(({ status }) => status)).toEqual(texts.map(() => 200));
  const { items } = await changes(id);
  expect(items.map(({ number }) => number)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  for (const [at, { before }] of items.entries()) expect(before).toBe(items[at + 1]?.after ?? '0');
});

test('the changes of the agents on a canvas are listed without their texts', async () => {
  const id = ann.agent('developer').id;
  const { length } = ann.agent('developer').configuration.systemPrompt;
  await setPrompt(id, 'Write less.');
  await setPrompt(await newAgent('Off the canvas.'), 'Other.');
  const { body, headers } = await ann.call<PromptChange[]>('GET', '/project/default/prompt-changes');
  const { title } = (await ann.call<Agent>('GET', `/nuroagent/${id}`)).body;
  expect(body).toEqual([
    {
      ...{ agentId: id, title, number: 1, cause: 'person', author: { id: ann.userId, name: 'Ann' }, at: expect.any(String) },
      ...{ lengthBefore: length, lengthAfter: 11 },
    },
  ]);
  expect(headers.get('x-total-count')).toBe('1');
});

test('old changes are thinned to the last one of each day', async () => {
  const id = await newAgent('0');
  for (const text of ['1', '2', '3', '4']) await setPrompt(id, text);
  const age = (number: number, at: string) =>
    database.pool.query('UPDATE agent_changes SET at = $3 WHERE agent_id = $1 AND number = $2', [id, number, at]);
  await age(1, '2026-01-01T08:00:00Z');
  await age(2, '2026-01-01T23:59:00Z');
  await age(3, '2026-01-02T00:01:00Z');
  while (await thinAgentChanges(pools.work.db, new Date('2026-02-01')));
  expect((await changes(id)).items.map(({ number }) => number)).toEqual([4, 3, 2]);
});
