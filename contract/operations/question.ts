import type { LinkedQuestion, Question } from '../executions/question.ts';
import type { OperationDocs } from './operation.ts';
import { sampleExecution, sampleIds, sampleTimes } from './samples.ts';

const id = sampleIds.question;
const token = 'q8Zt3kVb1mXs7yWc5dRf9gHj2lNp4oQa6uEi0vTx_B-';

export const sampleQuestion = {
  id,
  executionId: sampleIds.execution,
  projectId: sampleIds.project,
  pipelineId: sampleIds.pipeline,
  stepId: sampleIds.otherStep,
  nodeId: 'node-approval',
  round: 0,
  item: 0,
  kind: 'person',
  reason: 'card',
  title: 'Approval',
  waiting: ['Developer'],
  task: sampleExecution.initialTask,
  text: 'May this be shipped?',
  inputs: [{ id: 'budget', label: 'Budget', type: 'number' }],
  buttons: ['Ship', 'Change'],
  actions: ['answer', 'skip', 'stop'],
  linkIds: ['link-ship', 'link-change'],
  attempts: 0,
  usage: null,
  simulated: false,
  state: 'open',
  openedAt: sampleTimes.completed,
  dueAt: '2026-02-14T09:00:00.000Z',
  whenDue: 'fail',
  answer: null,
  answeredAt: null,
  answeredBy: null,
} as const satisfies Question;

const linked: LinkedQuestion = {
  kind: 'person',
  reason: 'card',
  title: 'Approval',
  text: 'May this be shipped?',
  inputs: [],
  buttons: ['Ship', 'Change'],
  state: 'open',
  draft: null,
  before: [],
  dueAt: sampleQuestion.dueAt,
  answeredAt: null,
  answer: null,
  simulated: false,
  from: { account: 'Ann', project: 'Bakery', task: sampleExecution.initialTask },
  backButtons: ['Change'],
};

export const questionOperations: OperationDocs<'question'> = {
  'question.list': {
    summary: 'List questions',
    description: 'Returns the questions of the caller over all projects, newest first. With `state=open` it returns those that wait.',
    example: { query: { state: 'open', limit: 20 }, response: [sampleQuestion] },
  },
  'question.get': {
    summary: 'Get a question',
    description: 'Returns one question of the caller with the draft of the agent and the results before it.',
    example: {
      params: { id },
      response: { ...sampleQuestion, draft: null, before: [{ title: 'Developer', role: 'developer', text: 'The filter is written.' }] },
    },
  },
  'question.ofExecution': {
    summary: 'List the questions of an execution',
    description: 'Returns the questions of an execution of the caller, newest first.',
    example: { params: { id: sampleIds.execution }, response: [sampleQuestion] },
  },
  'question.answer': {
    summary: 'Answer a question',
    description:
      'Answers a question of the caller once; the execution continues at once. `action` is one of the `actions` of the question; words of an API key count as words from outside. Fails with 409 when it is answered, with the first answer in `details.question`, or withdrawn.',
    example: {
      params: { id },
      body: { action: 'answer', label: 'Ship', values: { budget: 500 }, text: 'Good work.' },
      response: {
        ...sampleQuestion,
        state: 'answered',
        answer: { action: 'answer', label: 'Ship', values: { budget: 500 }, text: 'Good work.' },
        answeredAt: '2026-01-15T09:05:00.000Z',
        answeredBy: 'Ann',
      },
    },
  },
  'question.createLink': {
    summary: 'Create a link for a person without an account',
    description:
      'Returns a link to an open question of the caller; its holder can answer this question once. A new link replaces an earlier one. The token is in this response only.',
    example: { params: { id }, response: { token, path: `/q/${token}`, expiresAt: sampleQuestion.dueAt } },
  },
};

export const questionLinkOperations: OperationDocs<'questionLink'> = {
  'questionLink.get': {
    summary: 'Get the question of a link',
    description:
      'Returns the question that a link opens, and who asks it, without an account. After an answer with this link it returns that answer. Fails with 410 for a link whose question was withdrawn or has expired, and with 404 for an unknown link.',
    example: { params: { token }, response: linked },
  },
  'questionLink.answer': {
    summary: 'Answer the question of a link',
    description:
      'Answers the question that a link opens, once. Fails with 409 when it is answered, with 410 when it was withdrawn or has expired, and with 404 for an unknown link.',
    example: { params: { token }, body: { action: 'answer', label: 'Ship' } },
  },
};
