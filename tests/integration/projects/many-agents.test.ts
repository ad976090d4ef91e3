import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Agent, AgentsMade } from '../../../contract/agent.ts';
import type { Project } from '../../../contract/project.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpServer } from '../../support/set-up/for-vitest.ts';

const server = setUpServer(() => ({ ARTEL_ACCOUNT_MB: '3' }));
let ann: RunAccount;
let projectId: string;

beforeEach(async () => {
  ann = await signUp(server.url);
  projectId = (await ann.call<Project>('GET', '/project/default')).body.id;
});

const many = (agents: object[], headers = {}) => ann.call<AgentsMade>('POST', '/nuroagent/many', { agents }, headers);
const unused = (agentIds: string[], inProject = projectId) =>
  ann.call<{ removed: string[] }>('POST', '/nuroagent/unused', { agentIds, projectId: inProject });
const all = async () => Number((await ann.call('GET', '/nuroagent?limit=1')).headers.get('x-total-count'));
const copies = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ copyOf: ann.agent('developer').id, title: `Developer ${at + 2}` }));

test('R37.02 one call makes new agents and copies in the given order; a copy has the prompt and the model of its agent, and no key', async () => {
  const developer = ann.agent('developer');
  await ann.call('PUT', `/nuroagent/${developer.id}`, { configuration: { systemPrompt: 'Be brief' }, skills: ['Haste'] });
  await ann.call('PUT', `/nuroagent/${developer.id}/api-configuration`, {
    connectionId: null,
    model: 'gpt-4-turbo',
    apiKey: 'sk-own-0123456789',
  });
  const { status, body } = await many([
    { copyOf: developer.id, title: 'Developer 2' },
    { name: 'qa', title: 'Second tester', role: 'QA', description: 'Tests' },
    { copyOf: developer.id, title: 'Developer 3' },
  ]);
  expect([status, body.map(({ title }) => title)]).toEqual([201, ['Developer 2', 'Second tester', 'Developer 3']]);
  const stored = await Promise.all(body.map(async ({ id }) => (await ann.call<Agent>('GET', `/nuroagent/${id}`)).body));
  expect(stored[0]).toMatchObject({
    ...{ name: 'developer', role: developer.role, skills: ['Haste'], configuration: { systemPrompt: 'Be brief' } },
    apiConfiguration: { model: 'gpt-4-turbo', hasKey: false, keyLast4: null },
  });
  expect(stored[1]).toMatchObject({ role: 'QA', description: 'Tests', configuration: { systemPrompt: '' } });
});

test('R37.02 a repeated call with its key makes no second agents, and a call with one wrong entry makes none', async () => {
  const before = await all();
  const headers = { 'idempotency-key': randomUUID() };
  const first = await many(copies(1_000), headers);
  expect(first.body).toHaveLength(1_000);
  expect((await many(copies(1_000), headers)).body).toEqual(first.body);
  expect(await all()).toBe(before + 1_000);
  expect(await many([...copies(2), { title: 'Without a role' }])).toMatchObject({ status: 400 });
  expect(await many([...copies(2), { copyOf: randomUUID(), title: 'Of no agent' }])).toMatchObject({ status: 404 });
  expect(await many(copies(1_001))).toMatchObject({ status: 413 });
  expect(await many([])).toMatchObject({ status: 400 });
  expect(await all()).toBe(before + 1_000);
});

test('R37.02 agents that do not all fit make none, and the refusal says how many would fit', async () => {
  const body = { configuration: { systemPrompt: 'x'.repeat(20_000) } };
  await ann.call('PUT', `/nuroagent/${ann.agent('developer').id}`, body);
  const before = await all();
  const refused = await many(copies(400));
  expect(refused).toMatchObject({ status: 422, body: { code: 'quota_reached', details: { room: expect.any(Number) } } });
  expect(await all()).toBe(before);
  const { room } = (refused.body as unknown as { details: { room: number } }).details;
  expect(room).toBeGreaterThan(10);
  expect(room).toBeLessThan(200);
  expect(await many(copies(room))).toMatchObject({ status: 201 });
});

test('R37.02 agents that are used nowhere go together; those of another canvas, with a run, with a relationship or with changes stay', async () => {
  const { body: made } = await many(copies(5));
  const [free, placed, worked, related, changed] = made.map(({ id }) => id) as [string, string, string, string, string];
  await ann.call('PUT', `/nuroagent/${changed}`, { configuration: { systemPrompt: 'Written since' } });
  const { body: other } = await ann.call<Project>('POST', '/project', { name: 'Other', description: '' });
  const card = { id: 'card', type: 'agent', title: 'Developer 3', serverAgentId: placed, x: 0, y: 0 };
  await ann.call('PUT', `/project/${other.id}/canvas`, { baseVersion: 1, nodes: { card }, connections: {} });
  await ann.call('POST', `/agentcommand/execute-async`, { agentId: worked, request: 'Work', projectId, async: true });
  const pair = `sourceAgentId=${related}&targetAgentId=${ann.agent('qa').id}`;
  await ann.call('POST', `/nuroagent/relationships?${pair}&relationshipType=collaborates-with`);
  const removed = await unused(made.map(({ id }) => id));
  expect(removed).toMatchObject({ status: 200 });
  expect(removed.body.removed).toEqual([free]);
  expect((await unused([placed], other.id)).body).toEqual({ removed: [placed] });
  const stranger = await signUp(server.url);
  expect((await unused([stranger.agent('qa').id])).body).toEqual({ removed: [] });
});
