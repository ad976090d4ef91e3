import { type Agent, type ApiConfiguration, withoutServer } from '../agent.ts';
import type { AgentRelationship } from '../agent-relationship.ts';
import type { Command, CommandState } from '../command.ts';
import type { Execution, StepRun } from '../executions/execution.ts';
import type { ExecutionFile } from '../executions/file.ts';
import type { Pipeline } from '../executions/pipeline.ts';
import type { ResultItem } from '../executions/result.ts';
import type { Thought } from '../executions/thought.ts';
import type { Lead } from '../lead.ts';
import type { Project } from '../project.ts';

/** Ids that the examples share, so that a reader can follow one project through all operations. */
export const sampleIds = {
  user: '019a2f10-0000-7000-8000-000000000001',
  project: '019a2f10-0000-7000-8000-000000000002',
  agent: '019a2f10-0000-7000-8000-000000000003',
  otherAgent: '019a2f10-0000-7000-8000-000000000004',
  pipeline: '019a2f10-0000-7000-8000-000000000005',
  step: '019a2f10-0000-7000-8000-000000000006',
  otherStep: '019a2f10-0000-7000-8000-000000000007',
  execution: '019a2f10-0000-7000-8000-000000000008',
  secondExecution: '019a2f10-0000-7000-8000-000000000018',
  result: '019a2f10-0000-7000-8000-000000000009',
  command: '019a2f10-0000-7000-8000-00000000000a',
  thought: '019a2f10-0000-7000-8000-00000000000b',
  lead: '019a2f10-0000-7000-8000-00000000000c',
  comment: '019a2f10-0000-7000-8000-00000000000d',
  relationship: '019a2f10-0000-7000-8000-00000000000e',
  deadLetter: '019a2f10-0000-7000-8000-00000000000f',
  question: '019a2f10-0000-7000-8000-000000000010',
  inputSet: '019a2f10-0000-7000-8000-000000000011',
  toolServer: '019a2f10-0000-7000-8000-000000000012',
  serverTool: '019a2f10-0000-7000-8000-000000000013',
  modelConnection: '019a2f10-0000-7000-8000-000000000015',
  budget: '019a2f10-0000-7000-8000-000000000014',
  hook: '019a2f10-0000-7000-8000-000000000016',
  delivery: '019a2f10-0000-7000-8000-000000000017',
  trigger: '019a2f10-0000-7000-8000-00000000001a',
  releasedTeam: '019a2f10-0000-7000-8000-000000000018',
  teamVersion: '019a2f10-0000-7000-8000-000000000019',
} as const;

export const sampleTimes = {
  created: '2026-01-15T09:00:00.000Z',
  started: '2026-01-15T09:30:00.000Z',
  completed: '2026-01-15T09:30:08.000Z',
} as const;

const created = { createdAt: sampleTimes.created, updatedAt: sampleTimes.created } as const;
const ended = { createdAt: sampleTimes.started, updatedAt: sampleTimes.completed } as const;
const { started: startedAt, completed: completedAt } = sampleTimes;

export const sampleUser = { id: sampleIds.user, email: 'ada@example.com', name: 'Ada', language: 'en' } as const;

export const sampleSession = { accessToken: 'eyJhbGciOiJIUzI1NiJ9.…', refreshToken: 'd2hhdCBhIHJlZnJlc2ggdG9rZW4…', user: sampleUser };

export const sampleProject: Project = {
  id: sampleIds.project,
  ...created,
  name: 'Shop',
  description: 'The online shop and its catalogue.',
  status: 'active',
  isDemo: false,
  userId: sampleIds.user,
};

export const sampleApiConfiguration: ApiConfiguration = {
  providerType: 'openai',
  model: 'gpt-4',
  temperature: 0.7,
  maxTokens: 4_000,
  ...withoutServer,
  hasKey: true,
  keyLast4: 'x9Qa',
};

export const sampleAgent: Agent = {
  id: sampleIds.agent,
  ...created,
  name: 'developer',
  title: 'Developer',
  description: 'Writes the code.',
  role: 'Developer',
  status: 1,
  contextAccessLevel: 3,
  specialization: 'TypeScript',
  skills: ['TypeScript', 'SQL'],
  priority: 5,
  iconType: 'code',
  configuration: { systemPrompt: 'You are a careful developer.', plan: '' },
  apiConfiguration: sampleApiConfiguration,
  userId: sampleIds.user,
};

export const sampleRelationship: AgentRelationship = {
  id: sampleIds.relationship,
  ...created,
  sourceAgentId: sampleIds.agent,
  targetAgentId: sampleIds.otherAgent,
  relationshipType: 'delegates-to',
  description: 'Hands finished code over for testing.',
};

export const samplePipelineStep: Pipeline['steps'][number] = {
  id: sampleIds.step,
  name: 'Developer',
  description: '',
  orderIndex: 0,
  agentId: sampleIds.agent,
  nodeId: 'node-developer',
  timeoutSeconds: 1_800,
  type: 1,
};

