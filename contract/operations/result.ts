import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleResult, sampleTimes } from './samples.ts';

const id = sampleIds.result;
const projectId = sampleIds.project;

export const resultOperations: OperationDocs<'result'> = {
  'result.list': {
    summary: 'List the history of a project',
    description:
      'Returns the history items of a project of the caller, newest first. A list holds the first 1,000 characters of each `finalResult`, and `finalResultIsCut` when there is more.',
    example: { params: { projectId }, query: { limit: 20 }, response: [sampleResult] },
  },
  'result.get': {
    summary: 'Get a history item',
    description: 'Returns one history item of the caller.',
    example: { params: { id }, response: sampleResult },
  },
  'result.create': {
    summary: 'Record a result',
    description:
      'Stores the history item of an execution of the caller. When the execution has an item, the call updates and returns it. `agentResponse`, `resultType` and `resultStatus` are other names of fields, and win.',
    example: {
      body: {
        projectId,
        pipelineExecutionId: sampleIds.execution,
        userRequest: sampleResult.userRequest,
        agentResponse: sampleResult.finalResult,
        tags: 'dialog',
      },
      response: sampleResult,
    },
  },
  'result.remove': {
    summary: 'Delete a history item',
    description: 'Deletes one history item of the caller. The execution stays.',
    example: { params: { id } },
  },
  'result.update': {
    summary: 'Change a history item',
    description: 'Changes the fields that the body holds. An `agentResponse` marks the item as completed unless the body sets a status.',
    example: { params: { id }, body: { summary: 'A price filter was added.' }, response: sampleResult },
  },
  'result.byType': {
    summary: 'List history items by type',
    description: 'Returns the history items with one type, newest first: 1 processing, 2 success, 4 failure.',
    example: { params: { projectId, type: 'success' }, response: [sampleResult] },
  },
  'result.byStatus': {
    summary: 'List history items by status',
    description: 'Returns the history items with one status, newest first: 1 processing, 2 completed, 3 failed, 4 cancelled.',
    example: { params: { projectId, status: 'completed' }, response: [sampleResult] },
  },
  'result.byUser': {
    summary: 'List the history of a user in a project',
    description: 'Returns the history items of a user in a project. The user must be the caller; any other id gets 404.',
    example: { params: { userId: sampleIds.user, projectId }, response: [sampleResult] },
  },
  'result.search': {
    summary: 'Search the history of a project',
    description:
      'Returns the history items that match, newest first. `q` is searched in request, result, summary and tags without regard to case. `from` and `to` belong to the range; `triggerId` leaves what a trigger of the caller has started.',
    example: { params: { projectId }, query: { q: 'filter', from: '2026-01-01', to: '2026-01-31' }, response: [sampleResult] },
  },
  'result.statistics': {
    summary: 'Get the statistics of a history',
    description: 'Returns how the executions of a project of the caller ended, with their mean time and tokens.',
    example: {
      params: { projectId },
      response: {
        total: 5,
        processing: 0,
        completed: 4,
        failed: 1,
        cancelled: 0,
        successRate: 80,
        averageExecutionTime: 8_000,
        totalTokens: 3_000,
        firstAt: sampleTimes.created,
        lastAt: sampleTimes.completed,
      },
    },
  },
  'result.recent': {
    summary: 'List the newest history items',
    description: 'Returns the newest history items of a project of the caller: 10 unless `count` says otherwise, 200 at most.',
    example: { params: { projectId }, query: { count: 5 }, response: [sampleResult] },
  },
  'result.fromExecution': {
    summary: 'Get the history item of an execution',
    description: 'Returns the history item of an execution of the caller. Creates it from the state of the execution when there is none.',
    example: { params: { pipelineExecutionId: sampleIds.execution }, response: sampleResult },
  },
};
