import type { z } from 'zod';
import { profile, session, user } from '../account.ts';
import { agent, apiConfiguration } from '../agent.ts';
import { agentRelationship } from '../agent-relationship.ts';
import { apiKey, keyRun } from '../api-key.ts';
import { budget } from '../budget.ts';
import { canvasMark, versionGroup } from '../canvas-version.ts';
import { command, commandState } from '../command.ts';
import { deadLetter } from '../executions/dead-letter.ts';
import { execution, stepRun } from '../executions/execution.ts';
import { executionFile } from '../executions/file.ts';
import { pipeline, pipelineStep } from '../executions/pipeline.ts';
import { gitTarget, publication } from '../executions/publishing.ts';
import { question } from '../executions/question.ts';
import { resultItem } from '../executions/result.ts';
import { thought } from '../executions/thought.ts';
import { toolCall } from '../executions/tool-call.ts';
import { hookDelivery, hookEvents, hookOut } from '../hook.ts';
import { inputFile, inputSet } from '../input.ts';
import { lead, leadComment } from '../lead.ts';
import { connectionModel, connectionModels, connectionTest, modelConnection } from '../model-connection.ts';
import { project } from '../project.ts';
import { pushDevice } from '../push.ts';
import { callableTeam, inputJsonSchemaOf, releasedTeam, teamRun } from '../released-team.ts';
import { runnerState } from '../runner.ts';
import { teamVersionItem } from '../team-version.ts';
import { telegramState } from '../telegram.ts';
import { serverTool, toolDefinition, toolServer } from '../tool-server.ts';
import { fire, trigger } from '../trigger.ts';
import type { Part } from './operation.ts';
import { type RecordSample, sampleOf } from './sample-of.ts';

const names = [
  ...(['user', 'project', 'agent', 'otherAgent', 'pipeline', 'step', 'otherStep', 'execution', 'result', 'command', 'thought'] as const),
  ...(['lead', 'comment', 'relationship', 'deadLetter', 'question', 'input', 'toolServer', 'tool', 'budget', 'modelConnection'] as const),
  ...(['hook', 'delivery', 'team', 'teamVersion', 'trigger', 'event', 'secondExecution', 'device', 'apiKey'] as const),
];

/** Ids that the examples share, so that a reader can follow one project through all operations. */
export const ids = Object.fromEntries(
  names.map((name, at) => [name, `019a2f10-0000-7000-8000-${String(at + 1).padStart(12, '0')}`]),
) as Readonly<Record<(typeof names)[number], string>>;

export const times = { created: '2026-01-15T09:00:00.000Z', started: '2026-01-15T09:30:00.000Z', completed: '2026-01-15T09:30:08.000Z' };

const { started: startedAt, completed: completedAt } = times;
const task = 'Add a filter by price to the catalogue.';
const result = 'The filter is in `src/filter.ts`.';
const hash = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const fireAt = '2026-01-15T06:00:00.000Z';
export const runAddress = `https://artel.example/api/team/release-notes/runs/${ids.execution}`;

export const developerNode = { id: 'node-developer', type: 'agent', title: 'Developer', x: 400, y: 40, serverAgentId: ids.agent } as const;
export const link = { id: 'link-1', from: { agentId: 'node-dialog', port: 'out' }, to: { agentId: 'node-developer', port: 'in' } } as const;

