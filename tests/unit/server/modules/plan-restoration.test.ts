import fc from 'fast-check';
import { expect, test } from 'vitest';
import { usualWork } from '../../../../contract/agent.ts';
import type { TeamAgent, TeamSettings, TeamTool } from '../../../../contract/team-version.ts';
import { checkTeam, type TeamNow } from '../../../../server/modules/team-versions/check-team.ts';
import { planRestoration } from '../../../../server/modules/team-versions/plan-restoration.ts';

const [first, second, ours, operators] = ['a1', 'a2', 'c1', 'c-operator'];
const server = { name: 'Ours', provider: 'compatible', address: 'https://models.example/v1' };
const tool = (id: string, policy: TeamTool['policy'] = 'ask'): TeamTool => ({
  id,
  server: 'Issues',
  name: id,
  pinnedHash: `h-${id}`,
  policy,
});
const agent: TeamAgent = {
  ...{ name: 'qa', title: 'Tester', role: 'QA', description: '', status: 1, systemPrompt: 'You test.', contextAccessLevel: 3 },
  ...{ providerType: 'openai', model: 'gpt-4', temperature: 0.7, maxTokens: 4_000, effort: null, connectionId: null, connection: null },
  ...{ fallback: null, fallbackConnection: null, mayGoWithoutTools: false, work: usualWork, baseUrl: null, folderId: null, keyHost: null },
  tools: [],
};
const settings: TeamSettings = {
  parallelSteps: 4,
  holdHandOffs: false,
  testCommand: null,
  fetchHosts: null,
  maxTurns: null,
  maxCalls: null,
};
const now = (more: Partial<TeamNow> = {}): TeamNow => ({
  ...{ agents: { [first]: agent }, settings, connections: { [ours]: server }, tools: {} },
  operatorName: (id) => (id === operators ? 'Lent' : null),
  ...more,
});
const toolsNow = (...tools: TeamTool[]) =>
  Object.fromEntries(tools.map(({ id, pinnedHash, policy }) => [id, { pinnedHash, policy, isMissing: false, isChanged: false }]));
const shown = (then: Partial<TeamAgent>, more: Partial<TeamNow> = {}) => {
  const plan = planRestoration({ agents: { [first]: { ...agent, ...then } }, settings }, now(more));
  return plan.changes.map(({ field, name, now: before, inVersion }) => [field + (name && ` ${name}`), before, inVersion]);
};

test('the same team has no change', () => {
  expect(planRestoration({ agents: { [first]: agent }, settings }, now())).toMatchObject({
    ...{ changes: [], made: [], changed: [], ticked: [], settings: {} },
  });
});

test('G6.12 each field that differs is one change, connections by their names and the parts of work alone', () => {
  const then = {
    ...{
      title: 'Checker',
      systemPrompt: 'You check.',
      contextAccessLevel: 1 as const,
      temperature: null,
      connectionId: ours,
      connection: server,
    },
    ...{ model: 'm', fallback: { connectionId: operators, model: 'other' }, work: { ...usualWork, maxTurns: 3 } },
  };
  expect(shown(then)).toEqual([
    ['title', 'Tester', 'Checker'],
    ['systemPrompt', 'You test.', 'You check.'],
    ['contextAccessLevel', 3, 1],
    ['temperature', 0.7, null],
    ['connectionId', null, 'Ours'],
    ['model', 'gpt-4', 'm'],
    ['fallback', null, 'Lent · other'],
    ['ownTurns', null, 3],
  ]);
});

test('settings that need a connection stay as they are if it is gone or leads elsewhere, and all others are restored', () => {
  const then = { connectionId: ours, connection: server, model: 'm', systemPrompt: 'You check.' };
  for (const connections of [{}, { [ours]: { ...server, address: 'https://elsewhere.example' } }])
    expect(shown(then, { connections })).toEqual([['systemPrompt', 'You test.', 'You check.']]);
  const second = { fallback: { connectionId: ours, model: 'm' }, fallbackConnection: server };
  expect(shown(second, { connections: {} })).toEqual([]);
});

test('tools that are as they were are ticked with their policies; those that are gone or changed stay as they are', () => {
  const [kept, gone, changed, other] = [tool('kept', 'auto'), tool('gone'), tool('changed'), tool('other')];
  const own = { ...agent, tools: [changed, other] };
  const tools = { ...toolsNow({ ...kept, policy: 'ask' }, changed, other), changed: { ...toolsNow(changed).changed, pinnedHash: 'h2' } };
  const given = now({ agents: { [first]: own }, tools: tools as TeamNow['tools'] });
  const plan = planRestoration({ agents: { [first]: { ...agent, tools: [kept, gone, changed] } }, settings }, given);
  expect(plan.changes.map(({ field, name, now: before, inVersion }) => [field, name, before, inVersion])).toEqual([
    ['tool', 'Issues: kept', false, true],
    ['tool', 'Issues: other', true, false],
    ['policy', 'Issues: kept', 'ask', 'auto'],
  ]);
  expect(plan.ticked).toEqual([{ agentId: first, toolIds: ['changed', 'kept'] }]);
  expect([...plan.policies]).toEqual([['kept', 'auto']]);
});

