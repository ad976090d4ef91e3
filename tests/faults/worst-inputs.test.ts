import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { strToU8, zipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { z } from 'zod';
import { maxAgentsAtOnce } from '../../contract/agent.ts';
import { canvasBody, fileBody, usualBody } from '../../contract/body-limits.ts';
import { maxSteps } from '../../contract/executions/pipeline.ts';
import { inputLimits } from '../../contract/input.ts';
import { fetchHostsMaxCount } from '../../contract/project.ts';
import type { Route } from '../../contract/route.ts';
import { type RouteName, routes } from '../../contract/routes.ts';
import { testReport } from '../../src/model/run/test-report.ts';
import { amountOf, sampleOf } from '../support/amounts.ts';
import { closeCode } from '../support/close-code.ts';
import { setUpSecondUser } from '../support/faults/second-user.ts';
import { type Answer, largeCanvas, sendBytes } from '../support/hostile/large-bodies.ts';
import { largestBody, type Shape } from '../support/hostile/largest-body.ts';
import { worstAnswers } from '../support/hostile/worst-answers.ts';
import { worstHeaders } from '../support/hostile/worst-headers.ts';
import { worstStreams } from '../support/hostile/worst-streams.ts';
import { endlessPdf } from '../support/services/sample-pdf.ts';
import { setUpAccount, setUpModelServer, setUpServer } from '../support/set-up/for-vitest.ts';
import { timesSlower } from '../support/times-slower.ts';

const mebibyte = 1024 * 1024;
/** Includes garbage that V8 has not collected yet. */
const maxGrowthBytes = 700 * mebibyte;
/** A call that is slow because of the machine is not slow in every attempt. */
const maxTries = 3;
const password = 'a long quiet river';

const models = setUpModelServer({ kind: 'text', text: '```txt path=a.txt\nx\n```\n' });
const server = setUpServer(() => ({ NODE_ENV: 'production', OPENAI_BASE_URL: models.url, ARTEL_CLIENT: 'on' }), {
  ownProcess: 'Its memory is measured.',
});
/** The first account is staff for requests from its own machine. */
const ann = setUpAccount(server);
const bob = setUpSecondUser(server);
let memoryBefore: number;

beforeAll(async () => {
  memoryBefore = await memoryBytes();
});

async function memoryBytes(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

/** Does the work in parallel with the second user; adds it to `slow` where that user waited too long in every attempt. */
async function beside<T>(slow: unknown[], name: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const { latency, bound, result } = await bob.beside(work);
    if (latency.p99 < bound) return result;
    if (tries < maxTries) continue;
    slow.push([name, latency, bound]);
    return result;
  }
}

const send = (method: string, path: string, body: Buffer | object = Buffer.alloc(0)) =>
  sendBytes(server.url, ann.accessToken, method, path, Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)));

async function made(method: string, path: string, body: object): Promise<string> {
  const { status, text } = await send(method, path, body);
  if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}

/** Ids of existing records, by path parameter and kind. */
type Ids = Record<string, string>;

let teams = 0;