/** Samples of fields by their names, for objects that are no record. */
export const fields = {
  ...Object.fromEntries(Object.entries(ids).map(([name, id]) => [`${name}Id`, id])),
  sourceAgentId: ids.agent,
  targetAgentId: ids.otherAgent,
  agentIds: [ids.agent, ids.otherAgent],
  toolIds: [ids.tool],
  pipelineExecutionId: ids.execution,
  workId: ids.execution,
  runId: ids.execution,
  authorId: ids.user,
  serverId: ids.toolServer,
  timestamp: completedAt,
  dueAt: '2026-02-14T09:00:00.000Z',
  expiresAt: '2026-02-14T09:00:00.000Z',
  createdAt: times.created,
  updatedAt: times.created,
  startedAt,
  completedAt,
  lastActivity: completedAt,
  author: { id: ids.user, name: 'Ann' },
  email: 'ada@example.com',
  password: 'correct horse battery',
  currentPassword: 'correct horse battery',
  newPassword: 'staple under the moon',
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.…',
  refreshToken: 'd2hhdCBhIHJlZnJlc2ggdG9rZW4…',
  token: 'q8Zt3kVb1mXs7yWc5dRf9gHj2lNp4oQa6uEi0vTx_B-',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  slug: 'release-notes',
  version: 8,
  seen: 'fn9wdYpYyRNcAnRhKIoA5wZ2yDqCIEr2gu5zTYl5Nyo',
  baseVersion: 7,
  canvasVersion: 12,
  releasedBy: 'Ada',
  baseBranch: 'main',
  nodes: { 'node-dialog': { id: 'node-dialog', type: 'dialog', title: 'Dialog', x: 0, y: 0 }, [developerNode.id]: developerNode },
  connections: { [link.id]: link },
  name: 'Developer',
  title: 'Developer',
  agentTitle: 'Developer',
  stepName: 'Developer',
  role: 'Developer',
  nodeId: developerNode.id,
  dialogNodeId: 'node-dialog',
  status: 'completed',
  progress: 100,
  attempts: 1,
  durationMs: 8_000,
  averageExecutionTime: 8_000,
  provider: 'openai',
  model: 'gpt-4',
  initialTask: task,
  task,
  request: 'How do I make the price filter fast?',
  result,
  text: result,
  path: 'src/filter.ts',
  diff: '--- /dev/null\n+++ b/src/filter.ts\n@@ -0,0 +1 @@\n+export const byPrice = (max) => (item) => item.price <= max;\n',
  url: 'https://git.example.com/ann/shop',
  branch: 'artel/filter-000000000008',
  base: 'main',
  ref: 'main',
  sha: 'fedcba9876543210fedcba9876543210fedcba98',
  currency: 'USD',
  costOfRun: { amounts: [{ currency: 'USD', micros: 40_000 }] },
  bus: { mode: 'embedded', connected: true },
  subject: `artel.user.${ids.user}`,
  webSocket: '/api/natsws',
};

export const records: RecordSample[] = [];

/** Adds the sample of a record: what is given, the samples of its fields, and the simplest values of all others. */
function record<S extends z.ZodObject>(schema: S, given: Part<z.output<S>>): z.output<S> {
  const sample = sampleOf(schema, given, { isSent: false, fields, records }) as z.output<S>;
  records.push([schema, sample]);
  return sample;
}

