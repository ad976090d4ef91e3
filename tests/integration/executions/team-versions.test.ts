import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { ApiConfiguration } from '../../../contract/agent.ts';
import type { AgentChangePage } from '../../../contract/agent-change.ts';
import type { Canvas, CanvasNode, CanvasPatch } from '../../../contract/canvas.ts';
import type { Execution, ExecutionStart } from '../../../contract/executions/execution.ts';
import type { Fork } from '../../../contract/executions/fork.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { TeamCheck, TeamRestored, TeamVersion, TeamVersionItem, TeamVersionPage } from '../../../contract/team-version.ts';
import { removeUnusedVersions } from '../../../server/modules/team-versions/index.ts';
import { signUp } from '../../support/run-account.ts';
import { setUp, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const { database, server } = setUpServerOnDatabase({ OPENAI_API_KEY: 'sk-server-wide', ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' });
const ann = setUp(() => signUp(server.url));
const bob = setUp(() => signUp(server.url));
beforeEach(async () => {
  await connect('developer', { work: {} });
  await ann.call('PUT', `/nuroagent/${ann.agent('developer').id}`, { title: 'Developer', contextAccessLevel: 3 });
  await setPrompt('As first written.');
});

/** Has an agent call the model server of the test. */
const connect = (name: string, more: object = {}) =>
  ann.call('PUT', `/nuroagent/${ann.agent(name).id}/api-configuration`, {
    ...{ providerType: 'compatible', baseUrl: models.url, model: 'first-model', apiKey: 'sk-planted-key' },
    ...more,
  });
const setPrompt = (systemPrompt: string) => ann.call('PUT', `/nuroagent/${ann.agent('developer').id}`, { configuration: { systemPrompt } });
const done = async (execution: Execution) => ann.until(execution.id, ({ status }) => status === 'completed' || status === 'failed');
const run = async (pipeline: Pipeline, more: Partial<ExecutionStart> = {}) => done(await ann.start(pipeline, 'A task', more));
const rowOf = async (id: string | undefined) =>
  (await database.pool.query<{ row: string }>('SELECT t::text AS row FROM team_versions AS t WHERE id = $1', [id])).rows[0]?.row ?? '';
const canvas = async () => (await ann.call<Canvas>('GET', '/project/default/canvas')).body;
const patch = async (...patches: CanvasPatch[]) =>
  ann.call('PATCH', '/project/default/canvas', { baseVersion: (await canvas()).version, patches });
const asked = () => {
  const { model, messages } = models.calls.at(-1)?.body ?? { messages: [] };
  return { model, prompt: messages[0]?.content };
};

test('a run has the version of its team, and the same team has one version', async () => {
  const pipeline = await ann.pipeline('developer');
  const first = await run(pipeline);
  expect(first.teamVersionId).toEqual(expect.any(String));
  expect((await run(pipeline)).teamVersionId).toBe(first.teamVersionId);
  await setPrompt('Other words.');
  const second = await run(pipeline);
  expect(second.teamVersionId).not.toBe(first.teamVersionId);
  await setPrompt('As first written.');
  expect((await run(pipeline)).teamVersionId).toBe(first.teamVersionId);
  // A pipeline may name an agent that has no card.
  const helper = (await ann.call<{ id: string }>('POST', '/nuroagent', { name: 'helper', title: 'Helper', role: 'Helper' })).body;
  const other = await ann.call<Pipeline>('POST', '/Pipeline', {
    name: 'x',
    projectId: 'default',
    steps: [{ name: 'x', agentId: helper.id }],
  });
  const withHelper = await done(await ann.start(other.body, 'A task'));
  expect(withHelper.teamVersionId).not.toBe(first.teamVersionId);
  expect(await rowOf(withHelper.teamVersionId)).toContain(helper.id);
});

test('an execution that was made first, and a fork, have the version of the team that they work with', async () => {
  const pipeline = await ann.pipeline('developer');
  const made = (await ann.call<Execution>('POST', '/PipelineExecution', { pipelineId: pipeline.id, initialTask: 'Later' })).body;
  await setPrompt('Other words.');
  const now = await run(pipeline);
  expect(made.teamVersionId).not.toBe(now.teamVersionId);
  await ann.call('POST', '/PipelineExecution/start', { pipelineId: pipeline.id, executionId: made.id });
  await done(made);
  const fork = async (graph: 'then' | 'now') => {
    const from = { stepId: pipeline.steps[0]?.id };
    const forked = (await ann.call<Fork>('POST', `/PipelineExecution/${made.id}/fork`, { from, graph })).body;
    return forked.execution as Execution;
  };
  expect((await fork('then')).teamVersionId).toBe(made.teamVersionId);
  expect((await fork('now')).teamVersionId).toBe(now.teamVersionId);
});

test('no key is in a version, not even one that an earlier product has left in an address', async () => {
  const connection = { provider: 'compatible', name: 'Ours', address: models.url, apiKey: 'sk-of-connection' };
  const { body } = await ann.call<{ id: string }>('POST', '/model-connections', connection);
  await connect('assistant', { connectionId: body.id, providerType: undefined, baseUrl: undefined, apiKey: undefined });
  const address = 'https://ann:sk-in-address@models.example/v1?key=sk-in-query';
  await database.pool.query('UPDATE agents SET base_url = $2 WHERE id = $1', [ann.agent('qa').id, address]);
  const row = await rowOf((await run(await ann.pipeline('developer'))).teamVersionId);
  expect(row).toContain('https://models.example/v1');
  expect(row).toContain(body.id);
  expect(row).not.toMatch(/sk-|sealed/);
});

test('a run from a version works with its prompt, its model and its settings, and a fork as it ran does the same', async () => {
  const pipeline = await ann.pipeline('developer');
  const { teamVersionId } = await run(pipeline);
  expect(asked()).toEqual({ model: 'first-model', prompt: expect.stringContaining('As first written.') });
  await setPrompt('Other words.');
  await connect('developer', { model: 'second-model' });
  const released = await run(pipeline, { teamVersionId });
  expect(asked()).toEqual({ model: 'first-model', prompt: expect.stringContaining('As first written.') });

  expect(released).toMatchObject({ status: 'completed', teamVersionId });
  const from = { stepId: pipeline.steps[0]?.id };
  const { body } = await ann.call<Fork>('POST', `/PipelineExecution/${released.id}/fork`, { from });
  expect(await done(body.execution as Execution)).toMatchObject({ status: 'completed', teamVersionId });
  expect(asked()).toMatchObject({ model: 'first-model' });
  await run(pipeline);
  expect(asked()).toEqual({ model: 'second-model', prompt: expect.stringContaining('Other words.') });
});

test('a version of another project or account, and one that is not there, begins no run', async () => {
  const pipeline = await ann.pipeline('developer');
  const others = await bob.start(await bob.pipeline('developer'), 'A task');
  for (const teamVersionId of [others.teamVersionId, others.id]) {
    const body = { pipelineId: pipeline.id, initialTask: 'A task', teamVersionId };
    expect(await ann.call('POST', '/PipelineExecution/start', body)).toMatchObject({ status: 404 });
  }
});

test('two first starts at the same time make one version', async () => {
  await setPrompt('Written once.');
  const pipeline = await ann.pipeline('developer');
  const started = await Promise.all(Array.from({ length: 6 }, () => ann.start(pipeline, 'A task')));
  expect(new Set(started.map(({ teamVersionId }) => teamVersionId)).size).toBe(1);
  await Promise.all(started.map(done));
});

type Item = TeamVersionItem;
const nameTeam = async (name: string) => (await ann.call<Item>('POST', '/project/default/team-versions', { name, note: 'A note' })).body;
const checkOf = async ({ number }: Item) => (await ann.call<TeamCheck>('GET', `/project/default/team-versions/${number}/check`)).body;

test('a team is named, listed and read; the same team keeps its version and takes the newer name', async () => {
  await setPrompt('To be named.');
  const first = await nameTeam('Before the release');
  expect(first).toMatchObject({ name: 'Before the release', note: 'A note', runs: 0, author: { id: ann.userId } });
  const started = await run(await ann.pipeline('developer'));
  expect(started.teamVersionId).toBe(first.id);
  expect(await nameTeam('Renamed')).toMatchObject({ id: first.id, name: 'Renamed', runs: 1 });
  const { body } = await ann.call<TeamVersionPage>('GET', '/project/default/team-versions?named=true');
  expect(body.items[0]).toMatchObject({ id: first.id, name: 'Renamed' });
  expect(body.items.every(({ name }) => name !== null)).toBe(true);
  for (const ref of [first.id, first.number]) {
    const whole = (await ann.call<TeamVersion>('GET', `/project/default/team-versions/${ref}`)).body;
    expect(whole.agents[ann.agent('developer').id]).toMatchObject({ systemPrompt: 'To be named.', model: 'first-model' });
    expect(whole.document).toEqual({ nodes: (await canvas()).nodes, connections: (await canvas()).connections });
  }
  const page = await ann.call<TeamVersionPage>('GET', '/project/default/team-versions?limit=1');
  expect(page.body).toMatchObject({ items: [expect.anything()], next: page.body.items[0]?.number });
  for (const ref of ['0', 'x', '99999999999'])
    expect(await ann.call('GET', `/project/default/team-versions/${ref}`)).toMatchObject({ status: 400 });
  expect(await ann.call('GET', '/project/default/team-versions/4000')).toMatchObject({ status: 404 });
});

type Restoring = { seen: string; person?: typeof ann; headers?: Record<string, string> };
const restore = (number: number, { seen, person = ann, headers = {} }: Restoring) =>
  person.call<TeamRestored>('POST', `/project/default/team-versions/${number}/restoration`, { seen }, headers);
const presentTeam = async () => (await ann.call<Item>('POST', '/project/default/team-versions', { name: 'Present' })).body;

test('G6.11 G6.13 agents and settings of a version are restored as a whole, and taken back as a whole', async () => {
  await setPrompt('In the version.');
  const team = await nameTeam('To restore');
  const agentId = ann.agent('developer').id;
  await setPrompt('Later.');
  await connect('developer', { model: 'later-model', work: { maxTurns: 3 } });
  await ann.call('PUT', `/nuroagent/${agentId}`, { title: 'Later title', contextAccessLevel: 0 });
  await ann.call('PUT', '/project/default', { maxTurns: 7, testCommand: 'npm test' });
  const later = await presentTeam();
  const { changes, problems, seen } = await checkOf(team);
  expect(problems).toEqual([]);
  expect(changes.map(({ field, now, inVersion }) => [field, now, inVersion])).toEqual([
    ['title', 'Later title', 'Developer'],
    ['systemPrompt', 'Later.', 'In the version.'],
    ['contextAccessLevel', 0, 3],
    ['model', 'later-model', 'first-model'],
    ['ownTurns', 3, null],
    ['maxTurns', 7, null],
    ['testCommand', 'npm test', null],
  ]);
  const { status, body } = await restore(team.number, { seen });
  expect([status, body]).toEqual([200, { changes: 7, before: { number: later.number, seen: expect.any(String) } }]);
  // No hash differs: the team is that of the version again.
  expect(await presentTeam()).toMatchObject({ id: team.id });
  const history = await ann.call<AgentChangePage>('GET', `/nuroagent/${agentId}/changes?limit=1`);
  expect(history.body.items[0]).toMatchObject({ before: 'Later.', after: 'In the version.' });
  const back = await restore(later.number, { seen: body.before?.seen ?? '' });
  expect([back.status, back.body.changes]).toEqual([200, 7]);
  expect(await presentTeam()).toMatchObject({ id: later.id });
});

test('G6.12 G6.13 a restoration that was lost on its way is made once, and one of a team that is another one than was seen changes nothing', async () => {
  await setPrompt('In the version.');
  const team = await nameTeam('To restore once');
  await setPrompt('Between.');
  const { seen } = await checkOf(team);
  await setPrompt('Another tab.');
  const before = await presentTeam();
  expect(await restore(team.number, { seen })).toMatchObject({
    status: 409,
    body: { code: 'team_changed', message: 'The team has changed since its differences were shown. Look at them again.' },
  });
  expect(await presentTeam()).toMatchObject({ id: before.id });
  const fresh = (await checkOf(team)).seen;
  const headers = { 'idempotency-key': randomUUID() };
  const first = await restore(team.number, { seen: fresh, headers });
  const again = await restore(team.number, { seen: fresh, headers });
  expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
  // Of two tabs that press at the same time, one restores.
  await setPrompt('Once more.');
  const both = (await checkOf(team)).seen;
  const answers = await Promise.all([restore(team.number, { seen: both }), restore(team.number, { seen: both })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  // With nothing left to change there is nothing to take back.
  expect((await restore(team.number, { seen: (await checkOf(team)).seen })).body).toEqual({ changes: 0, before: null });
});

test('G6.13 the team before a restoration keeps a name, so that it is found after a reload', async () => {
  await setPrompt('In the version.');
  const team = await nameTeam('Named');
  await setPrompt('Never named.');
  const { body } = await restore(team.number, { seen: (await checkOf(team)).seen });
  const { body: page } = await ann.call<TeamVersionPage>('GET', '/project/default/team-versions?named=true&limit=1');
  expect(page.items[0]).toMatchObject({ number: body.before?.number, name: 'Before restoring “Named”' });
});

test('G6.11 an agent that is gone is made again with its id, once, also where two projects restore it', async () => {
  const helper = (await ann.call<{ id: string }>('POST', '/nuroagent', { name: 'helper', title: 'Helper', role: 'Helper' })).body;
  const { id: projectId } = (await ann.call<{ id: string }>('POST', '/project', { name: 'Second', description: '' })).body;
  const card = { ...(Object.values((await canvas()).nodes)[0] as CanvasNode), id: 'helper', type: 'agent', serverAgentId: helper.id };
  await patch({ op: 'set', collection: 'nodes', id: 'helper', value: card as CanvasNode });
  const second = (await ann.call<Canvas>('GET', `/project/${projectId}/canvas`)).body;
  await ann.call('PATCH', `/project/${projectId}/canvas`, {
    ...{ baseVersion: second.version, patches: [{ op: 'set', collection: 'nodes', id: 'helper', value: card }] },
  });
  const teams = await Promise.all(
    ['default', projectId].map(async (project) => {
      const { body } = await ann.call<Item>('POST', `/project/${project}/team-versions`, { name: 'With a helper' });
      return { project, number: body.number };
    }),
  );
  expect(await ann.call('DELETE', `/nuroagent/${helper.id}`)).toMatchObject({ status: 204 });
  const checks = await Promise.all(
    teams.map(async ({ project, number }) => (await ann.call<TeamCheck>('GET', `/project/${project}/team-versions/${number}/check`)).body),
  );
  expect(checks.map(({ problems, changes }) => [problems.map(({ code }) => code), changes.map(({ field }) => field)])).toEqual([
    [['agentGone'], ['made']],
    [['agentGone'], ['made']],
  ]);
  const restored = await Promise.all(
    teams.map(({ project, number }, at) =>
      ann.call('POST', `/project/${project}/team-versions/${number}/restoration`, { seen: checks[at]?.seen }),
    ),
  );
  expect(restored.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await ann.call<{ title: string }>('GET', `/nuroagent/${helper.id}`)).body.title).toBe('Helper');
});

test('a key of its own that an agent has not any more is named before a run, and a restoration keeps the one that it has for another server', async () => {
  const team = await nameTeam('With a key');
  const { id: agentId } = ann.agent('developer');
  const named = [{ code: 'keyGone', agentId, agent: 'Developer', name: new URL(models.url).host }];
  const configuration = async () => (await ann.call<ApiConfiguration>('GET', `/nuroagent/${agentId}/api-configuration`)).body;
  await connect('developer', { baseUrl: 'https://other.example/v1', apiKey: 'sk-of-the-other' });
  const { problems, changes, seen } = await checkOf(team);
  expect([problems, changes.map(({ field }) => field)]).toEqual([named, ['baseUrl']]);
  const start = { pipelineId: (await ann.pipeline('developer')).id, initialTask: 'A task', teamVersionId: team.id };
  expect(await ann.call('POST', '/PipelineExecution/start', start)).toMatchObject({ status: 409, body: { details: { problems: named } } });
  const { before } = (await restore(team.number, { seen })).body;
  expect(await configuration()).toMatchObject({ baseUrl: models.url, hasKey: false, keyLast4: null });
  await restore(before?.number ?? 0, { seen: before?.seen ?? '' });
  expect(await configuration()).toMatchObject({ baseUrl: 'https://other.example/v1', hasKey: true, keyLast4: 'ther' });
});

test('an agent, a connection and a tool that are gone or changed are named, and a start from the version is refused with them', async () => {
  const { id: projectId } = (await ann.call<{ id: string }>('GET', '/project/default')).body;
  const connection = { provider: 'compatible', name: 'Ours', address: models.url, apiKey: 'sk-x' };
  const used = (await ann.call<{ id: string }>('POST', '/model-connections', connection)).body;
  const agentId = ann.agent('developer').id;
  await ann.call('PUT', `/nuroagent/${agentId}/api-configuration`, { connectionId: used.id, model: 'm' });
  const insert = (text: string, values: unknown[]) => database.pool.query(`INSERT INTO ${text}`, values);
  const [serverId, toolId] = [randomUUID(), randomUUID()];
  await insert(
    `tool_servers (id, project_id, kind, name, url, auth) VALUES ($1, $2, 'http', 'Issues', 'https://t.example', '{"kind":"none"}')`,
    [serverId, projectId],
  );
  await insert(
    `server_tools (id, project_id, server_id, name, call_name, pinned, pinned_hash, pinned_at, policy) VALUES ($1, $2, $3, 'find', 'find', '{}', 'h1', now(), 'ask')`,
    [toolId, projectId, serverId],
  );
  await insert('agent_tools (agent_id, tool_id, project_id) VALUES ($1, $2, $3)', [agentId, toolId, projectId]);
  const team = await nameTeam('With a tool');
  expect((await checkOf(team)).problems).toEqual([]);
  const pipeline = await ann.pipeline('developer');
  await database.pool.query(`UPDATE server_tools SET pinned_hash = 'h2' WHERE id = $1`, [toolId]);
  await database.pool.query(`UPDATE connections SET address = 'https://elsewhere.example/v1' WHERE id = $1`, [used.id]);
  const { title: agent } = ann.agent('developer');
  const about = { agentId, agent };
  const problems = [
    { ...about, code: 'connectionChanged', name: 'Ours' },
    { ...about, code: 'toolChanged', name: 'Issues: find' },
  ];
  expect((await checkOf(team)).problems).toEqual(problems);
  const start = { pipelineId: pipeline.id, initialTask: 'A task', teamVersionId: team.id };
  expect(await ann.call('POST', '/PipelineExecution/start', start)).toMatchObject({
    status: 409,
    body: {
      code: 'team_changed',
      message: expect.stringMatching(
        /^The connection “Ours” .* leads elsewhere now\. The tool “Issues: find” .* has changed\. What this version/,
      ),
      details: { problems },
      errors: [{}, { message: `The tool “Issues: find” of “${agent}” has changed.` }],
    },
  });
  await database.pool.query('DELETE FROM server_tools WHERE id = $1', [toolId]);
  await database.pool.query('DELETE FROM connections WHERE id = $1', [used.id]);
  expect((await checkOf(team)).problems.map(({ code }) => code)).toEqual(['connectionGone', 'toolGone']);
});

const text = fc.string({ maxLength: 40 });
/** An edit of the team: of a prompt, of model settings, of the project, or of the canvas. */
const edit: fc.Arbitrary<() => Promise<unknown>> = fc.oneof(
  text.map((words) => () => setPrompt(words)),
  text.map((words) => () => ann.call('PUT', `/nuroagent/${ann.agent('qa').id}`, { title: `T${words}`, contextAccessLevel: 1 })),
  fc.integer({ min: 1, max: 9 }).map((number) => () => connect('developer', { model: `model-${number}`, maxTokens: 100 * number })),
  fc.integer({ min: 1, max: 9 }).map((maxTurns) => () => ann.call('PUT', '/project/default', { maxTurns })),
  text.map((title) => async () => {
    const node = Object.values((await canvas()).nodes)[0] as CanvasNode;
    return patch({ op: 'set', collection: 'nodes', id: node.id, value: { ...node, title, x: node.x + 1 } });
  }),
  fc.nat({ max: 20 }).map((place) => async () => {
    const [id] = Object.keys((await canvas()).nodes).slice(place);
    return id && patch({ op: 'remove', collection: 'nodes', id });
  }),
);

test('a version without a name, a run and a release is removed, and the newest one of a project stays', async () => {
  const pipeline = await ann.pipeline('developer');
  const runWith = async (prompt: string) => {
    await setPrompt(prompt);
    return run(pipeline);
  };
  const first = await runWith('Of a run that is removed.');
  const second = await runWith('Of a named team.');
  await ann.call('POST', '/project/default/team-versions', { name: 'Kept' });
  const newest = await runWith('Of the newest run.');
  await removeUnusedVersions(database.db);
  expect(await rowOf(first.teamVersionId)).not.toBe('');
  for (const { id } of [first, second, newest]) await ann.call('DELETE', `/PipelineExecution/${id}`);
  await removeUnusedVersions(database.db);
  expect(await rowOf(first.teamVersionId)).toBe('');
  expect(await rowOf(second.teamVersionId)).not.toBe('');
  expect(await rowOf(newest.teamVersionId)).not.toBe('');
});

test('whatever is edited after a version, its row stays as it is', async () => {
  const { teamVersionId } = await run(await ann.pipeline('developer'));
  const before = await rowOf(teamVersionId);
  expect(before).toContain('As first written.');
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      for (const make of edits) await make();
      await run(await ann.pipeline('developer'));
      expect(await rowOf(teamVersionId)).toBe(before);
    }),
    { numRuns: 8 },
  );
  await expect(database.pool.query(`UPDATE team_versions SET agents = '{}' WHERE id = $1`, [teamVersionId])).rejects.toThrow(
    'never changes',
  );
});
