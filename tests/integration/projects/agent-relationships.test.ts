import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import type { AgentRelationship, DelegationAnswer } from '../../../contract/agent-relationship.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }));
let ann: RunAccount;

beforeEach(async () => {
  ann = await signUp(server.url);
});

const idOf = (name: string) => ann.agent(name).id;

function relate(source: string, relationshipType: string, target: string, headers: Record<string, string> = {}) {
  const asked = { sourceAgentId: idOf(source), targetAgentId: idOf(target), relationshipType, description: 'Как & почему' };
  return ann.call<AgentRelationship>('POST', `/nuroagent/relationships?${new URLSearchParams(asked)}`, undefined, headers);
}

const relationshipsOf = async (name: string) => (await ann.call<AgentRelationship[]>('GET', `/nuroagent/${idOf(name)}/relationships`)).body;

const available = async (name: string) =>
  (await ann.call<Agent[]>('GET', `/nuroagent/${idOf(name)}/available-for-delegation`)).body.map((agent) => agent.name);

async function may(source: string, target: string): Promise<DelegationAnswer> {
  const asked = new URLSearchParams({ sourceAgentId: idOf(source), targetAgentId: idOf(target) });
  return (await ann.call<DelegationAnswer>('GET', `/nuroagent/can-delegate?${asked}`)).body;
}

const setStatus = (name: string, status: string) => ann.call('PATCH', `/nuroagent/${idOf(name)}/status`, { status });

test('W7.02 two agents are related once for each key, seen from both ends, and the relationship is removed', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const made = await relate('team-lead', 'Delegates-To', 'developer', headers);
  expect(made).toMatchObject({ status: 201, body: { relationshipType: 'delegates-to', description: 'Как & почему' } });
  expect(Object.keys(made.body).toSorted()).toEqual([
    'createdAt',
    'description',
    'id',
    'relationshipType',
    'sourceAgentId',
    'targetAgentId',
    'updatedAt',
  ]);
  expect((await relate('team-lead', 'Delegates-To', 'developer', headers)).body).toEqual(made.body);
  const other = await relate('qa', 'reports-to', 'team-lead');
  expect(await relationshipsOf('team-lead')).toEqual([made.body, other.body]);
  expect(await relationshipsOf('developer')).toEqual([made.body]);
  expect(await relationshipsOf('analyst')).toEqual([]);
  const page = await ann.call<unknown[]>('GET', `/nuroagent/${idOf('team-lead')}/relationships?limit=1&offset=1`);
  expect([page.body, page.headers.get('x-total-count')]).toEqual([[other.body], '2']);

  expect(await ann.call('DELETE', `/nuroagent/relationships/${made.body.id}`)).toMatchObject({ status: 204 });
  expect(await ann.call('DELETE', `/nuroagent/relationships/${made.body.id}`)).toMatchObject({ status: 404 });
  expect(await relationshipsOf('team-lead')).toEqual([other.body]);
});

test('W7.02 the same relationship is not made twice, and working together is the same from either end', async () => {
  const conflict = {
    status: 409,
    body: { code: 'conflict', errors: [{ path: 'relationshipType', message: expect.stringContaining('already') }] },
  };
  await relate('team-lead', 'delegates-to', 'developer');
  expect(await relate('team-lead', 'delegates-to', 'developer')).toMatchObject(conflict);
  expect(await relate('developer', 'delegates-to', 'team-lead')).toMatchObject({ status: 201 });
  expect(await relate('developer', 'reports-to', 'team-lead')).toMatchObject({ status: 201 });
  await relate('team-lead', 'collaborates-with', 'developer');
  expect(await relate('developer', 'collaborates-with', 'team-lead')).toMatchObject(conflict);
  const answers = await Promise.all(['qa', 'qa', 'qa'].map((name) => relate(name, 'collaborates-with', 'analyst')));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  expect(await relationshipsOf('team-lead')).toHaveLength(4);
});

test.each([
  [{ relationshipType: 'adores' }, 'relationshipType'],
  [{ relationshipType: '' }, 'relationshipType'],
  [{ sourceAgentId: 'me' }, 'sourceAgentId'],
  [{ description: 'x'.repeat(1_001) }, 'description'],
])('W7.02 a relationship with %o is refused and names the field', async (changes, path) => {
  const asked = { sourceAgentId: idOf('qa'), targetAgentId: idOf('analyst'), relationshipType: 'reports-to', ...changes };
  const refusal = await ann.call('POST', `/nuroagent/relationships?${new URLSearchParams(asked)}`);
  expect(refusal).toMatchObject({ status: 400, body: { code: 'bad_request', errors: [{ path }] } });
  expect(await relationshipsOf('qa')).toEqual([]);
});

