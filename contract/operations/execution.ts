import type { ComparedSide } from '../executions/compare.ts';
import type { executionFileOperations } from './execution-files.ts';
import type { OperationDocs } from './operation.ts';
import {
  notStartedExecution,
  runningExecution,
  sampleExecution,
  sampleFile,
  sampleIds,
  samplePipelineStep,
  sampleStepRun,
  sampleTimes,
} from './samples.ts';

const id = sampleIds.execution;
const task = sampleExecution.initialTask;
const paused = { ...runningExecution, status: 'paused' } as const;

const comparedSide: ComparedSide = {
  stepId: sampleIds.step,
  status: 'completed',
  provider: 'openai',
  model: 'gpt-4',
  simulated: false,
  tokens: 600,
  durationMs: 8_000,
  attempts: 1,
  length: 33,
};

export const executionOperations: Omit<OperationDocs<'execution'>, keyof typeof executionFileOperations> = {
  'execution.fork': {
    summary: 'Run again from any step',
    description:
      'Starts a new execution that keeps the results of an ended one, of all steps that would be asked the same. `from` runs a step again with all that follow; `dryRun` only says what becomes of each; edits of an API key count as from outside. Fails with 409 when the execution has not ended, nothing would run, or a step to run has lost its agent.',
    example: {
      params: { id },
      body: { from: { stepId: sampleIds.step }, edits: [], graph: 'then', budget: { calls: 20 } },
      response: {
        execution: { ...notStartedExecution, held: false, parentId: id, forkedAt: sampleTimes.completed },
        steps: [
          {
            stepId: sampleIds.step,
            nodeId: 'node-developer',
            name: 'Developer',
            round: 0,
            item: 0,
            state: 'rerun',
            reason: 'chosen',
            tokens: { min: 540, max: 720 },
            cost: [{ currency: 'USD', min: 16_200, max: 21_600 }],
          },
        ],
        tokens: { min: 540, max: 720 },
        cost: [{ currency: 'USD', min: 16_200, max: 21_600 }],
      },
    },
  },
  'execution.compare': {
    summary: 'Compare two executions',
    description:
      'Compares two executions of the caller step by step: outcome, model, tokens, time, cost, and whether the results are the same. Steps belong together by their node on the canvas, round and item.',
    example: {
      query: { left: id, right: sampleIds.secondExecution },
      response: {
        left: sampleExecution,
        right: { ...sampleExecution, id: sampleIds.secondExecution, parentId: id, forkedAt: sampleTimes.completed },
        steps: [
          {
            nodeId: 'node-developer',
            name: 'Developer',
            role: 'Developer',
            round: 0,
            item: 0,
            state: 'changed',
            left: comparedSide,
            right: { ...comparedSide, model: 'gpt-4o', tokens: 480, durationMs: 5_000, length: 40 },
          },
        ],
        totals: {
          left: { tokens: 600, durationMs: 8_000, cost: { amounts: [] } },
          right: { tokens: 480, durationMs: 5_000, cost: { amounts: [] } },
        },
      },
    },
  },
  'execution.step': {
    summary: 'Get a step of an execution',
    description: 'Returns one step of an execution of the caller with its whole result.',
    example: { params: { id, stepId: sampleIds.step }, response: sampleStepRun },
  },
  'execution.setHolds': {
    summary: 'Set the links that hold',
    description:
      'Sets which links of an execution of the caller wait until a person hands the result on: all, or some by id. It applies to results that come later. Fails with 409 after the end of the execution.',
    example: {
      params: { id },
      body: { all: true, links: { 'link-1': 'never' } },
      response: { ...runningExecution, holds: { all: true, links: { 'link-1': 'never' } } },
    },
  },
  'execution.list': {
    summary: 'List executions',
    description:
      'Returns the executions of the caller, newest first. Each `result` is cut to its first 4,000 characters. `triggerId` leaves those that a trigger of the caller has started.',
    example: { query: { projectId: sampleIds.project, status: 'completed', limit: 20 }, response: [sampleExecution] },
  },
  'execution.start': {
    summary: 'Start an execution',
    description:
      'Starts an execution of a pipeline of the caller and responds at once; the execution survives restarts and lost nodes. `executionId` starts one that was created before; the task of an API key counts as words from outside. Fails with 409 when the pipeline is a draft or archived, and with 429 when too many executions of the account have not ended.',
    example: {
      body: { pipelineId: sampleIds.pipeline, initialTask: task, pauseBetweenStepsMs: 1_000, startAfterMs: 1_000 },
      response: runningExecution,
    },
  },
  'execution.get': {
    summary: 'Get an execution',
    description: 'Returns one execution of the caller with its whole result.',
    example: { params: { id }, response: sampleExecution },
  },
  'execution.details': {
    summary: 'Get an execution with its steps',
    description: 'Returns one execution of the caller with the state and result of every step.',
    example: { params: { id }, response: { ...sampleExecution, steps: [sampleStepRun] } },
  },
  'execution.logs': {
    summary: 'Get the event log of an execution',
    description:
      'Returns the events of an execution of the caller in the order of `seq`. With `since` it returns only events after that number. A call returns at most 1,000 events, and none of an old execution, whose `thinnedAt` says since when.',
    example: {
      params: { id },
      query: { since: 3 },
      response: [
        {
          executionId: id,
          seq: 4,
          at: sampleTimes.completed,
          type: 'execution.completed',
          status: 'completed',
          pauseRequested: false,
          progress: 100,
          step: null,
          text: sampleExecution.result,
          error: null,
        },
      ],
    },
  },
  'execution.pause': {
    summary: 'Pause an execution',
    description:
      'Finishes the current step and starts no other. `pauseRequested` is true until that step has ended. Fails with 409 when the execution is not running.',
    example: { params: { id }, response: { ...runningExecution, pauseRequested: true } },
  },
  'execution.resume': {
    summary: 'Resume an execution',
    description:
      'Continues a paused execution of the caller with its next step, or withdraws a pause that has not taken effect. Fails with 409 when the state forbids it.',
    example: { params: { id }, response: runningExecution },
  },
  'execution.stop': {
    summary: 'Cancel an execution',
    description:
      'Cancels an execution of the caller and aborts the model call of the current step. Fails with 409 when the execution has ended.',
    example: { params: { id }, response: { ...runningExecution, status: 'cancelled', completedAt: sampleTimes.completed } },
  },
  'execution.nextStep': {
    summary: 'Run one step of a paused execution',
    description:
      'Runs the next step of a paused execution of the caller and pauses again after it. Fails with 409 when the execution is not paused.',
    example: { params: { id }, response: runningExecution },
  },
  'execution.addContext': {
    summary: 'Add text for the later steps',
    description:
      'Adds text of at most 100,000 characters that every later step of the execution gets; one of an API key counts as words from outside. A text of the type `previous_results` makes tool calls ask, unless it is exactly that of the run `executionId`, without results from outside. Fails with `no_later_step` when no step is left.',
    example: { params: { id }, body: { content: 'Prices are in euros.', dialogNodeId: 'node-dialog' }, response: runningExecution },
  },
  'execution.create': {
    summary: 'Create an execution without starting it',
    description: 'Creates an execution that waits for a start call with its id. It counts as started only from then on.',
    example: { body: { pipelineId: sampleIds.pipeline, initialTask: task }, response: notStartedExecution },
  },
  'execution.update': {
    summary: 'Change the settings of an execution',
    description:
      'Changes priority, timeout or pauses of an execution that has not started or is paused. The task can change only before the start; one of an API key counts as words from outside. Fails with 409 in any other state.',
    example: { params: { id }, body: { priority: 8 }, response: { ...paused, priority: 8 } },
  },
  'execution.remove': {
    summary: 'Delete an execution',
    description:
      'Deletes an execution of the caller with its log, files and history item. Fails with 409 unless it has ended or was never started.',
    example: { params: { id } },
  },
  'execution.byPipeline': {
    summary: 'List the executions of a pipeline',
    description: 'Returns the executions of a pipeline of the caller, newest first.',
    example: { params: { id: sampleIds.pipeline }, response: [sampleExecution] },
  },
  'execution.byStatus': {
    summary: 'List executions by status',
    description:
      'Returns the executions of the caller with one status, newest first. The status is a name in any spelling, or its index from 0.',
    example: { params: { status: 'completed' }, response: [sampleExecution] },
  },
  'execution.byUser': {
    summary: 'List the executions of a user',
    description: 'Returns the executions of a user. The user must be the caller; any other id gets 404.',
    example: { params: { userId: sampleIds.user }, response: [sampleExecution] },
  },
  'execution.readiness': {
    summary: 'Check whether a pipeline can start',
    description: 'Returns whether an execution of the pipeline can start now, and every reason why not.',
    example: {
      params: { id: sampleIds.pipeline },
      response: { ready: false, reasons: [{ code: 'pipeline.draft', message: 'The pipeline is a draft.', nodeId: null }] },
    },
  },
  'execution.statistics': {
    summary: 'Get the statistics of an execution',
    description: 'Returns the totals of an execution of the caller: steps, attempts, tokens, times and files. Times are in milliseconds.',
    example: {
      params: { id },
      response: {
        executionId: id,
        status: 'completed',
        progress: 100,
        totalSteps: 1,
        steps: { pending: 0, running: 0, waiting: 0, completed: 1, failed: 0, cancelled: 0, skipped: 0, reused: 0 },
        attempts: 1,
        retries: 0,
        tokenUsage: { promptTokens: 420, completionTokens: 180, totalTokens: 600 },
        activeMs: 8_000,
        elapsedMs: 8_000,
        averageStepMs: 8_000,
        longestStep: { stepId: samplePipelineStep.id, name: 'Developer', durationMs: 8_000 },
        simulatedSteps: 0,
        contexts: 0,
        events: 4,
        files: { count: 1, bytes: 52 },
      },
    },
  },
  'execution.toolCalls': {
    summary: 'List the calls of tools',
    description:
      'Returns the calls of tools in an execution of the caller, or in one step of it, oldest first, with arguments and results.',
    example: {
      params: { id },
      query: { limit: 20 },
      response: [
        {
          stepId: sampleIds.step,
          turn: 0,
          callId: 'call_1',
          tool: 'read_file',
          source: 'files',
          effect: 'read',
          args: '{"path":"src/app.ts"}',
          state: 'done',
          result: 'export {};',
          ms: 4,
          createdAt: sampleTimes.started,
          endedAt: sampleTimes.started,
        },
      ],
    },
  },
  'execution.links': {
    summary: 'Get the links of an execution',
    description:
      'Returns the links that an execution of the caller follows, with their states. A link is `taken` once its target has ended, and `dead` if its target never gets the result. Empty for steps that run one after another.',
    example: { params: { id }, response: [{ id: 'review>report', from: sampleIds.step, to: sampleIds.agent, state: 'taken' }] },
  },
  'execution.memory': {
    summary: 'Get what later steps can read',
    description: 'Returns the task, the added texts, the results of the finished steps and the files of an execution of the caller.',
    example: {
      params: { id },
      response: {
        executionId: id,
        task,
        contexts: [],
        results: [
          {
            stepId: sampleIds.step,
            orderIndex: 0,
            name: 'Developer',
            agentId: sampleIds.agent,
            agentTitle: 'Developer',
            role: 'Developer',
            text: 'The filter is in `src/filter.ts`.',
            simulated: false,
            executed: null,
          },
        ],
        files: [sampleFile],
      },
    },
  },
  'execution.testLog': {
    summary: 'Get the log of executed tests',
    description:
      'Returns what the test command wrote that a runner executed after the step of a tester. Of a log of more than 1,048,576 characters the middle is left out. Fails with 404 when nothing was executed.',
    example: { params: { id, stepId: sampleIds.step }, response: '3 tests passed' },
  },
  'execution.runStep': {
    summary: 'Run a named step of a paused execution',
    description: 'Runs one step of a paused execution of the caller. The step must be the next one; any other gets 409.',
    example: { params: { id, stepId: sampleIds.step }, response: runningExecution },
  },
};