export const samplePipeline: Pipeline = {
  id: sampleIds.pipeline,
  ...created,
  name: 'Quick fix',
  description: '',
  projectId: sampleIds.project,
  steps: [samplePipelineStep],
  configuration: '{"connections":[],"flowType":"sequential"}',
  status: 'ready',
  maxExecutionTimeSeconds: 3_600,
  isDemo: false,
};

export const sampleExecution: Execution = {
  id: sampleIds.execution,
  ...ended,
  pipelineId: sampleIds.pipeline,
  projectId: sampleIds.project,
  status: 'completed',
  held: false,
  pauseRequested: false,
  initialTask: 'Add a filter by price to the catalogue.',
  dialogNodeId: 'node-dialog',
  result: 'The filter is in `src/filter.ts`.',
  error: null,
  progress: 100,
  priority: 5,
  timeoutSeconds: 3_600,
  pauseBetweenStepsMs: 1_000,
  startedAt,
  completedAt,
  failedAt: null,
  lastSeq: 4,
};

/** The same execution after a call that starts or resumes it. */
export const runningExecution: Execution = {
  ...sampleExecution,
  status: 'running',
  result: null,
  progress: 0,
  updatedAt: startedAt,
  completedAt: null,
  lastSeq: 2,
};

/** The same execution before its start. */
export const notStartedExecution: Execution = { ...runningExecution, status: 'pending', held: true, startedAt: null, lastSeq: 0 };

export const sampleStepRun: StepRun = {
  stepId: sampleIds.step,
  orderIndex: 0,
  name: 'Developer',
  agentId: sampleIds.agent,
  nodeId: 'node-developer',
  role: 'Developer',
  status: 'completed',
  attempts: 1,
  startedAt,
  completedAt,
  durationMs: 8_000,
  provider: 'openai',
  model: 'gpt-4',
  simulated: false,
  usage: { promptTokens: 420, completionTokens: 180, totalTokens: 600 },
  result: 'The filter is in `src/filter.ts`.',
  error: null,
};

export const sampleFile: ExecutionFile = {
  path: 'src/filter.ts',
  change: 'added',
  from: null,
  similarity: null,
  executable: null,
  isBinary: false,
  size: 52,
  language: 'ts',
  stepId: sampleIds.step,
  stepName: 'Developer',
  orderIndex: 0,
  agentId: sampleIds.agent,
  agentTitle: 'Developer',
  role: 'Developer',
  simulated: false,
  versions: 1,
  hasPrevious: false,
  createdAt: completedAt,
};

export const sampleCommandState: CommandState = {
  id: sampleIds.command,
  ...ended,
  commandId: sampleIds.command,
  agentId: sampleIds.agent,
  projectId: sampleIds.project,
  executionId: null,
  stepId: null,
  kind: 'execute',
  status: 'completed',
  result: 'Use an index on `price`.',
  response: 'Use an index on `price`.',
  error: null,
  progress: 100,
  executionTimeMs: 8_000,
  provider: 'openai',
  model: 'gpt-4',
  simulated: false,
  usage: { promptTokens: 60, completionTokens: 12, totalTokens: 72 },
  attempts: 1,
  startedAt,
  completedAt,
};

/** The same command before an agent has begun with it. */
export const pendingCommandState: CommandState = {
  ...sampleCommandState,
  updatedAt: startedAt,
  status: 'pending',
  result: null,
  response: null,
  progress: 0,
  executionTimeMs: null,
  provider: null,
  model: null,
  usage: null,
  attempts: 0,
  startedAt: null,
  completedAt: null,
};

const { response: _, ...listedState } = sampleCommandState;

export const sampleCommand: Command = {
  ...listedState,
  request: 'How do I make the price filter fast?',
  timestamp: startedAt,
  initialTask: null,
  task: null,
  parameters: {},
  data: null,
};

export const sampleThought: Thought = {
  id: sampleIds.thought,
  agentId: sampleIds.agent,
  projectId: sampleIds.project,
  executionId: sampleIds.execution,
  stepId: sampleIds.step,
  content: 'The catalogue needs an index first.',
  createdAt: startedAt,
  updatedAt: startedAt,
};

export const sampleLead: Lead = {
  id: sampleIds.lead,
  ...created,
  name: 'Grace',
  email: 'grace@example.com',
  company: 'Example Ltd',
  role: 'CTO',
  comment: 'We are a team of twelve.',
  consent: true,
  status: 'new',
  source: 'landing',
  priority: 'normal',
};

export const sampleResult: ResultItem = {
  id: sampleIds.result,
  ...ended,
  projectId: sampleIds.project,
  pipelineExecutionId: sampleIds.execution,
  userId: sampleIds.user,
  userRequest: 'Add a filter by price to the catalogue.',
  finalResult: 'The filter is in `src/filter.ts`.',
  summary: 'A price filter was added.',
  type: 2,
  status: 2,
  metadata: '{"dialogType":"user","agentName":"Developer"}',
  tags: 'dialog',
  agentsCount: 1,
  stepsCount: 1,
};