test('an agent that is gone is made again, without a connection that is gone', () => {
  const then = { ...agent, connectionId: ours, connection: server };
  const plan = planRestoration({ agents: { [second]: then }, settings }, now({ agents: {}, connections: {} }));
  expect(plan.made).toEqual([{ id: second, agent: expect.objectContaining({ title: 'Tester', connectionId: null }) }]);
  expect(plan.made[0]?.agent).not.toHaveProperty('tools');
  expect(plan.changes).toEqual([expect.objectContaining({ field: 'made', agentId: second })]);
});

test('settings of the project are changes without an agent', () => {
  const given = now({ settings: { ...settings, fetchHosts: ['a.example', 'b.example'], maxTurns: 9 } });
  expect(planRestoration({ agents: {}, settings }, given)).toMatchObject({
    settings: { fetchHosts: null, maxTurns: null },
    changes: [
      { field: 'fetchHosts', agentId: null, now: 'a.example, b.example', inVersion: null },
      { field: 'maxTurns', agentId: null, now: 9, inVersion: null },
    ],
  });
});

test('a key that the agent had for its server, and has not now, is named', () => {
  const then = { ...agent, keyHost: 'provider:openai' };
  const codes = (own: TeamAgent | undefined) =>
    checkTeam({ [first]: then }, now({ agents: own ? { [first]: own } : {} })).map(({ code }) => code);
  expect(codes({ ...agent, keyHost: 'provider:openai' })).toEqual([]);
  expect(codes({ ...agent, keyHost: 'https://models.example' })).toEqual(['keyGone']);
  expect(codes(undefined)).toEqual(['agentGone', 'keyGone']);
  // A version from before this was kept, and an agent that uses a connection.
  const { keyHost: _host, ...older } = agent;
  expect(checkTeam({ [first]: older }, now())).toEqual([]);
  expect(checkTeam({ [first]: { ...then, connectionId: ours, connection: server } }, now())).toEqual([]);
});

const anyAgent: fc.Arbitrary<TeamAgent> = fc.record({
  ...{ name: fc.string(), title: fc.string(), role: fc.string(), description: fc.string(), systemPrompt: fc.string() },
  ...{
    status: fc.constantFrom(0, 1, 2),
    contextAccessLevel: fc.constantFrom(0, 1, 2, 3),
    providerType: fc.constantFrom('openai', 'ollama'),
  },
  ...{ model: fc.string(), temperature: fc.option(fc.double({ min: 0, max: 2, noNaN: true })), maxTokens: fc.option(fc.nat()) },
  ...{ effort: fc.constant(null), connectionId: fc.constantFrom(null, ours), connection: fc.constant(server), keyHost: fc.constant(null) },
  ...{ fallback: fc.constantFrom(null, { connectionId: ours, model: 'm' }), fallbackConnection: fc.constant(server) },
  ...{ mayGoWithoutTools: fc.boolean(), baseUrl: fc.constant(null), folderId: fc.constant(null) },
  work: fc.record({
    ...{ fileAccess: fc.constantFrom('none', 'read', 'write'), runsTests: fc.boolean() },
    maxTurns: fc.option(fc.nat()),
    maxCalls: fc.option(fc.nat()),
  }),
  tools: fc.subarray(['t1', 't2', 't3']).map((ids) => ids.map((id) => tool(id))),
}) as fc.Arbitrary<TeamAgent>;

test('G6.11 for any team and any version, the team equals the version once the plan is carried out', () => {
  fc.assert(
    fc.property(anyAgent, fc.option(anyAgent), (then, own) => {
      const tools = toolsNow(tool('t1'), tool('t2'), tool('t3'));
      const version = { agents: { [first]: then }, settings };
      const { made, changed, ticked } = planRestoration(version, now({ agents: own ? { [first]: own } : {}, tools }));
      const bare = own ?? { ...then, ...made[0]?.agent, tools: [] };
      const restored = {
        ...bare,
        ...changed[0]?.change,
        tools: (ticked[0]?.toolIds ?? bare.tools.map(({ id }) => id)).map((id) => tool(id)),
      };
      expect(planRestoration(version, now({ agents: { [first]: restored }, tools })).changes).toEqual([]);
    }),
  );
});