record(user, { id: ids.user, name: 'Ada', language: 'en' });
record(profile, { id: ids.user, name: 'Ada', emailVerified: true, language: 'en' });
record(session, {});
record(project, { id: ids.project, name: 'Shop', description: 'The online shop and its catalogue.', status: 'active' });
record(apiConfiguration, { temperature: 0.7, maxTokens: 4_000, hasKey: true, keyLast4: 'x9Qa' });
record(agent, {
  id: ids.agent,
  name: 'developer',
  title: 'Developer',
  description: 'Writes the code.',
  status: 1,
  contextAccessLevel: 3,
  specialization: 'TypeScript',
  skills: ['TypeScript', 'SQL'],
  priority: 5,
  iconType: 'code',
  configuration: { systemPrompt: 'You are a careful developer.', plan: '' },
});
record(agentRelationship, { id: ids.relationship, description: 'Hands finished code over for testing.' });
record(pipelineStep, { id: ids.step, description: '', timeoutSeconds: 1_800 });
record(pipeline, {
  id: ids.pipeline,
  name: 'Quick fix',
  description: '',
  configuration: '{}',
  status: 'ready',
  maxExecutionTimeSeconds: 3_600,
});
record(execution, {
  id: ids.execution,
  createdAt: startedAt,
  updatedAt: completedAt,
  priority: 5,
  timeoutSeconds: 3_600,
  pauseBetweenStepsMs: 1_000,
  lastSeq: 4,
});
record(stepRun, { usage: { promptTokens: 420, completionTokens: 180, totalTokens: 600 } });
record(executionFile, { change: 'added', size: 52, language: 'ts', versions: 1, createdAt: completedAt });
const { response: _, ...listedCommand } = record(commandState, {
  id: ids.command,
  createdAt: startedAt,
  updatedAt: completedAt,
  executionId: null,
  stepId: null,
  result: 'Use an index on `price`.',
  response: 'Use an index on `price`.',
  executionTimeMs: 8_000,
  usage: { promptTokens: 60, completionTokens: 12, totalTokens: 72 },
});
record(command, { ...listedCommand, timestamp: startedAt, initialTask: null, task: null, data: null });
record(thought, { id: ids.thought, content: 'The catalogue needs an index first.', createdAt: startedAt, updatedAt: startedAt });
record(lead, {
  id: ids.lead,
  name: 'Grace',
  email: 'grace@example.com',
  company: 'Example Ltd',
  role: 'CTO',
  comment: 'We are a team of twelve.',
  consent: true,
  source: 'landing',
  priority: 'normal',
});
record(leadComment, { id: ids.comment, text: 'Call on Monday.', createdAt: startedAt });
record(deadLetter, {
  id: ids.deadLetter,
  projectName: 'Shop',
  stepsDone: 1,
  stepsTotal: 3,
  reason: 'The worker stopped five times.',
  diedAt: completedAt,
});
record(resultItem, {
  id: ids.result,
  createdAt: startedAt,
  updatedAt: completedAt,
  userRequest: task,
  finalResult: result,
  summary: 'A price filter was added.',
  type: 2,
  status: 2,
  metadata: '{"dialogType":"user","agentName":"Developer"}',
  tags: 'dialog',
  agentsCount: 1,
  stepsCount: 1,
});
record(apiKey, { id: ids.apiKey, expiresAt: null, name: 'Nightly build', prefix: 'art_5kQ2', scopes: ['read', 'run'], projectId: null });
record(keyRun, { title: 'Release notes', from: '203.0.113.7', at: startedAt });
record(budget, {
  id: ids.budget,
  scope: 'project',
  span: 'day',
  money: { currency: 'USD', micros: 5_000_000 },
  tokens: 2_000_000,
  used: { micros: 1_240_000, tokens: 310_000, calls: 42, activeMs: 185_000, reservedMicros: 30_000, reservedTokens: 6_000 },
  extra: { micros: 0, tokens: 0, calls: 0, activeMs: 0 },
});
record(gitTarget, { prefix: 'artel/', forge: 'gitea', author: null, hasToken: true, tokenLast4: 'f00d' });
record(publication, {
  baseSha: '0123456789abcdef0123456789abcdef01234567',
  pullRequest: { url: 'https://git.example.com/ann/shop/pulls/1', number: 1 },
});
record(toolCall, {
  callId: 'call_1',
  tool: 'read_file',
  source: 'files',
  args: '{"path":"src/app.ts"}',
  state: 'done',
  result: 'export {};',
  ms: 4,
  createdAt: startedAt,
  endedAt: startedAt,
});
record(question, {
  id: ids.question,
  stepId: ids.otherStep,
  nodeId: 'node-approval',
  kind: 'person',
  title: 'Approval',
  waiting: ['Developer'],
  text: 'May this be shipped?',
  inputs: [{ id: 'budget', label: 'Budget', type: 'number' }],
  buttons: ['Ship', 'Change'],
  actions: ['answer', 'skip', 'stop'],
  linkIds: ['link-ship', 'link-change'],
  attempts: 0,
  whenDue: 'fail',
});
record(hookOut, { id: ids.hook, url: 'https://ci.example.com/artel', events: [...hookEvents] });
record(hookDelivery, { id: ids.delivery, createdAt: startedAt, status: 'delivered', attempt: 1, triedAt: startedAt, answerStatus: 204 });
record(pushDevice, {
  id: ids.device,
  name: 'Chrome 141, Android',
  events: [...hookEvents],
  addedAt: times.created,
  fingerprint: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
});
record(telegramState, {
  hasBot: true,
  chat: { name: '@anna', boundAt: times.created },
  events: [...hookEvents],
  urgent: ['question.opened'],
  quiet: { from: 22, to: 8, timeZone: 'Europe/Moscow' },
});
record(inputFile, { path: 'notes.txt', mime: 'text/plain', bytes: 5, sha256: hash, from: 'file' });
record(inputSet, { id: ids.input, count: 1, bytes: 5 });
record(connectionModel, { id: 'qwen3:32b', context: 40_960, tools: true });
record(connectionModels, { total: 1, at: startedAt });
record(connectionTest, { at: startedAt, model: 'qwen3:32b', text: true, streaming: true, tools: true, ms: 840 });
record(modelConnection, {
  id: ids.modelConnection,
  projectId: null,
  name: 'Our server',
  provider: 'compatible',
  address: 'https://models.example.com/v1',
  hasKey: true,
  keyLast4: 'f00d',
  headerNames: ['X-Team'],
  extraBody: { num_ctx: 32_768 },
  defaultModel: 'qwen3:32b',
  tested: null,
  modelCount: 1,
  modelsAt: startedAt,
  agents: 2,
});
record(canvasMark, { name: 'Before the review loop', note: 'Works with two reviewers.' });
record(versionGroup, {
  from: 5,
  changes: 3,
  since: times.created,
  at: completedAt,
  counts: { added: 1, changed: 2, moved: 4, linksAdded: 1 },
  titles: ['Developer'],
});
record(teamVersionItem, { id: ids.teamVersion, number: 3, canvasVersion: 8, name: 'Before the release', note: '', runs: 2 });
const { slug, title, input, address } = record(releasedTeam, {
  id: ids.team,
  slug: 'release-notes',
  title: 'Release notes',
  task: 'Write release notes for: {changes}',
  input: [
    { kind: 'text', name: 'changes', title: 'What has changed', isOptional: false },
    { kind: 'choice', name: 'tone', title: 'Tone', isOptional: true, choices: ['plain', 'cheerful'] },
  ],
  atOnce: 5,
  address: 'https://artel.example/api/team/release-notes',
});
record(callableTeam, { slug, title, input, address, schema: inputJsonSchemaOf(input) });
record(teamRun, {
  id: ids.execution,
  team: 'release-notes',
  createdAt: startedAt,
  startedAt: null,
  addresses: {
    run: runAddress,
    events: `${runAddress}/events`,
    result: `${runAddress}/result`,
    questions: `${runAddress}/questions`,
    page: `https://artel.example/test-project?projectId=${ids.project}`,
  },
});
record(runnerState, { mayConnect: true, local: { sandbox: 'bubblewrap', network: false } });
record(toolServer, {
  id: ids.toolServer,
  name: 'Tickets',
  url: 'https://tools.example.com/mcp',
  auth: { kind: 'key', header: 'Authorization' },
  hasKey: true,
  keyLast4: 'f00d',
  testedAt: startedAt,
  about: { name: 'tickets', version: '2.1.0' },
  tools: { pinned: 1 },
});
record(toolDefinition, {
  title: 'Find tickets',
  description: 'Returns tickets that contain the words.',
  schema: { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] },
  readOnly: true,
  idempotent: true,
  openWorld: true,
  tokens: 42,
  hash,
});
record(serverTool, {
  id: ids.tool,
  name: 'find_tickets',
  callName: 'tickets_find_tickets',
  policy: 'auto',
  policies: ['always', 'auto', 'ask', 'never'],
  pinnedAt: times.created,
});
record(fire, { key: fireAt, dueAt: fireAt, at: fireAt, run: { id: ids.execution } });
record(trigger, {
  id: ids.trigger,
  kind: 'schedule',
  name: 'Each morning',
  team: { id: ids.team, slug: 'digest', title: 'Digest' },
  settings: { kind: 'schedule', cron: '0 9 * * 1-5', zone: 'Europe/Moscow', input: { topic: 'News' } },
  missed: 'once',
  graceSeconds: 3_600,
  budget: {
    id: ids.budget,
    tokens: 500_000,
    atLimit: 'stop',
    warnAt: 80,
    span: 'day',
    used: { tokens: 12_000, calls: 6, activeMs: 40_000 },
  },
  nextAt: '2026-01-16T06:00:00.000Z',
});