async function prepare(): Promise<Ids> {
  const small = await ann.pipeline('assistant');
  const { id: execution } = await ann.start(small, 'Begin');
  await ann.until(execution, ({ status }) => status === 'completed');
  const agent = ann.agent('assistant').id;
  const steps = Array.from({ length: 500 }, (_, index) => ({ name: `Step ${index}`, agentId: agent }));
  const pipeline = await made('POST', '/Pipeline', { name: 'Large', projectId: 'default', steps });
  const asking = await made('POST', '/Pipeline', {
    ...{ name: 'Ask', projectId: 'default' },
    steps: [{ name: 'Ask', agentId: agent, nodeId: 'ask', settings: { person: {} } }],
  });
  const asked = await made('POST', '/PipelineExecution/start', { pipelineId: asking, initialTask: 'Ask' });
  await ann.until(asked, ({ openQuestions }) => openQuestions === 1);
  const [question] = (await ann.call<{ id: string }[]>('GET', `/PipelineExecution/${asked}/questions`)).body;
  const { token } = (await ann.call<{ token: string }>('POST', `/question/${question?.id}/link`)).body;
  const released = {
    pipelineId: asking,
    slug: `worst-${++teams}`,
    title: 'Worst',
    input: [{ kind: 'text', name: 'topic', isOptional: true }],
  };
  const teamId = await made('POST', '/project/default/released-teams', { ...released, atOnce: 100 });
  const team = await made('POST', `/team/worst-${teams}/runs`, {});
  await ann.until(team, ({ openQuestions }) => openQuestions === 1);
  const [ofTeam] = (await ann.call<{ id: string }[]>('GET', `/PipelineExecution/${team}/questions`)).body;
  const { path: exported } = (await ann.call<{ path: string }>('POST', '/account/export-link')).body;
  const lead = await made('POST', '/leads', { name: 'Ann', email: 'ann@example.com', consent: true });
  return {
    ...{ releasedTeam: 'default', teamId, team, slug: `worst-${teams}`, questionId: ofTeam?.id ?? '' },
    // Its settings are changed; other agents run the steps.
    agent: ann.agent('developer').id,
    ...{ command: agent, thought: agent, agentId: agent, small: small.id, pipeline, lead },
    ...{ execution, pipelineExecutionId: execution, question: question?.id ?? '', token },
    exportToken: new URL(exported, server.url).searchParams.get('token') ?? '',
    ...{ project: 'default', projectId: 'default', result: (await ann.history())[0]?.id ?? '', userId: ann.userId },
    waiting: await made('POST', '/PipelineExecution', { pipelineId: small.id, initialTask: 'Wait' }),
    given: await made('POST', '/agentcommand/execute-async', { agentId: agent, request: 'Begin' }),
    stepId: small.steps[0]?.id ?? '',
    ...{ toolServer: 'default', hook: 'default', telegram: 'default' },
    hookId: await made('POST', '/project/default/hooks', { url: toolUrl, events: ['published'] }),
    deliveryId: small.id,
    deviceId: await made('POST', '/push', { ...browser, name: 'A browser' }),
    ...{ trigger: 'default', key: 'a' },
    triggerId: await made('POST', '/project/default/triggers', triggerOf(teamId)),
    serverId: await made('POST', '/project/default/tool-servers', { name: 'kept', url: toolUrl }),
    // No tool: a server that is not reached has none.
    toolId: small.id,
    input: await madeSet(),
    apiKey: await made('POST', '/api-keys', { name: 'kept', scopes: ['read'] }),
    modelConnection: await made('POST', '/model-connections', { provider: 'compatible', address: modelUrl }),
  };
}

/** A trigger with the most rules and the longest texts. The team has one field. */
function largestTrigger(teamId: string) {
  const path = `${'x'.repeat(99)}.${'y'.repeat(100)}`;
  const filter = Array.from({ length: 8 }, () => ({ path, is: 'different', value: 'z'.repeat(500) }));
  return {
    ...triggerOf(teamId),
    name: 'x'.repeat(100),
    settings: { kind: 'webhook', scheme: 'standard', filter, fields: { topic: path } },
    budget: { span: 'day', tokens: 1_000_000, calls: 1_000, activeMs: 1_000_000, money: undefined },
  };
}

function triggerOf(teamId: string) {
  return { name: 'Worst', teamId, budget: { tokens: 1_000 }, settings: { kind: 'webhook' } };
}

const toolUrl = 'https://tools.example.com/mcp';
const browser = {
  endpoint: `https://push.example.com/${'x'.repeat(1_900)}`,
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};
const modelUrl = 'https://models.example.com/v1';

/** A set with a file, which calls without a body read. */
async function madeSet(): Promise<string> {
  const set = await made('POST', '/inputSet', { projectId: 'default' });
  await send('PUT', `/inputSet/${set}/file?path=a.txt`, Buffer.from('x'));
  return set;
}