test('W7.02 an agent is not related to itself', async () => {
  const refusal = { status: 400, body: { errors: [{ path: 'targetAgentId', message: 'An agent cannot be related to itself.' }] } };
  expect(await relate('qa', 'collaborates-with', 'qa')).toMatchObject(refusal);
  expect(await ann.call('POST', '/nuroagent/relationships')).toMatchObject({ status: 400 });
});

test('W7.02 who may delegate to whom follows the relationships, from either end', async () => {
  await relate('team-lead', 'delegates-to', 'developer');
  await relate('qa', 'reports-to', 'team-lead');
  await relate('analyst', 'collaborates-with', 'team-lead');
  expect(await available('team-lead')).toEqual(['developer', 'qa', 'analyst']);
  expect(await available('analyst')).toEqual(['team-lead']);
  expect(await available('developer')).toEqual([]);
  expect(await may('team-lead', 'qa')).toEqual({
    canDelegate: true,
    reason: 'reports_to',
    message: 'The other agent reports to this one and is free.',
  });
  expect(await may('team-lead', 'analyst')).toMatchObject({ canDelegate: true, reason: 'collaborates_with' });
  expect(await may('developer', 'team-lead')).toMatchObject({ canDelegate: false, reason: 'not_related' });
  expect(await may('team-lead', 'team-lead')).toMatchObject({ canDelegate: false, reason: 'same_agent' });
  const page = await ann.call<Agent[]>('GET', `/nuroagent/${idOf('team-lead')}/available-for-delegation?limit=1&offset=1`);
  expect([page.body.map(({ name }) => name), page.headers.get('x-total-count')]).toEqual([['qa'], '3']);
});

test('W7.02 no agent delegates to one that is inactive, busy or at work, and the list agrees with the check', async () => {
  for (const target of ['developer', 'qa', 'analyst', 'assistant']) await relate('team-lead', 'delegates-to', target);
  await setStatus('qa', 'inactive');
  await setStatus('analyst', 'busy');
  models.answer({ kind: 'hang' });
  models.calls.length = 0;
  const run = await ann.start(await ann.pipeline('developer', 'team-lead'), 'Work');
  await models.call(1);
  expect((await may('team-lead', 'qa')).reason).toBe('target_inactive');
  expect((await may('team-lead', 'analyst')).reason).toBe('target_busy');
  expect((await may('team-lead', 'developer')).reason).toBe('target_at_work');
  expect(await available('team-lead')).toEqual(['assistant']);
  await setStatus('team-lead', 'busy');
  for (const target of ann.agents.map(({ name }) => name)) {
    expect([target, (await may('team-lead', target)).canDelegate]).toEqual([target, (await available('team-lead')).includes(target)]);
  }
  await setStatus('team-lead', 'inactive');
  expect((await may('team-lead', 'assistant')).reason).toBe('source_inactive');
  expect(await available('team-lead')).toEqual([]);
  await setStatus('team-lead', 'active');
  await ann.act(run.id, 'stop');
  expect(await available('team-lead')).toEqual(['developer', 'assistant']);
});

test('W7.02 the reason is in the caller’s language', async () => {
  const asked = new URLSearchParams({ sourceAgentId: idOf('qa'), targetAgentId: idOf('analyst') });
  const answer = await ann.call('GET', `/nuroagent/can-delegate?${asked}`, undefined, { 'accept-language': 'ru' });
  expect(answer.body).toEqual({ canDelegate: false, reason: 'not_related', message: expect.stringMatching(/^Нет связи/) });
});

test('W7.02 a removed agent takes its relationships along, and leaves the others', async () => {
  await relate('team-lead', 'delegates-to', 'developer');
  await relate('qa', 'collaborates-with', 'developer');
  const kept = await relate('qa', 'reports-to', 'analyst');
  await ann.call('DELETE', `/nuroagent/${idOf('developer')}`);
  expect(await relationshipsOf('qa')).toEqual([kept.body]);
  expect(await relationshipsOf('team-lead')).toEqual([]);
  expect(await relate('qa', 'delegates-to', 'developer')).toMatchObject({ status: 404 });
});

test('W7.02 agents that are related both ways are removed at the same moment', async () => {
  const body = { name: 'x', title: 'X', role: 'X' };
  for (let round = 0; round < 10; round += 1) {
    const ends = await Promise.all([0, 1].map(async () => (await ann.call<Agent>('POST', '/nuroagent', body)).body.id));
    const ways = [ends, ends.toReversed()].flatMap(([sourceAgentId = '', targetAgentId = '']) =>
      ['delegates-to', 'reports-to'].map((relationshipType) => new URLSearchParams({ sourceAgentId, targetAgentId, relationshipType })),
    );
    await Promise.all(ways.map((way) => ann.call('POST', `/nuroagent/relationships?${way}`)));
    const removed = await Promise.all(ends.map((id) => ann.call('DELETE', `/nuroagent/${id}`)));
    expect(removed.map(({ status }) => status)).toEqual([204, 204]);
  }
});
