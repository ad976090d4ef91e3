import { expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Question } from '../../../contract/executions/question.ts';
import type { Project } from '../../../contract/project.ts';
import type { Route } from '../../../contract/route.ts';
import { type RouteName, routes } from '../../../contract/routes.ts';
import type { TeamCheck, TeamVersionPage } from '../../../contract/team-version.ts';
import { setUpAccount, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const { database, server } = setUpServerOnDatabase();
const ann = setUpAccount(server);

type Write = {
  method: string;
  path: string;
  body: unknown;
  /** The query that counts or reads the effect of the write. */
  trace: string;
};

/** The canvas version of the project behind `default`. */
const firstCanvas = 'SELECT canvas_version AS trace FROM projects ORDER BY created_at, id LIMIT 1';

const commandsSoFar = 'SELECT count(*)::int AS trace FROM agent_commands';

/** One write for each route that runs once per key, with its effect in the database. */
const writes: Partial<Record<RouteName, () => Promise<Write>>> = {
  'lead.addComment': async () => ({
    ...{ method: 'POST', path: `/leads/${await demoRequest()}/comments` },
    body: { text: 'Called back' },
    trace: 'SELECT count(*)::int AS trace FROM lead_comments',
  }),
  'project.create': async () => ({
    ...{ method: 'POST', path: '/project' },
    body: { name: 'Second' },
    trace: 'SELECT count(*)::int AS trace FROM projects',
  }),
  'project.patchCanvas': async () => ({
    ...{ method: 'PATCH', path: '/project/default/canvas' },
    body: { baseVersion: await version(), patches: [] },
    trace: firstCanvas,
  }),
  'project.putCanvas': async () => ({
    ...{ method: 'PUT', path: '/project/default/canvas' },
    body: { baseVersion: await version(), nodes: {}, connections: {} },
    trace: firstCanvas,
  }),
  'agent.create': async () => ({
    ...{ method: 'POST', path: '/nuroagent' },
    body: { name: 'qa', title: 'Second', role: 'QA' },
    trace: 'SELECT count(*)::int AS trace FROM agents',
  }),
  'agent.createMany': async () => ({
    ...{ method: 'POST', path: '/nuroagent/many' },
    body: { agents: [{ copyOf: ann.agent('qa').id, title: 'Third' }] },
    trace: 'SELECT count(*)::int AS trace FROM agents',
  }),
  'agent.removeUnused': async () => {
    const made = await ann.call<Agent>('POST', '/nuroagent', { name: 'qa', title: 'Unused', role: 'QA' });
    const project = await ann.call<Project>('GET', '/project/default');
    return {
      ...{ method: 'POST', path: '/nuroagent/unused' },
      body: { agentIds: [made.body.id], projectId: project.body.id },
      trace: 'SELECT -count(*)::int AS trace FROM agents',
    };
  },
  'agent.relate': async () => ({
    method: 'POST',
    path: `/nuroagent/relationships?sourceAgentId=${ann.agent('qa').id}&targetAgentId=${ann.agent('analyst').id}&relationshipType=reports-to`,
    body: undefined,
    trace: 'SELECT count(*)::int AS trace FROM agent_relationships',
  }),
  'agent.postApiConfiguration': async () => ({
    ...{ method: 'POST', path: '/nuroagent/api-configuration' },
    body: { agentId: ann.agent('developer').id, maxTokens: 4_001 },
    trace: "SELECT max_tokens AS trace FROM agents WHERE name = 'developer'",
  }),
  'command.execute': async () => ({
    ...{ method: 'POST', path: '/agentcommand/execute' },
    body: { agentId: ann.agent('qa').id, request: 'Once' },
    trace: commandsSoFar,
  }),
  'command.executeAsync': async () => ({
    ...{ method: 'POST', path: '/agentcommand/execute-async' },
    body: { agentId: ann.agent('qa').id, request: 'Once' },
    trace: commandsSoFar,
  }),
  'command.openai': async () => ({
    ...{ method: 'POST', path: `/agentcommand/openai/${ann.agent('qa').id}` },
    body: { messages: [{ role: 'user', content: 'Once' }] },
    trace: commandsSoFar,
  }),
  'thought.publish': async () => ({
    ...{ method: 'POST', path: '/agentthought/publish' },
    body: { agentId: ann.agent('qa').id, content: 'Once' },
    trace: 'SELECT count(*)::int AS trace FROM agent_thoughts',
  }),
  'pipeline.create': async () => ({
    ...{ method: 'POST', path: '/Pipeline' },
    body: { name: 'Once', projectId: 'default', steps: [{ name: 'One', agentId: ann.agent('qa').id }] },
    trace: 'SELECT count(*)::int AS trace FROM pipelines',
  }),
  'pipeline.addStep': async () => ({
    ...{ method: 'POST', path: `/Pipeline/${(await ann.pipeline('qa')).id}/steps` },
    body: { name: 'Two', agentId: ann.agent('developer').id },
    trace: 'SELECT count(*)::int AS trace FROM pipeline_steps',
  }),
  'execution.start': async () => ({
    ...{ method: 'POST', path: '/PipelineExecution/start' },
    body: { pipelineId: (await ann.pipeline('qa')).id, inputData: { task: 'Once' } },
    trace: 'SELECT count(*)::int AS trace FROM executions',
  }),
  'execution.create': async () => ({
    ...{ method: 'POST', path: '/PipelineExecution' },
    body: { pipelineId: (await ann.pipeline('qa')).id, inputData: { task: 'Once' } },
    trace: 'SELECT count(*)::int AS trace FROM executions',
  }),
  'execution.runStep': async () => {
    const id = await pausedRun();
    const step = (await ann.details(id)).steps.find(({ status }) => status === 'pending');
    return {
      ...{ method: 'POST', path: `/PipelineExecution/${id}/steps/${step?.stepId}`, body: undefined },
      trace: "SELECT count(*)::int AS trace FROM execution_events WHERE event ->> 'type' = 'execution.resumed'",
    };
  },
  'execution.addContext': async () => ({
    ...{ method: 'POST', path: `/PipelineExecution/${await pausedRun()}/context` },
    body: { content: 'Also this' },
    trace: 'SELECT count(*)::int AS trace FROM execution_contexts',
  }),
  'execution.fork': async () => {
    const { id } = await ann.start(await ann.pipeline('qa'), 'Once');
    await ann.until(id, ({ status }) => status === 'completed');
    const [step] = (await ann.details(id)).steps;
    return {
      ...{ method: 'POST', path: `/PipelineExecution/${id}/fork`, body: { from: { stepId: step?.stepId, round: 0, item: 0 } } },
      trace: 'SELECT count(*)::int AS trace FROM executions WHERE parent_id IS NOT NULL',
    };
  },
  'modelConnection.create': async () => ({
    ...{ method: 'POST', path: '/model-connections' },
    body: { provider: 'ollama' },
    trace: 'SELECT count(*)::int AS trace FROM connections',
  }),
  'toolServer.create': async () => ({
    ...{ method: 'POST', path: '/project/default/tool-servers' },
    body: { name: 'Once', url: 'https://tools.example.com/mcp' },
    trace: 'SELECT count(*)::int AS trace FROM tool_servers',
  }),
  'question.answer': async () => {
    const { id } = await ann.start(await askingPipeline(), 'Wait');
    await ann.until(id, ({ openQuestions }) => openQuestions === 1);
    const [question] = (await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`)).body;
    return {
      ...{ method: 'POST', path: `/question/${question?.id}/answer`, body: { action: 'answer', text: 'Once' } },
      trace: "SELECT count(*)::int AS trace FROM questions WHERE state = 'answered'",
    };
  },
  'teamVersion.create': async () => ({
    ...{ method: 'POST', path: '/project/default/team-versions' },
    body: { name: 'Once' },
    trace: 'SELECT count(*)::int AS trace FROM team_versions WHERE name IS NOT NULL',
  }),
  'teamVersion.restore': async () => {
    const path = '/project/default/team-versions';
    // The version of a run has the agent, also while it has no card.
    await ann.start(await ann.pipeline('qa'), 'Once');
    const number = (await ann.call<TeamVersionPage>('GET', path)).body.items[0]?.number;
    await ann.call('PUT', `/nuroagent/${ann.agent('qa').id}`, { configuration: { systemPrompt: 'Changed once.' } });
    const { seen } = (await ann.call<TeamCheck>('GET', `${path}/${number}/check`)).body;
    return {
      ...{ method: 'POST', path: `${path}/${number}/restoration`, body: { seen } },
      trace: "SELECT count(*)::int AS trace FROM agent_changes WHERE before = 'Changed once.'",
    };
  },
  'releasedTeam.release': async () => ({
    ...{ method: 'POST', path: '/project/default/released-teams' },
    body: { pipelineId: (await ann.pipeline('qa')).id, slug: 'once', title: 'Once', task: 'Once' },
    trace: 'SELECT count(*)::int AS trace FROM released_teams',
  }),
  'releasedTeam.releaseNext': async () => ({
    ...{ method: 'POST', path: `/project/default/released-teams/${(await releasedTeam('next', await ann.pipeline('qa'))).id}/releases` },
    body: { release: 1 },
    trace: 'SELECT count(*)::int AS trace FROM team_releases',
  }),
  'trigger.create': async () => ({
    ...{ method: 'POST', path: '/project/default/triggers', body: triggerOf((await releasedTeam('fired', await ann.pipeline('qa'))).id) },
    trace: 'SELECT count(*)::int AS trace FROM triggers',
  }),
  'trigger.again': async () => {
    const team = await releasedTeam('again', await ann.pipeline('qa'));
    const { id } = (await ann.call<{ id: string }>('POST', '/project/default/triggers', triggerOf(team.id))).body;
    const at = '2026-01-01T00:00:00.000Z';
    await database.pool.query(
      "INSERT INTO fires (trigger_id, key, due_at, at, source, outcome) VALUES ($1, $2, $2::text::timestamptz, now(), '{}', 'late')",
      [id, at],
    );
    return {
      ...{ method: 'POST', path: `/project/default/triggers/${id}/fires/${at}/again`, body: undefined },
      trace: 'SELECT count(*)::int AS trace FROM fires',
    };
  },
  'team.start': async () => {
    const { slug } = await releasedTeam('start', await ann.pipeline('qa'));
    return { ...{ method: 'POST', path: `/team/${slug}/runs`, body: {} }, trace: 'SELECT count(*)::int AS trace FROM team_runs' };
  },
  'team.answer': async () => {
    const { slug } = await releasedTeam('answer', await askingPipeline());
    const { id } = (await ann.call<{ id: string }>('POST', `/team/${slug}/runs`, {})).body;
    await ann.until(id, ({ openQuestions }) => openQuestions === 1);
    const [question] = (await ann.call<Question[]>('GET', `/team/${slug}/runs/${id}/questions`)).body;
    return {
      ...{ method: 'POST', path: `/team/${slug}/runs/${id}/questions/${question?.id}/answer`, body: { action: 'answer', text: 'Once' } },
      trace: "SELECT count(*)::int AS trace FROM questions WHERE state = 'answered'",
    };
  },
  'result.create': async () => ({
    ...{ method: 'POST', path: '/ProjectResultHistory' },
    body: { projectId: 'default', pipelineExecutionId: await pausedRun(), userRequest: 'Once', summary: 'written once' },
    trace: "SELECT count(*)::int AS trace FROM results WHERE summary = 'written once'",
  }),
};

async function version(): Promise<number> {
  return (await ann.call<{ version: number }>('GET', '/project/default/canvas')).body.version;
}

/** A pipeline whose only step asks a person. */
async function askingPipeline(): Promise<Pipeline> {
  const steps = [{ name: 'Ann', agentId: ann.agent('qa').id, nodeId: 'ann', settings: { person: {} } }];
  return (await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Ask', projectId: 'default', steps })).body;
}

async function releasedTeam(slug: string, { id: pipelineId }: Pipeline): Promise<{ id: string; slug: string }> {
  const team = { pipelineId, slug, title: slug, task: 'Once' };
  return (await ann.call<{ id: string; slug: string }>('POST', '/project/default/released-teams', team)).body;
}

async function demoRequest(): Promise<string> {
  const body = { name: 'Boris', email: 'boris@example.com', consent: true };
  return (await ann.call<{ id: string }>('POST', '/leads', body)).body.id;
}

function triggerOf(teamId: string) {
  const settings = { kind: 'schedule', cron: '0 0 1 1 *', zone: 'UTC' };
  return { name: 'Yearly', teamId, budget: { tokens: 1_000_000 }, settings };
}

async function pausedRun(): Promise<string> {
  const { id } = await ann.start(await ann.pipeline('qa', 'assistant'), 'Wait', { pauseBetweenStepsMs: 60_000 });
  await ann.act(id, 'pause');
  await ann.until(id, ({ status }) => status === 'paused');
  return id;
}

const traceOf = async (query: string) => (await database.pool.query<{ trace: number }>(query)).rows[0]?.trace ?? 0;

test.each((Object.entries(routes) as [RouteName, Route][]).flatMap(([name, route]) => (route.idempotent ? [name] : [])))(
  'R23.01 %s keeps its answer together with its write: both or neither',
  async (name) => {
    const write = await writes[name]?.();
    if (!write) throw new Error(`No write is known for ${name}.`);
    const { method, path, body, trace } = write;
    const before = await traceOf(trace);
    const key = { 'idempotency-key': `once-${name}` };

    await database.pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no answer is kept now'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE OF status ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION refuse()`);
    try {
      expect((await ann.call(method, path, body, key)).status).toBe(500);
      expect(await traceOf(trace)).toBe(before);
    } finally {
      await database.pool.query('DROP FUNCTION refuse CASCADE');
    }
    const first = await ann.call(method, path, body, key);
    const again = await ann.call(method, path, body, key);
    expect(first.status).toBe(routes[name].status);
    expect(again).toMatchObject({ status: first.status, body: first.body });
    expect(await traceOf(trace)).toBe(before + 1);
  },
);