const stepsOf = async (id: string) =>
  (await ann.call<{ steps: { id: string }[] }>('GET', `/Pipeline/${id}`)).body.steps.map((step) => step.id);

function pathOf(name: RouteName, ids: Ids): string {
  const route: Route = routes[name];
  const own: Partial<Record<RouteName, string | undefined>> = {
    'execution.update': ids.waiting,
    'execution.addContext': ids.waiting,
    'execution.setHolds': ids.waiting,
    'question.ofExecution': ids.execution,
    'execution.byPipeline': ids.small,
    'execution.readiness': ids.pipeline,
    'command.status': ids.given,
    'command.cancel': ids.given,
    'thought.followProject': 'default',
    'thought.ofProject': 'default',
    'thought.followUser': ids.userId,
    'thought.ofUser': ids.userId,
  };
  const words: Ids = {
    version: '1',
    status: '1',
    type: '1',
    priority: '1',
    source: 'landing',
    role: 'Assistant',
    specialization: 'x'.repeat(100),
  };
  return route.path.replace(
    /\{(\w+)\}/g,
    (_, key: string) => (key === 'id' ? (own[name] ?? ids[route.tag]) : (ids[key] ?? words[key])) ?? key,
  );
}

/** Other statuses than success for a body that was read completely: it names what does not exist. */
const otherStatuses: Partial<Record<RouteName, number>> = {
  'auth.login': 401,
  'auth.refresh': 401,
  'auth.resetPassword': 400,
  'auth.verifyEmail': 400,
  // No set to copy.
  'input.create': 404,
  // No address of a repository.
  'input.addRepository': 422,
  'project.putGitTarget': 422,
  // The project has no repository.
  'execution.publish': 422,
  'execution.followUp': 422,
  // No account has as many agents.
  'agent.setModels': 404,
  // A project is named by its id.
  'agent.removeUnused': 404,
  // One version alone.
  'project.compareVersions': 400,
  // No check has this name.
  'teamVersion.restore': 409,
  // Nothing was executed.
  'execution.testLog': 404,
  // Its server takes a key.
  'toolServer.endSignIn': 422,
  'toolServer.setPolicy': 404,
  'toolServer.accept': 404,
  'toolServer.putAgentTools': 404,
  // No chat is bound.
  'telegram.update': 422,
  // Values that the question does not ask for.
  'question.answer': 400,
  'questionLink.answer': 400,
  'team.answer': 400,
};

/** A form of as many fields as a team can have, with as many choices. */
const largestForm = {
  ...{ title: 'x'.repeat(200), task: 'x'.repeat(20_000), atOnce: 100 },
  input: Array.from({ length: 8 }, (_, at) => ({
    ...{ kind: 'choice', name: `field${at}`, title: 'x'.repeat(100) },
    choices: Array.from({ length: 50 }, (_, choice) => `${choice}`.padEnd(200, 'x')),
  })),
};

/** Steps and links of the longest lists: each step leads to the four after it. */
function largestGraph(agentId: string, length = maxSteps) {
  const steps = Array.from({ length }, (_, at) => ({ name: 'x'.repeat(200), nodeId: `n${at}`, agentId }));
  const links = steps.flatMap((_, at) =>
    [1, 2, 3, 4].filter((by) => at + by < length).map((by) => ({ id: `${at}-${by}`, from: `n${at}`, to: `n${at + by}` })),
  );
  return { steps, links, groups: [], maxParallel: 16 };
}

/** As many agents as one call makes, with as many words as it takes. */
const largestAgents = Array.from({ length: maxAgentsAtOnce }, () => ({
  ...{ name: 'x'.repeat(120), title: 'x'.repeat(200), role: 'x'.repeat(100), description: 'x'.repeat(2_500) },
  skills: Array.from({ length: 50 }, () => 'x'.repeat(15)),
}));

