import { beforeAll, describe, expect, test } from 'vitest';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Question } from '../../../contract/executions/question.ts';
import type { CreatedHook, HookDelivery } from '../../../contract/hook.ts';
import type { Route } from '../../../contract/route.ts';
import { type RouteName, routes } from '../../../contract/routes.ts';
import type { ToolServerTest } from '../../../contract/tool-server.ts';
import type { RunAccount } from '../../support/run-account.ts';
import { setUp, setUpAccount, setUpServer } from '../../support/set-up/for-vitest.ts';
import { startToolServer } from '../../support/tools/tool-server.ts';

type Owned = Record<
  | 'user'
  | 'project'
  | 'agent'
  | 'relationship'
  | 'pipeline'
  | 'step'
  | 'execution'
  | 'result'
  | 'command'
  | 'question'
  | 'inputSet'
  | 'toolServer'
  | 'serverTool'
  | 'budget'
  | 'connection'
  | 'hook'
  | 'trigger'
  | 'delivery'
  | 'device'
  | 'key'
  | 'team'
  | 'teamRun'
  | 'teamQuestion',
  string
>;

const tools = setUp(startToolServer, ({ close }) => close());
const server = setUpServer({ ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' });
const ann = setUpAccount(server);
const bob = setUpAccount(server);
let annas: Owned;
let bobs: Owned;
/** What Ann has: no test may change it. */
let everything: unknown;

beforeAll(async () => {
  tools.list([{ name: 'find', inputSchema: { type: 'object' } }]);
  [annas, bobs] = await Promise.all([furnished(ann), furnished(bob)]);
  everything = await everythingOf(ann, annas);
});

/** Creates one record of each kind. The run is paused, so every call on it fits its state. */
async function furnished(person: RunAccount): Promise<Owned> {
  const pipeline = await person.pipeline('assistant', 'developer');
  const execution = await person.start(pipeline, 'Mine alone', { pauseBetweenStepsMs: 60_000 });
  await person.act(execution.id, 'pause');
  await person.until(execution.id, ({ status }) => status === 'paused');
  const [result] = await person.history();
  const agent = person.agent('developer').id;
  const tie = relation({ source: agent, target: person.agent('analyst').id });
  const { body: relationship } = await person.call<{ id: string }>('POST', `/nuroagent/relationships${tie}`);
  const asking = await person.call<Pipeline>('POST', '/Pipeline', {
    ...{ name: 'Ask', projectId: pipeline.projectId },
    steps: [{ name: 'Ask', agentId: agent, nodeId: 'ask', settings: { person: {} } }],
  });
  const waiting = await person.start(asking.body, 'Mine alone');
  await person.until(waiting.id, ({ openQuestions }) => openQuestions === 1);
  const { body: questions } = await person.call<Question[]>('GET', `/PipelineExecution/${waiting.id}/questions`);
  const { body: hook } = await person.call<CreatedHook>('POST', '/project/default/hooks', {
    url: `${tools.url}/hook`,
    events: ['published'],
  });
  const { body: delivery } = await person.call<HookDelivery>('POST', `/project/default/hooks/${hook.id}/test`);
  const slug = `team-${person.userId}`;
  const released = { pipelineId: asking.body.id, slug, title: 'Mine alone', task: 'Mine alone' };
  const { body: team } = await person.call<{ id: string }>('POST', '/project/default/released-teams', released);
  const { body: teamRun } = await person.call<{ id: string }>('POST', `/team/${slug}/runs`, {});
  await person.until(teamRun.id, ({ openQuestions }) => openQuestions === 1);
  const { body: teamQuestions } = await person.call<Question[]>('GET', `/PipelineExecution/${teamRun.id}/questions`);
  const command = { agentId: agent, request: 'Mine alone', projectId: pipeline.projectId, parameters: { executionId: execution.id } };
  const servers = '/project/default/tool-servers';
  const { body: toolServer } = await person.call<{ id: string }>('POST', servers, { name: 'Tools', url: tools.url });
  const { body: found } = await person.call<ToolServerTest>('POST', `${servers}/${toolServer.id}/test`);
  await person.call('POST', '/agentthought/publish', { agentId: agent, content: 'Mine alone' });
  return {
    user: person.userId,
    project: pipeline.projectId,
    agent,
    relationship: relationship.id,
    pipeline: pipeline.id,
    step: pipeline.steps[0]?.id ?? '',
    execution: execution.id,
    result: result?.id ?? '',
    question: questions[0]?.id ?? '',
    ...{ team: team.id, teamRun: teamRun.id, teamQuestion: teamQuestions[0]?.id ?? '' },
    command: (await person.call<{ id: string }>('POST', '/agentcommand/execute-async', command)).body.id,
    ...{ hook: hook.id, delivery: delivery.id },
    device: (await person.call<{ id: string }>('POST', '/push', browserOf(person))).body.id,
    trigger: (await person.call<{ id: string }>('POST', '/project/default/triggers', triggerOf(team.id))).body.id,
    ...{ toolServer: toolServer.id, serverTool: found.tools[0]?.id ?? '' },
    budget: (await person.call<{ id: string }>('PUT', '/budget', { scope: 'user', span: 'month', tokens: 1_000_000_000 })).body.id,
    connection: (await person.call<{ id: string }>('POST', '/model-connections', connectionOf(pipeline.projectId))).body.id,
    key: (await person.call<{ id: string }>('POST', '/api-keys', { name: 'Mine', scopes: ['read'] })).body.id,
    inputSet: (await person.call<{ id: string }>('POST', '/inputSet', { projectId: 'default' })).body.id,
  };
}

const browserOf = ({ userId }: RunAccount) => ({
  endpoint: `${tools.url}/push/${userId}`,
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  name: 'A browser',
});

const missing = '01a1fab3-094b-73bf-a485-a91fccff0c5d';
const none: Owned = {
  ...{ user: missing, project: missing, agent: missing, relationship: missing },
  ...{ pipeline: missing, step: missing, execution: missing, result: missing, command: missing, question: missing, inputSet: missing },
  ...{ toolServer: missing, serverTool: missing, budget: missing, connection: missing, hook: missing, delivery: missing, key: missing },
  device: missing,
  trigger: missing,
  ...{ team: missing, teamRun: missing, teamQuestion: missing },
};

/** `path` is the kind of the id in the path; `params` is for several ids, or for an own id with another user's id in the body. */
type Called = {
  path?: keyof Owned;
  params?: (ids: Owned, own: Owned) => Record<string, string>;
  query?: (ids: Owned, own: Owned) => string;
  body?: (ids: Owned, own: Owned) => unknown;
};

/** Every place where a call of a signed-in user takes an id: in its path, its query or its body. */
const places: [RouteName, Called][] = [
  ['apiKey.create', { body: (ids) => ({ name: 'Taken', scopes: ['read'], projectId: ids.project }) }],
  ['apiKey.runs', { path: 'key' }],
  ['apiKey.revoke', { path: 'key' }],
  ['project.get', { path: 'project' }],
  ['project.canvas', { path: 'project' }],
  ['project.patchCanvas', { path: 'project', body: () => ({ baseVersion: 1, patches: [] }) }],
  ['project.putCanvas', { path: 'project', body: () => ({ baseVersion: 1, nodes: {}, connections: {} }) }],
  ['project.versions', { path: 'project' }],
  ['project.compareVersions', { path: 'project', query: () => '?left=1&right=2' }],
  ['project.promptChanges', { path: 'project' }],
  ['project.version', { params: (ids) => ({ id: ids.project, version: '1' }) }],
  ['teamVersion.list', { path: 'project' }],
  ['teamVersion.create', { path: 'project', body: () => ({ name: 'Taken' }) }],
  ['teamVersion.get', { params: (ids) => ({ id: ids.project, version: '1' }) }],
  ['teamVersion.check', { params: (ids) => ({ id: ids.project, version: '1' }) }],
  ['teamVersion.restore', { params: (ids) => ({ id: ids.project, version: '1' }), body: () => ({ seen: 'x' }) }],
  ['project.putMark', { params: (ids) => ({ id: ids.project, version: '1' }), body: () => ({ name: 'Taken' }) }],
  ['project.removeMark', { params: (ids) => ({ id: ids.project, version: '1' }) }],
  ['project.update', { path: 'project', body: () => ({ name: 'Taken' }) }],
  ['project.setStatus', { path: 'project', body: () => ({ status: 'archived' }) }],
  ['project.remove', { path: 'project' }],
  ['project.statistics', { path: 'project' }],
  ['project.byUser', { path: 'user' }],
  ['agent.get', { path: 'agent' }],
  ['agent.changes', { path: 'agent' }],
  ['agent.update', { path: 'agent', body: () => ({ title: 'Taken' }) }],
  ['agent.apiConfiguration', { path: 'agent' }],
  ['agent.putApiConfiguration', { path: 'agent', body: () => ({ apiKey: null, baseUrl: 'http://127.0.0.1/v1' }) }],
  ['agent.setModels', { body: (ids) => ({ agentIds: [ids.agent], connectionId: null, model: 'taken' }) }],
  ['agent.setModels', { body: (ids, own) => ({ agentIds: [own.agent, ids.agent], connectionId: null, model: 'taken' }) }],
  [
    'agent.createMany',
    {
      body: (ids, own) => ({
        agents: [
          { copyOf: own.agent, title: 'Own' },
          { copyOf: ids.agent, title: 'Taken' },
        ],
      }),
    },
  ],
  ['agent.removeUnused', { body: (ids, own) => ({ agentIds: [own.agent], projectId: ids.project }) }],
  ['agent.postApiConfiguration', { body: (ids) => ({ agentId: ids.agent, apiKey: null }) }],
  ['agent.remove', { path: 'agent' }],
  ['agent.setStatus', { path: 'agent', body: () => ({ status: 'inactive' }) }],
  ['agent.statistics', { path: 'agent' }],
  ['agent.relationships', { path: 'agent' }],
  ['agent.relate', { query: (ids, own) => relation({ source: ids.agent, target: own.agent }) }],
  ['agent.relate', { query: (ids, own) => relation({ source: own.agent, target: ids.agent }) }],
  ['agent.unrelate', { path: 'relationship' }],
  ['agent.availableForDelegation', { path: 'agent' }],
  ['agent.canDelegate', { query: (ids, own) => `?sourceAgentId=${ids.agent}&targetAgentId=${own.agent}` }],
  ['agent.canDelegate', { query: (ids, own) => `?sourceAgentId=${own.agent}&targetAgentId=${ids.agent}` }],
  ['command.execute', { body: (ids) => commandOf(ids) }],
  ['command.execute', { body: (ids, own) => commandOf({ ...own, project: ids.project }) }],
  ['command.execute', { body: (ids, own) => commandOf({ ...own, execution: ids.execution }) }],
  ['command.executeAsync', { body: (ids, own) => commandOf({ ...own, agent: ids.agent }) }],
  ['command.status', { path: 'command' }],
  ['command.cancel', { path: 'command' }],
  ['command.history', { path: 'agent' }],
  ['command.clearHistory', { path: 'agent' }],
  ['command.statistics', { path: 'agent' }],
  ['command.availability', { path: 'agent' }],
  ['command.load', { path: 'agent' }],
  ['command.openai', { path: 'agent', body: () => ({ messages: [{ role: 'user', content: 'Taken' }] }) }],
  ['thought.publish', { body: (ids) => ({ agentId: ids.agent, content: 'Taken' }) }],
  ['thought.publish', { body: (ids, own) => ({ agentId: own.agent, projectId: ids.project, content: 'Taken' }) }],
  ['thought.followAgent', { path: 'agent' }],
  ['thought.followProject', { path: 'project' }],
  ['thought.followUser', { path: 'user' }],
  ['thought.test', { path: 'agent' }],
  ['thought.ofAgent', { path: 'agent' }],
  ['thought.ofProject', { path: 'project' }],
  ['thought.ofUser', { path: 'user' }],
  ['pipeline.get', { path: 'pipeline' }],
  ['pipeline.remove', { path: 'pipeline' }],
  ['pipeline.create', { body: (ids, own) => pipelineOf({ ...own, project: ids.project }) }],
  ['pipeline.create', { body: (ids, own) => pipelineOf({ ...own, agent: ids.agent }) }],
  ['pipeline.update', { path: 'pipeline', body: () => ({ name: 'Taken' }) }],
  [
    'pipeline.update',
    {
      params: (_ids, own) => ({ id: own.pipeline }),
      body: (ids, own) => ({ steps: [{ name: 'Taken', agentId: own.agent, id: ids.step }] }),
    },
  ],
  [
    'pipeline.update',
    { params: (_ids, own) => ({ id: own.pipeline }), body: (ids) => ({ steps: [{ name: 'Taken', agentId: ids.agent }] }) },
  ],
  ['pipeline.setStatus', { path: 'pipeline', body: () => ({ status: 'archived' }) }],
  ['pipeline.diagnostics', { path: 'pipeline' }],
  ['pipeline.steps', { path: 'pipeline' }],
  ['pipeline.addStep', { path: 'pipeline', body: (_ids, own) => ({ name: 'Taken', agentId: own.agent }) }],
  ['pipeline.addStep', { params: (_ids, own) => ({ id: own.pipeline }), body: (ids) => ({ name: 'Taken', agentId: ids.agent }) }],
  ['pipeline.updateStep', { path: 'step', body: () => ({ name: 'Taken' }) }],
  ['pipeline.updateStep', { params: (_ids, own) => ({ stepId: own.step }), body: (ids) => ({ agentId: ids.agent }) }],
  ['pipeline.removeStep', { path: 'step' }],
  ['pipeline.reorderSteps', { path: 'pipeline', body: (ids) => ({ stepIds: [ids.step] }) }],
  ['execution.list', { query: (ids) => `?projectId=${ids.project}` }],
  ['execution.start', { body: (ids) => ({ pipelineId: ids.pipeline, inputData: { task: 'Taken' } }) }],
  ['execution.create', { body: (ids) => ({ pipelineId: ids.pipeline, inputData: { task: 'Taken' } }) }],
  ['execution.start', { body: (ids, own) => ({ pipelineId: own.pipeline, executionId: ids.execution }) }],
  ['execution.update', { path: 'execution', body: () => ({ priority: 1 }) }],
  ['execution.remove', { path: 'execution' }],
  ['execution.byPipeline', { path: 'pipeline' }],
  ['execution.byUser', { path: 'user' }],
  ['execution.readiness', { path: 'pipeline' }],
  ['execution.statistics', { path: 'execution' }],
  ['execution.memory', { path: 'execution' }],
  ['execution.links', { path: 'execution' }],
  ['execution.toolCalls', { path: 'execution' }],
  ['execution.files', { path: 'execution' }],
  ['execution.fileContent', { path: 'execution', query: () => '?path=README.md' }],
  ['execution.fileComparison', { path: 'execution', query: () => '?path=README.md' }],
  ['execution.archive', { path: 'execution' }],
  ['execution.pullRequest', { path: 'execution' }],
  ['execution.patch', { path: 'execution' }],
  ['execution.runStep', { params: (ids) => ({ id: ids.execution, stepId: ids.step }) }],
  ['execution.testLog', { params: (ids) => ({ id: ids.execution, stepId: ids.step }) }],
  ['execution.runStep', { params: (ids, own) => ({ id: own.execution, stepId: ids.step }) }],
  ['execution.fork', { path: 'execution', body: () => ({ dryRun: true }) }],
  ['execution.compare', { query: (ids, own) => `?left=${own.execution}&right=${ids.execution}` }],
  ['execution.compare', { query: (ids, own) => `?left=${ids.execution}&right=${own.execution}` }],
  ['execution.step', { params: (ids) => ({ id: ids.execution, stepId: ids.step }) }],
  ['execution.step', { params: (ids, own) => ({ id: own.execution, stepId: ids.step }) }],
  ['execution.get', { path: 'execution' }],
  ['execution.details', { path: 'execution' }],
  ['execution.logs', { path: 'execution' }],
  ['execution.pause', { path: 'execution' }],
  ['execution.resume', { path: 'execution' }],
  ['execution.stop', { path: 'execution' }],
  ['execution.nextStep', { path: 'execution' }],
  ['execution.addContext', { path: 'execution', body: () => ({ content: 'Taken' }) }],
  ['execution.setHolds', { path: 'execution', body: () => ({ all: true }) }],
  ['execution.start', { body: (ids, own) => ({ pipelineId: own.pipeline, initialTask: 'Taken', inputSetId: ids.inputSet }) }],
  ['execution.create', { body: (ids, own) => ({ pipelineId: own.pipeline, initialTask: 'Taken', inputSetId: ids.inputSet }) }],
  ['input.create', { body: (ids) => ({ projectId: ids.project }) }],
  ['input.get', { path: 'inputSet' }],
  ['input.files', { path: 'inputSet' }],
  ['input.putFile', { path: 'inputSet', query: () => '?path=a.txt', body: () => 'Taken' }],
  ['input.fileText', { path: 'inputSet', query: () => '?path=a.txt' }],
  ['input.removeFile', { path: 'inputSet', query: () => '?path=a.txt' }],
  ['project.gitTarget', { path: 'project' }],
  ['project.putGitTarget', { path: 'project', body: () => ({ url: 'https://git.example.com/taken', baseBranch: 'main', forge: 'none' }) }],
  ['project.removeGitTarget', { path: 'project' }],
  ['modelConnection.list', { query: (ids) => `?projectId=${ids.project}` }],
  ['modelConnection.create', { body: (ids) => connectionOf(ids.project) }],
  ['modelConnection.update', { path: 'connection', body: () => ({ name: 'Taken' }) }],
  ['modelConnection.remove', { path: 'connection', query: () => '?evenIfUsed=true' }],
  ['modelConnection.models', { path: 'connection' }],
  ['modelConnection.readModels', { path: 'connection' }],
  ['modelConnection.test', { path: 'connection', body: () => ({ model: 'taken' }) }],
  ['modelConnection.use', { path: 'connection', body: (_ids, own) => ({ agentIds: [own.agent], model: 'taken' }) }],
  ['modelConnection.use', { params: (_ids, own) => ({ id: own.connection }), body: (ids) => ({ agentIds: [ids.agent], model: 'taken' }) }],
  ['agent.putApiConfiguration', { params: (_ids, own) => ({ id: own.agent }), body: (ids) => ({ connectionId: ids.connection }) }],
  ['agent.setModels', { body: (ids, own) => ({ agentIds: [own.agent], connectionId: ids.connection, model: 'taken' }) }],
  [
    'agent.putApiConfiguration',
    { params: (_ids, own) => ({ id: own.agent }), body: (ids) => ({ fallback: { connectionId: ids.connection, model: 'taken' } }) },
  ],
  ['agent.postApiConfiguration', { body: (ids, own) => ({ agentId: own.agent, connectionId: ids.connection }) }],
  ['toolServer.list', { path: 'project' }],
  ['toolServer.create', { path: 'project', body: () => ({ name: 'Taken', url: tools.url }) }],
  ['toolServer.update', { params: (ids) => ofServer(ids), body: () => ({ name: 'Taken' }) }],
  ['toolServer.update', { params: (ids, own) => ofServer({ ...ids, project: own.project }), body: () => ({ name: 'Taken' }) }],
  ['trigger.list', { path: 'project' }],
  ['trigger.create', { path: 'project', body: (ids) => triggerOf(ids.team) }],
  ['trigger.create', { params: (_ids, own) => ({ id: own.project }), body: (ids) => triggerOf(ids.team) }],
  ...(['trigger.get', 'trigger.remove', 'trigger.renewSecret', 'trigger.fires', 'trigger.again'] as const).flatMap(
    (name): [RouteName, Called][] => [
      [name, { params: (ids, own) => ofTrigger({ ...ids, project: own.project }) }],
      [name, { params: (ids) => ofTrigger(ids) }],
    ],
  ),
  ['trigger.update', { params: (ids, own) => ofTrigger({ ...ids, project: own.project }), body: () => ({ isOn: false }) }],
  ['trigger.update', { params: (ids) => ofTrigger(ids), body: () => ({ isOn: false }) }],
  ['trigger.update', { params: (_ids, own) => ofTrigger(own), body: (ids) => ({ teamId: ids.team }) }],
  ['trigger.try', { params: (ids, own) => ofTrigger({ ...ids, project: own.project }), body: () => ({ body: '{}' }) }],
  ['trigger.try', { params: (ids) => ofTrigger(ids), body: () => ({ body: '{}' }) }],
  ['telegram.get', { path: 'project' }],
  ['telegram.createLink', { path: 'project' }],
  ['telegram.update', { path: 'project', body: () => ({ events: [] }) }],
  ['push.update', { params: (ids) => ({ deviceId: ids.device }), body: () => ({ events: [] }) }],
  ['push.remove', { params: (ids) => ({ deviceId: ids.device }) }],
  ['hook.list', { path: 'project' }],
  ['hook.create', { path: 'project', body: () => ({ url: 'https://hooks.example/x', events: ['published'] }) }],
  ['hook.update', { params: (ids, own) => ofHook({ ...ids, project: own.project }), body: () => ({ isOn: false }) }],
  ['hook.update', { params: (ids) => ofHook(ids), body: () => ({ isOn: false }) }],
  ...(['hook.remove', 'hook.replaceSecret', 'hook.test', 'hook.deliveries'] as const).flatMap((name): [RouteName, Called][] => [
    [name, { params: (ids, own) => ofHook({ ...ids, project: own.project }) }],
    [name, { params: (ids) => ofHook(ids) }],
  ]),
  ['hook.resend', { params: (ids, own) => ofHook({ ...ids, project: own.project }) }],
  ['hook.resend', { params: (ids, own) => ofHook({ ...ids, project: own.project, hook: own.hook }) }],
  ['hook.resend', { params: (ids) => ofHook(ids) }],
  ['toolServer.remove', { params: (ids, own) => ofServer({ ...ids, project: own.project }) }],
  ['toolServer.remove', { params: (ids) => ofServer(ids) }],
  ['toolServer.test', { params: (ids, own) => ofServer({ ...ids, project: own.project }) }],
  ['toolServer.test', { params: (ids) => ofServer(ids) }],
  ['toolServer.signIn', { params: (ids, own) => ofServer({ ...ids, project: own.project }) }],
  ['toolServer.signIn', { params: (ids) => ofServer(ids) }],
  ['toolServer.endSignIn', { params: (ids, own) => ofServer({ ...ids, project: own.project }), body: () => ({ state: 'x', code: 'x' }) }],
  ['toolServer.endSignIn', { params: (ids) => ofServer(ids), body: () => ({ state: 'x', code: 'x' }) }],
  ['toolServer.tools', { path: 'project' }],
  ['toolServer.tools', { params: (_ids, own) => ({ id: own.project }), query: (ids) => `?serverId=${ids.toolServer}` }],
  ['toolServer.setPolicy', { params: (ids) => ofTool(ids), body: () => ({ policy: 'never' }) }],
  ['toolServer.setPolicy', { params: (ids, own) => ofTool({ ...ids, project: own.project }), body: () => ({ policy: 'never' }) }],
  ['toolServer.accept', { params: (ids) => ofTool(ids), body: () => ({ hash: '0'.repeat(64) }) }],
  ['toolServer.accept', { params: (ids, own) => ofTool({ ...ids, project: own.project }), body: () => ({ hash: '0'.repeat(64) }) }],
  ['toolServer.agentTools', { params: ({ project: id, agent: agentId }) => ({ id, agentId }) }],
  ['toolServer.agentTools', { params: ({ agent: agentId }, { project: id }) => ({ id, agentId }) }],
  ['toolServer.putAgentTools', { params: ({ project: id, agent: agentId }) => ({ id, agentId }), body: () => ({ toolIds: [] }) }],
  ['toolServer.putAgentTools', { params: ({ agent: agentId }, { project: id }) => ({ id, agentId }), body: () => ({ toolIds: [] }) }],
  [
    'toolServer.putAgentTools',
    { params: (_ids, { project: id, agent: agentId }) => ({ id, agentId }), body: ({ serverTool }) => ({ toolIds: [serverTool] }) },
  ],
  ['execution.publication', { path: 'execution' }],
  ['execution.publish', { path: 'execution', body: () => ({}) }],
  ['execution.followUp', { path: 'execution' }],
  ['execution.bundle', { path: 'execution' }],
  ['input.addRepository', { path: 'inputSet', body: () => ({ url: 'https://git.example.com/taken' }) }],
  ['input.addArchive', { path: 'inputSet', body: () => 'Taken' }],
  ['budget.list', { query: (ids) => `?projectId=${ids.project}` }],
  ['budget.list', { query: (ids) => `?executionId=${ids.execution}` }],
  ['budget.put', { body: (ids) => ({ scope: 'project', span: 'day', projectId: ids.project, tokens: 1_000 }) }],
  ['budget.put', { body: (ids) => ({ scope: 'run', executionId: ids.execution, tokens: 1_000 }) }],
  ['budget.remove', { path: 'budget' }],
  ['budget.forecast', { body: (ids, own) => ({ projectId: ids.project, agentIds: [own.agent] }) }],
  ['question.list', { query: (ids) => `?projectId=${ids.project}` }],
  ['question.ofExecution', { path: 'execution' }],
  ['question.get', { path: 'question' }],
  ['question.answer', { path: 'question', body: () => ({ action: 'answer', text: 'Taken' }) }],
  ['question.createLink', { path: 'question' }],
  ['result.list', { path: 'project' }],
  ['releasedTeam.list', { path: 'project' }],
  ['releasedTeam.release', { path: 'project', body: (_ids, own) => ({ pipelineId: own.pipeline, slug: 'taken', title: 'Taken' }) }],
  [
    'releasedTeam.release',
    { params: (_ids, own) => ({ id: own.project }), body: (ids) => ({ pipelineId: ids.pipeline, slug: 'taken', title: 'Taken' }) },
  ],
  ['releasedTeam.get', { params: (ids, own) => ({ id: own.project, teamId: ids.team }) }],
  ['releasedTeam.get', { params: (ids) => ({ id: ids.project, teamId: ids.team }) }],
  ['releasedTeam.update', { params: (ids, own) => ({ id: own.project, teamId: ids.team }), body: () => ({ title: 'Taken' }) }],
  ['releasedTeam.releaseNext', { params: (ids, own) => ({ id: own.project, teamId: ids.team }), body: () => ({ release: 1 }) }],
  [
    'releasedTeam.releaseNext',
    { params: (_ids, own) => ({ id: own.project, teamId: own.team }), body: (ids) => ({ pipelineId: ids.pipeline }) },
  ],
  ['releasedTeam.withdraw', { params: (ids, own) => ({ id: own.project, teamId: ids.team }) }],
  ['team.get', { params: (ids) => ({ slug: `team-${ids.user}` }) }],
  ['team.start', { params: (ids) => ({ slug: `team-${ids.user}` }), body: () => ({}) }],
  ['team.run', { params: (ids) => ({ slug: `team-${ids.user}`, id: ids.teamRun }) }],
  ['team.run', { params: (ids, own) => ({ slug: `team-${own.user}`, id: ids.teamRun }) }],
  ['team.events', { params: (ids, own) => ({ slug: `team-${own.user}`, id: ids.teamRun }) }],
  ['team.result', { params: (ids, own) => ({ slug: `team-${own.user}`, id: ids.teamRun }) }],
  ['team.questions', { params: (ids, own) => ({ slug: `team-${own.user}`, id: ids.teamRun }) }],
  [
    'team.answer',
    {
      params: (ids, own) => ({ slug: `team-${own.user}`, id: own.teamRun, questionId: ids.teamQuestion }),
      body: () => ({ action: 'answer', text: 'Taken' }),
    },
  ],
  ['result.get', { path: 'result' }],
  ['result.create', { body: (ids, own) => resultOf({ ...own, execution: ids.execution }) }],
  ['result.create', { body: (ids, own) => resultOf({ ...own, project: ids.project }) }],
  ['result.create', { body: (ids) => resultOf(ids) }],
  ['result.update', { path: 'result', body: () => ({ agentResponse: 'Taken' }) }],
  ['result.byType', { params: (ids) => ({ projectId: ids.project, type: '1' }) }],
  ['result.byStatus', { params: (ids) => ({ projectId: ids.project, status: '1' }) }],
  ['result.byUser', { params: (ids) => ({ userId: ids.user, projectId: ids.project }) }],
  ['result.byUser', { params: (ids, own) => ({ userId: ids.user, projectId: own.project }) }],
  ['result.byUser', { params: (ids, own) => ({ userId: own.user, projectId: ids.project }) }],
  ['result.search', { path: 'project', query: () => '?q=Mine' }],
  ['result.statistics', { path: 'project' }],
  ['result.recent', { path: 'project' }],
  ['result.fromExecution', { path: 'execution' }],
  ['result.remove', { path: 'result' }],
];

/** Calls of a signed-in user that take no id. */
const withoutIds: RouteName[] = [
  'health.version',
  'auth.profile',
  'auth.updateProfile',
  'auth.changePassword',
  'auth.sendVerification',
  'auth.socketTicket',
  'storage.get',
  'apiKey.list',
  'telegram.remove',
  'push.get',
  'push.add',
  'trigger.preview',
  'storage.free',
  'account.exportLink',
  'account.delete',
  'account.takeBack',
  'project.list',
  'project.create',
  'project.byStatus',
  'project.active',
  'modelConnection.local',
  'modelConnection.known',
  'runner.get',
  'agent.list',
  'agent.create',
  'agent.byRole',
  'agent.bySpecialization',
  'agent.byStatus',
  'agent.withContextAccess',
  'thought.busStatus',
  'thought.followGlobal',
  'thought.all',
  'pipeline.list',
  'execution.byStatus',
];

function connectionOf(project: string) {
  return { provider: 'compatible', address: 'http://127.0.0.1:9/v1', projectId: project };
}

function relation({ source, target }: { source: string; target: string }): string {
  return `?sourceAgentId=${source}&targetAgentId=${target}&relationshipType=delegates-to`;
}

function pipelineOf({ project, agent }: Owned) {
  return { name: 'Taken', projectId: project, steps: [{ name: 'Taken', agentId: agent }] };
}

function commandOf({ agent, project, execution }: Owned) {
  return { agentId: agent, request: 'Taken', projectId: project, parameters: { executionId: execution } };
}

function ofHook({ project: id, hook: hookId, delivery: deliveryId }: Owned) {
  return { id, hookId, deliveryId };
}

function ofTrigger({ project: id, trigger: triggerId }: Owned) {
  return { id, triggerId, key: 'a' };
}

function triggerOf(teamId: string) {
  return { name: 'Mine alone', teamId, budget: { tokens: 1_000 }, settings: { kind: 'webhook' } };
}

function ofServer({ project: id, toolServer: serverId }: Owned) {
  return { id, serverId };
}

function ofTool({ project: id, serverTool: toolId }: Owned) {
  return { id, toolId };
}

function resultOf({ project, execution }: Owned) {
  return { projectId: project, pipelineExecutionId: execution, userRequest: 'Taken', summary: 'Taken' };
}

async function everythingOf(person: RunAccount, owned: Owned): Promise<unknown> {
  const paths = [
    ...['/project', '/project/default/canvas', '/nuroagent', '/Pipeline', '/PipelineExecution'],
    ...[`/PipelineExecution/${owned.execution}/details`, `/PipelineExecution/${owned.execution}/logs`],
    ...['/ProjectResultHistory/project/default', `/nuroagent/${owned.agent}/relationships`],
    ...['/question', `/question/${owned.question}`, `/inputSet/${owned.inputSet}`],
    ...['/project/default/tool-servers', '/project/default/tools', `/project/default/agents/${owned.agent}/tools`],
    ...['/model-connections', '/project/default/hooks', '/push', '/project/default/triggers'],
    ...['/agentthought/global', `/agentcommand/history/${owned.agent}`],
  ];
  return Promise.all(paths.map(async (path) => (await person.call('GET', path)).body));
}

test('R15.01 the table below knows every call of a signed-in user', () => {
  const guarded = (Object.entries(routes) as [RouteName, Route][]).flatMap(([name, { auth }]) => (auth === 'user' ? [name] : []));
  expect([...new Set([...places.map(([name]) => name), ...withoutIds])].sort()).toEqual(guarded.sort());
});

const groups = Map.groupBy(places, ([name]) => name.split('.')[0] as string);

describe.each([...groups])('%s', (_group, ofGroup) => {
  test.each(ofGroup)('R15.01 %s answers with a foreign id exactly as with a missing one', async (name, called) => {
    const route: Route = routes[name];
    const call = async (ids: Owned) => {
      const params = called.params?.(ids, bobs) ?? {};
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ids[called.path ?? 'project']);
      const answer = await bob.call<{ code: string; message: string }>(
        route.method,
        path + (called.query?.(ids, bobs) ?? ''),
        called.body?.(ids, bobs),
      );
      // A sentence may name what the caller has asked for.
      const message = answer.body?.message?.replace(ids.user, 'X');
      return { status: answer.status, code: answer.body?.code, message };
    };
    const [foreign, absent] = [await call(annas), await call(none)];
    expect(foreign).toMatchObject({ status: 404, code: 'not_found' });
    expect(foreign).toEqual(absent);
  });

  // To read everything takes ten times as long as the two calls of a place.
  test('R15.01 these calls with foreign ids have changed nothing', async () => {
    expect(await everythingOf(ann, annas)).toEqual(everything);
  });
});