/** Holds of as many links as one run can have. */
const maxHolds = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`link-${at}`, 'always']));

test('R19.01 every route takes its largest bodies without delays for another user', async () => {
  const ids = await prepare();
  const { agent = '', agentId = '', small } = ids;
  const slow: unknown[] = [];
  const refused: unknown[] = [];
  let count = 0;
  const judge = (name: string, expected: number, { status, text }: Answer) => {
    if (status !== expected) refused.push([name, status, text.slice(0, 300)]);
  };
  const largestConnection = {
    name: 'x'.repeat(60),
    address: modelUrl,
    projectId: undefined,
    folderId: undefined,
    apiKey: 'x'.repeat(4_000),
    headers: Array.from({ length: 20 }, (_, at) => ({ name: `X-${at}`, value: 'x'.repeat(4_000) })),
    extraBody: { note: 'x'.repeat(9_000) },
    defaultModel: 'x'.repeat(200),
  };
  const longestHosts = Array.from({ length: fetchHostsMaxCount }, (_, at) => `${at}.${`${'x'.repeat(60)}.`.repeat(3)}example.com`);
  const longestPaths = Array.from({ length: inputLimits.git.paths }, (_, at) => `${'x'.repeat(990)}/${at}`);
  const own: Partial<Record<RouteName, object>> = {
    'command.execute': { async: false },
    'agent.removeUnused': { projectId: agentId },
    'agent.createMany': { agents: largestAgents },
    'agent.postApiConfiguration': { folderId: 'x'.repeat(100), agentId: agent, connectionId: undefined, fallback: undefined },
    'agent.putApiConfiguration': { folderId: 'x'.repeat(100), connectionId: undefined, fallback: undefined },
    'modelConnection.create': { ...largestConnection, provider: 'compatible' },
    'modelConnection.update': largestConnection,
    'modelConnection.test': { model: 'x'.repeat(200), effort: undefined },
    'modelConnection.use': { agentIds: [agent], model: 'x'.repeat(200), isPreview: true },
    // A graph that can run: others are refused before anything is stored.
    'pipeline.create': { ...largestGraph(agentId), canvasVersion: undefined, configuration: 'x'.repeat(1_000_000) },
    'pipeline.update': { ...largestGraph(agentId, maxSteps - 10), id: undefined, configuration: 'x'.repeat(1_000_000) },
    'execution.start': {
      executionId: undefined,
      inputSetId: undefined,
      teamVersionId: undefined,
      budget: undefined,
      holds: { links: maxHolds },
    },
    'execution.create': { inputSetId: undefined, teamVersionId: undefined, budget: undefined, holds: { links: maxHolds } },
    'execution.fork': {
      ...{
        pipelineId: undefined,
        model: undefined,
        budget: undefined,
        continues: undefined,
        dryRun: true,
        from: { stepId: ids.stepId, round: 0, item: 0 },
      },
      edits: [{ stepId: ids.stepId, round: 0, item: 0, result: 'x'.repeat(100_000) }],
    },
    'budget.put': { scope: 'user', span: 'day', projectId: undefined, executionId: undefined, money: undefined },
    'toolServer.update': { name: undefined, url: toolUrl, auth: { kind: 'key', header: 'X-Key', key: 'x'.repeat(4_000) } },
    'toolServer.accept': { hash: 'a'.repeat(64) },
    'toolServer.putAgentTools': { toolIds: [small ?? ''] },
    'pipeline.addStep': { settings: { firstWins: true } },
    'pipeline.updateStep': { settings: { firstWins: true } },
    'execution.setHolds': { links: maxHolds },
    'project.update': { fetchHosts: longestHosts },
    'project.putGitTarget': { paths: longestPaths, baseBranch: 'b'.repeat(250) },
    'input.addRepository': { paths: longestPaths },
    'execution.publish': { branch: 'x'.repeat(250), base: 'x'.repeat(250) },
    'releasedTeam.release': { ...largestForm, canvasVersion: undefined, budget: undefined },
    'releasedTeam.releaseNext': { release: 1, pipelineId: undefined },
    'apiKey.create': { budget: null },
    'hook.create': { url: toolUrl },
    'hook.update': { url: toolUrl },
    'push.add': browser,
    'trigger.create': largestTrigger(ids.teamId ?? ''),
    'trigger.update': { ...largestTrigger(ids.teamId ?? ''), isOn: undefined },
    // The largest text is JSON itself, whose quotes are escaped.
    'trigger.try': { body: JSON.stringify({ text: 'x'.repeat(1_000_000) }) },
    'telegram.update': { quiet: { from: 22, to: 8, timeZone: 'UTC' } },
    'releasedTeam.update': {
      ...largestForm,
      slug: undefined,
      input: [{ kind: 'text', name: 'topic', isOptional: true }],
      budget: undefined,
    },
    'team.start': { input: { topic: 'x'.repeat(50_000) }, git: undefined },
  };
  // The account is needed afterwards.
  const endsAccount = (name: RouteName) => name === 'auth.logout' || name === 'account.delete';
  const taking = (Object.entries(routes) as [RouteName, Route][]).filter(
    ([name, route]) => route.body && !route.takes && !endsAccount(name) && !name.endsWith('Canvas'),
  );
  for (const [name, route] of sampleOf(taking, { some: 12 })) {
    for (const shape of ['entries', 'texts'] satisfies Shape[]) {
      const numbered = { status: 1, resultStatus: 1, priority: 1, type: 1, resultType: 1 };
      const fields = {
        ...{ pipelineId: small, projectId: 'default', agentId, pipelineExecutionId: ids.execution },
        stepIds: (await stepsOf(ids.pipeline ?? '')).toReversed(),
        ...{ stepId: undefined, executionId: undefined, currentPassword: password, newPassword: password },
        ...(/setStatus$|^result|^lead/.test(name) && numbered),
        ...own[name],
        ...(name === 'toolServer.create' && {
          ...{ name: shape, url: toolUrl, auth: { kind: 'key', header: 'X-Key', key: 'x'.repeat(4_000) } },
        }),
        ...(name === 'command.openai' && {
          role: 'user',
          model: undefined,
          metadata: undefined,
          ...(shape === 'entries' && { content: 'x' }),
        }),
        ...(name === 'auth.register' && { password }),
        ...(name === 'releasedTeam.release' && { slug: `largest-${shape}` }),
      };
      const answer = await beside(slow, `${name} ${shape}`, () => {
        count += 1;
        const body = largestBody(route.body as z.ZodType, route.bodyLimits ?? usualBody, shape, {
          ...fields,
          email: `ann-${count}@example.com`,
        });
        return send(route.method, pathOf(name, ids), body);
      });
      judge(`${name} ${shape}`, otherStatuses[name] ?? route.status, answer);
    }
  }
  expect(refused).toEqual([]);
  expect(slow).toEqual([]);
  expect(await memoryBytes()).toBeLessThan(memoryBefore + maxGrowthBytes);
});

test('R31.01 a canvas takes bodies with the most records without delays for another user', async () => {
  const slow: unknown[] = [];
  const statuses: number[] = [];
  const path = '/project/default/canvas';
  const version = async () => (await ann.call<{ version: number }>('GET', path)).body.version;
  const removals = Array.from({ length: canvasBody.entries }, (_, index) => ({ op: 'remove', collection: 'nodes', id: `k${index}` }));
  const canvas = largeCanvas(20_000, 0);
  const sets = Object.entries(canvas.nodes).map(([id, value]) => ({ op: 'set', collection: 'nodes', id, value }));
  for (const [method, change] of [
    ['PUT', canvas],
    ['PATCH', { patches: sets }],
    ['PATCH', { patches: removals }],
  ] as const) {
    const { status } = await beside(slow, method, async () => send(method, path, { baseVersion: await version(), ...change }));
    statuses.push(status);
  }
  await beside(slow, 'GET', () => send('GET', path));
  await send('PUT', path, { baseVersion: await version(), nodes: {}, connections: {} });
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(slow).toEqual([]);
});

/** Runs the agents on a task, and reads every result of the run. */
async function runAndRead(agents: string[], task: string): Promise<string> {
  const { id } = await ann.start(await ann.pipeline(...agents), task);
  const { status } = await ann.until(id, ({ status: now }) => now === 'completed' || now === 'failed');
  for (const of of ['files', 'pull-request', 'patch', 'archive', 'logs', 'details', 'memory'])
    await send('GET', `/PipelineExecution/${id}/${of}`);
  await send('GET', '/ProjectResultHistory/project/default/search?q=x');
  return status;
}

test('R42.01 R46.01 the longest answers are read without delays for another user', async () => {
  const slow: unknown[] = [];
  const ends: unknown[] = [];
  for (const [name, text] of sampleOf(Object.entries(worstAnswers), { some: 5 })) {
    models.answer({ kind: 'json', text });
    const status = await beside(slow, name, () => runAndRead(['team-lead'], name));
    if (status !== 'completed') ends.push([name, status]);
  }
  expect(ends).toEqual([]);
  expect(slow).toEqual([]);
});

test('R25.01 the most costly model streams are read without delays for another user', async () => {
  const slow: unknown[] = [];
  for (const [name, body] of sampleOf(Object.entries(worstStreams), { some: 2 })) {
    models.answer({ kind: 'raw', body });
    await beside(slow, name, () => runAndRead(['assistant'], 'Begin'));
  }
  expect(slow).toEqual([]);
});

test('R25.01 the simulated model reads the longest tasks without delays for another user', async () => {
  const slow: unknown[] = [];
  const { id } = ann.agent('qa');
  await ann.call('PUT', `/nuroagent/${id}/api-configuration`, { providerType: 'simulated', model: 'simulated' });
  const tasks = ['`', '# ', ' ', 'слово-', 'а.', '\u2028', '|> '].map((piece) => `x${piece.repeat(Math.floor(99_000 / piece.length))}x`);
  const ends = await beside(slow, 'tasks', () => Promise.all(tasks.map((task) => runAndRead(['qa'], task))));
  expect(new Set(ends)).toEqual(new Set(['completed']));
  expect(slow).toEqual([]);
});

/** A hundred files in which every other line differs from `round` to `round`. */
function manyFiles(round: number): string {
  const lines = Array.from({ length: 1_500 }, (_, index) => (index % 2 === 0 ? `${round}${index}` : 'same')).join('\n');
  return Array.from({ length: 100 }, (_, index) => `\`\`\`txt path=file-${index}.txt\n${lines}\n\`\`\`\n`).join('');
}

/** One file of the maximum length, with the shortest lines. */
const manyLines = (round: number) => `\`\`\`txt path=lines.txt\n${`${round}\n`.repeat(128_000)}\`\`\`\n`;

test('R42.01 files that differ everywhere are compared and packed without delays for another user', async () => {
  const pipeline = await ann.pipeline('assistant');
  const slow: unknown[] = [];
  for (const [name, answerOf] of Object.entries({ manyFiles, manyLines })) {
    let last = '';
    for (const round of [1, 2]) {
      models.answer({ kind: 'json', text: answerOf(round) });
      last = (await ann.start(pipeline, 'Write')).id;
      await ann.until(last, ({ status }) => status === 'completed');
    }
    const files = ['pull-request', 'patch', 'archive', 'files/comparison?path=file-1.txt', 'files/comparison?path=lines.txt'];
    const answers = await beside(slow, name, () => Promise.all(files.map((of) => send('GET', `/PipelineExecution/${last}/${of}`))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 404]);
  }
  expect(slow).toEqual([]);
});

/** Queries that a route requires, and long ones. */
const queries: Partial<Record<RouteName, (ids: Ids) => Record<string, string>>> = {
  'account.export': ({ exportToken = '' }) => ({ token: exportToken }),
  'lead.byDate': () => ({ startDate: '2020-01-01', endDate: '2030-01-01' }),
  'agent.withContextAccess': () => ({ level: '0' }),
  'agent.canDelegate': ({ agent = '' }) => ({ sourceAgentId: agent, targetAgentId: agent }),
  'execution.fileContent': () => ({ path: 'a.txt' }),
  'execution.fileComparison': () => ({ path: 'a.txt' }),
  'execution.compare': ({ execution = '' }) => ({ left: execution, right: execution }),
  'project.compareVersions': () => ({ left: '1', right: '1' }),
  'trigger.preview': () => ({ cron: '* * * * *', zone: 'Europe/Moscow' }),
  'teamVersion.list': () => ({ limit: '100' }),
  'agent.changes': () => ({ limit: '20' }),
  'input.fileText': () => ({ path: 'a.txt' }),
  'input.removeFile': () => ({ path: 'a.txt' }),
  'result.search': () => ({ q: '%_\\x'.repeat(50), tags: 'x,'.repeat(250), limit: '200' }),
};

test('R19.01 every list and every other call without a body is answered without delays for another user', async () => {
  const ids = await prepare();
  const slow: unknown[] = [];
  const failed: unknown[] = [];
  const bare = (Object.entries(routes) as [RouteName, Route][]).filter(([, route]) => !route.body);
  /** A new link ends the one before. */
  const isRemoval = ([name, { method }]: [RouteName, Route]) => method === 'DELETE' || name === 'question.createLink';
  for (const [name, route] of sampleOf([...bare.filter((one) => !isRemoval(one)), ...bare.filter(isRemoval)], { some: 24 })) {
    const hasLimit = 'limit' in (route.query?.shape ?? {});
    const query = new URLSearchParams(queries[name]?.(ids) ?? (hasLimit ? { limit: '200' } : {}));
    const { status, text } = await beside(slow, name, () => send(route.method, `${pathOf(name, ids)}?${query}`));
    // Removals, and changes of ended records, may be refused.
    if (route.method === 'GET' ? status !== (otherStatuses[name] ?? route.status) : status === 0 || status >= 500)
      failed.push([name, status, text.slice(0, 300)]);
  }
  expect(failed).toEqual([]);
  expect(slow).toEqual([]);
  expect(await memoryBytes()).toBeLessThan(memoryBefore + maxGrowthBytes);
});

test('P6.01 no header within the size limit delays another user', async () => {
  const slow: unknown[] = [];
  const failed: unknown[] = [];
  const page = await (await fetch(`${server.url}/`)).text();
  const script = /\/assets\/[\w.-]+\.js/.exec(page)?.[0] ?? '/boot.js';
  const call = async (name: string, value: string, path: string) => {
    const method = path.endsWith('login') ? 'POST' : 'GET';
    const response = await fetch(`${server.url}${path}`, { method, headers: { [name]: value }, ...(method === 'POST' && { body: '{}' }) });
    await response.arrayBuffer();
    return response.status;
  };
  for (const [name, values] of sampleOf(Object.entries(worstHeaders), { some: 4 })) {
    const calls = values.flatMap((value) =>
      ['/', script, '/api/health', '/api/project', '/api/auth/login'].map((path) => [value, path] as const),
    );
    const statuses = await beside(slow, name, () =>
      Promise.all([...calls, ...calls, ...calls].map(([value, path]) => call(name, value, path))),
    );
    if (statuses.some((status) => status >= 500)) failed.push([name, statuses]);
  }
  expect(failed).toEqual([]);
  expect(slow).toEqual([]);
});

test('W7.08 no message of a socket delays another user', async () => {
  const slow: unknown[] = [];
  const frame = 64 * 1024 - 100;
  const entries = Array.from({ length: 1_000 }, (_, index) => `"${index}${'x'.repeat(40)}":0`).join();
  const messages = {
    'many executions': `{"type":"since","since":{${entries}}}`,
    'a long token': `{"type":"token","accessToken":"${'e30.'.repeat(1_000)}"}`,
    'a token of escapes': `{"type":"token","accessToken":"${'\\u0041'.repeat(frame / 6 - 20)}"}`,
    lists: '['.repeat(frame / 2) + ']'.repeat(frame / 2),
    values: `[${'0,'.repeat(frame / 2 - 2)}0]`,
    keys: `{${Array.from({ length: 6_000 }, (_, index) => `"${index}":0`).join()}}`,
    'no JSON': '{'.repeat(frame),
    texts: '{"type":"texts"}',
  };
  for (const [name, message] of sampleOf(Object.entries(messages), { some: 4 })) {
    await beside(slow, name, async () => {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/natsws?token=${ann.accessToken}`);
      await once(socket, 'open');
      const closed = closeCode(socket);
      for (let count = 0; count < 40; count += 1) socket.send(message);
      socket.close();
      // What the messages have begun may delay others after their end.
      await Promise.all([closed, wait(500)]);
    });
  }
  expect(slow).toEqual([]);
});

test('R42.01 the longest reports of a tester are read within a moment', () => {
  const reports = {
    ...worstAnswers,
    rows: `| step | status |\n|-|-|\n${'| a | ok |\n'.repeat(90_000)}`,
    cells: `| step | status |\n|-|-|\n|${'|'.repeat(900_000)}`,
    escapes: `| step | status |\n|-|-|\n|${'\\|'.repeat(450_000)}`,
    items: '- [x] a\n'.repeat(120_000),
    'one wrapped item': `# Findings\n- [x] a\n${'b\n'.repeat(450_000)}`,
    'a verdict of words': `- PASS ${'0 failed no errors '.repeat(50_000)}`,
    'a verdict of spaces': `- [x] ${'no '.repeat(300_000)}`,
    numbers: '1'.repeat(900_000),
  };
  const slow = Object.entries(reports).flatMap(([name, text]) => {
    const timed = () => {
      const begun = performance.now();
      testReport(text);
      return performance.now() - begun;
    };
    return Array.from({ length: maxTries }).every(() => timed() >= 300 * timesSlower()) ? [name] : [];
  });
  expect(slow).toEqual([]);
});

test('G3.16 the largest files of a run, many of one account at once, are taken without delays for another user', async () => {
  const slow: unknown[] = [];
  const largest = Buffer.alloc(fileBody.bytes, 'строка; 1\n');
  const words = Array.from({ length: 40_000 }, (_, at) => `${at * 7919} word ${at}`).join('\n');
  const archive = Buffer.from(
    zipSync(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.txt`, strToU8(words)])), { level: 1 }),
  );
  const pdf = endlessPdf();
  const setsAtOnce = amountOf({ some: 2, whole: 10 });
  const statuses = await beside(slow, 'files', async () => {
    const sets = await Promise.all(Array.from({ length: setsAtOnce }, () => made('POST', '/inputSet', { projectId: 'default' })));
    const of = async (set: string, at: number) => {
      const found: number[] = [];
      for (let file = 0; file < 9; file += 1) found.push((await send('PUT', `/inputSet/${set}/file?path=${file}.txt`, largest)).status);
      found.push((await send('POST', `/inputSet/${set}/archive`, archive)).status);
      if (at < 3) found.push((await send('PUT', `/inputSet/${set}/file?path=a.pdf`, pdf)).status);
      return found;
    };
    return new Set((await Promise.all(sets.map(of))).flat());
  });
  expect([...statuses].filter((status) => ![200, 422, 429, 503].includes(status))).toEqual([]);
  expect(statuses.has(200)).toBe(true);
  expect(slow).toEqual([]);
  expect(await memoryBytes()).toBeLessThan(memoryBefore + maxGrowthBytes);
});
