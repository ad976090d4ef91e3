import type { Execution } from '../executions/execution.ts';
import type { OperationDocs, Part } from './operation.ts';
import { fields, ids, times } from './samples.ts';

const { initialTask } = fields;
const holds = { all: true, links: { 'link-1': 'never' } } as const;
const tokens = { min: 540, max: 720 };
const cost = { min: 16_200, max: 21_600 };
const running: Part<Execution> = { updatedAt: times.started, status: 'running', result: null, progress: 0, completedAt: null, lastSeq: 2 };
const notStarted: Part<Execution> = { ...running, status: 'pending', startedAt: null, lastSeq: 0 };

const answer = { action: 'answer', label: 'Ship', values: { budget: 500 }, text: 'Good work.' } as const;

/** Executions with their files, and what they ask people. */
export const executionOperations: OperationDocs<'execution' | 'question' | 'questionLink'> = {
  'execution.fork': [
    'Run again from any step',
    'Starts a new execution that keeps the results of an ended one, of all steps that would be asked the same. `from` runs a step again with all that follow; `dryRun` only says what becomes of each; edits of an API key count as from outside. Fails with 409 when the execution has not ended, nothing would run, or a step to run has lost its agent.',
    {
      body: { from: {}, budget: { calls: 20 } },
      response: {
        execution: { ...notStarted, parentId: ids.execution, forkedAt: times.completed },
        steps: [{ state: 'rerun', reason: 'chosen', tokens, cost: [cost] }],
        tokens,
        cost: [cost],
      },
    },
  ],
  'execution.compare': [
    'Compare two executions',
    'Compares two executions of the caller step by step: outcome, model, tokens, time, cost, and whether the results are the same. Steps belong together by their node on the canvas, round and item.',
    {
      query: { right: ids.secondExecution },
      response: {
        right: { id: ids.secondExecution, parentId: ids.execution, forkedAt: times.completed },
        steps: [
          { state: 'changed', left: { tokens: 600, length: 33 }, right: { model: 'gpt-4o', tokens: 480, durationMs: 5_000, length: 40 } },
        ],
        totals: { left: { tokens: 600 }, right: { tokens: 480, durationMs: 5_000 } },
      },
    },
  ],
  'execution.step': ['Get a step of an execution', 'Returns one step of an execution of the caller with its whole result.'],
  'execution.setHolds': [
    'Set the links that hold',
    'Sets which links of an execution of the caller wait until a person hands the result on: all, or some by id. It applies to results that come later. Fails with 409 after the end of the execution.',
    { body: holds, response: { ...running, holds } },
  ],
  'execution.list': [
    'List executions',
    'Returns the executions of the caller, newest first. Each `result` is cut to its first 4,000 characters. `triggerId` leaves those that a trigger of the caller has started.',
    { query: { projectId: ids.project, status: 'completed' } },
  ],
  'execution.start': [
    'Start an execution',
    'Starts an execution of a pipeline of the caller and responds at once; the execution survives restarts and lost nodes. `executionId` starts one that was created before; the task of an API key counts as words from outside. Fails with 409 when the pipeline is a draft or archived, and with 429 when too many executions of the account have not ended.',
    { body: { initialTask, startAfterMs: 1_000 }, response: running },
  ],
  'execution.get': ['Get an execution', 'Returns one execution of the caller with its whole result.'],
  'execution.details': ['Get an execution with its steps', 'Returns one execution of the caller with the state and result of every step.'],
  'execution.logs': [
    'Get the event log of an execution',
    'Returns the events of an execution of the caller in the order of `seq`. With `since` it returns only events after that number. A call returns at most 1,000 events, and none of an old execution, whose `thinnedAt` says since when.',
    { query: { since: 3 }, response: [{ seq: 4, type: 'execution.completed', step: null }] },
  ],
  'execution.pause': [
    'Pause an execution',
    'Finishes the current step and starts no other. `pauseRequested` is true until that step has ended. Fails with 409 when the execution is not running.',
    { response: { ...running, pauseRequested: true } },
  ],
  'execution.resume': [
    'Resume an execution',
    'Continues a paused execution of the caller with its next step, or withdraws a pause that has not taken effect. Fails with 409 when the state forbids it.',
    { response: running },
  ],
  'execution.stop': [
    'Cancel an execution',
    'Cancels an execution of the caller and aborts the model call of the current step. Fails with 409 when the execution has ended.',
    { response: { ...running, status: 'cancelled', completedAt: times.completed } },
  ],
  'execution.nextStep': [
    'Run one step of a paused execution',
    'Runs the next step of a paused execution of the caller and pauses again after it. Fails with 409 when the execution is not paused.',
    { response: running },
  ],
  'execution.addContext': [
    'Add text for the later steps',
    'Adds text of at most 100,000 characters that every later step of the execution gets; one of an API key counts as words from outside. A text of the type `previous_results` makes tool calls ask, unless it is exactly that of the run `executionId`, without results from outside. Fails with `no_later_step` when no step is left.',
    { body: { content: 'Prices are in euros.' }, response: running },
  ],
  'execution.create': [
    'Create an execution without starting it',
    'Creates an execution that waits for a start call with its id. It counts as started only from then on.',
    { body: { initialTask }, response: { ...notStarted, held: true } },
  ],
  'execution.update': [
    'Change the settings of an execution',
    'Changes priority, timeout or pauses of an execution that has not started or is paused. The task can change only before the start; one of an API key counts as words from outside. Fails with 409 in any other state.',
    { body: { priority: 8 }, response: { ...running, status: 'paused' } },
  ],
  'execution.remove': [
    'Delete an execution',
    'Deletes an execution of the caller with its log, files and history item. Fails with 409 unless it has ended or was never started.',
  ],
  'execution.byPipeline': ['List the executions of a pipeline', 'Returns the executions of a pipeline of the caller, newest first.'],
  'execution.byStatus': [
    'List executions by status',
    'Returns the executions of the caller with one status, newest first. The status is a name in any spelling, or its index from 0.',
  ],
  'execution.byUser': [
    'List the executions of a user',
    'Returns the executions of a user. The user must be the caller; any other id gets 404.',
  ],
  'execution.readiness': [
    'Check whether a pipeline can start',
    'Returns whether an execution of the pipeline can start now, and every reason why not.',
    { response: { reasons: [{ code: 'pipeline.draft', message: 'The pipeline is a draft.', nodeId: null }] } },
  ],
  'execution.statistics': [
    'Get the statistics of an execution',
    'Returns the totals of an execution of the caller: steps, attempts, tokens, times and files. Times are in milliseconds.',
    {
      response: {
        totalSteps: 1,
        steps: { pending: 0, running: 0, waiting: 0, completed: 1, failed: 0, cancelled: 0, skipped: 0, reused: 0 },
        tokenUsage: { promptTokens: 420, completionTokens: 180, totalTokens: 600 },
        activeMs: 8_000,
        elapsedMs: 8_000,
        averageStepMs: 8_000,
        longestStep: {},
        events: 4,
        files: { count: 1, bytes: 52 },
      },
    },
  ],
  'execution.toolCalls': [
    'List the calls of tools',
    'Returns the calls of tools in an execution of the caller, or in one step of it, oldest first, with arguments and results.',
  ],
  'execution.links': [
    'Get the links of an execution',
    'Returns the links that an execution of the caller follows, with their states. A link is `taken` once its target has ended, and `dead` if its target never gets the result. Empty for steps that run one after another.',
    { response: [{ id: 'review>report', from: ids.step, to: ids.agent, state: 'taken' }] },
  ],
  'execution.memory': [
    'Get what later steps can read',
    'Returns the task, the added texts, the results of the finished steps and the files of an execution of the caller.',
    { response: { results: [{}] } },
  ],
  'execution.testLog': [
    'Get the log of executed tests',
    'Returns what the test command wrote that a runner executed after the step of a tester. Of a log of more than 1,048,576 characters the middle is left out. Fails with 404 when nothing was executed.',
    { response: '3 tests passed' },
  ],
  'execution.runStep': [
    'Run a named step of a paused execution',
    'Runs one step of a paused execution of the caller. The step must be the next one; any other gets 409.',
    { response: running },
  ],
  'execution.files': [
    'List the files of an execution',
    'Returns the latest version of each file that the agents wrote, moved or removed, and the files that the server refused with the reason.',
  ],
  'execution.fileContent': [
    'Get the content of a file',
    'Returns the latest version of one file as plain text. Fails with 404 when the execution has no file with this path.',
    { response: 'export const byPrice = (max) => (item) => item.price <= max;\n' },
  ],
  'execution.fileComparison': [
    'Compare a file with its earlier version',
    'Returns the difference between the latest version of a file and the one before it, as a unified diff.',
    { response: { from: null, additions: 1 } },
  ],
  'execution.archive': [
    'Download all files as a ZIP',
    'Returns the latest version of every file that an execution of the caller wrote or moved as a ZIP archive, with its mode.',
  ],
  'execution.pullRequest': [
    'Get the changes as a pull request',
    'Returns title, description and unified diff of the files against the earlier completed executions of the project. Nothing is pushed to a repository.',
    { response: { title: initialTask, description: 'Adds a price filter.', files: [{ additions: 1 }], additions: 1 } },
  ],
  'execution.patch': [
    'Download the changes as a patch',
    'Returns the diff of the pull request as a file that `git apply` takes.',
    { response: '--- /dev/null\n+++ b/src/filter.ts\n@@ -0,0 +1 @@\n+export const byPrice = (max) => (item) => item.price <= max;\n' },
  ],
  'execution.publication': [
    'Get what publishing would do',
    'Returns the branches that an ended execution of the caller may be pushed to, the usual one first, its files, and its last publication. `author` is who the commit would be by. `automation` has the files that run by themselves, `unlisted` other new ones in the root or in a folder with a dot.',
    {
      response: { branches: [{ name: fields.branch }], files: 1, authorProblem: 'The commit would be Artel’s own: confirm your address.' },
    },
  ],
  'execution.publish': [
    'Publish an execution',
    'Pushes the files of an ended execution as one commit to a branch of the plan, and opens a draft pull request for `base`. Files that both sides have changed are merged line by line, also under new names; again, it adds a commit only for changed files. Fails with `publish_refused` or `publish_conflict` and a reason in `details.reason`; `errors` has what conflicts.',
  ],
  'execution.followUp': [
    'Go on with a published branch',
    'Makes a set of files for a new execution: the repository at the newest commit of the branch that an execution was published to. `text` is a task with the open comments of its pull request, which a person reads before the start. An execution that starts with the set is published to the same branch.',
    {
      response: {
        set: { git: { ref: fields.branch, isBranch: true }, files: [{ from: 'git' }] },
        text: 'Answer the review.',
        comments: 1,
      },
    },
  ],
  'execution.bundle': [
    'Download an execution as a Git bundle',
    'Returns the branch of an ended execution of the caller as a file that `git fetch` takes in the place of a repository.',
  ],
  'question.list': [
    'List questions',
    'Returns the questions of the caller over all projects, newest first. With `state=open` it returns those that wait.',
    { query: { state: 'open' } },
  ],
  'question.get': [
    'Get a question',
    'Returns one question of the caller with the draft of the agent and the results before it.',
    { response: { before: [{ role: 'developer', text: 'The filter is written.' }] } },
  ],
  'question.ofExecution': ['List the questions of an execution', 'Returns the questions of an execution of the caller, newest first.'],
  'question.answer': [
    'Answer a question',
    'Answers a question of the caller once; the execution continues at once. `action` is one of the `actions` of the question; words of an API key count as words from outside. Fails with 409 when it is answered, with the first answer in `details.question`, or withdrawn.',
    { body: answer, response: { state: 'answered', answer, answeredAt: times.completed, answeredBy: 'Ann' } },
  ],
  'question.createLink': [
    'Create a link for a person without an account',
    'Returns a link to an open question of the caller; its holder can answer this question once. A new link replaces an earlier one. The token is in this response only.',
    { response: { path: '/q/q8Zt3kVb1mXs7yWc5dRf9gHj2lNp4oQa6uEi0vTx_B-' } },
  ],
  'questionLink.get': [
    'Get the question of a link',
    'Returns the question that a link opens, and who asks it, without an account. After an answer with this link it returns that answer. Fails with 410 for a link whose question was withdrawn or has expired, and with 404 for an unknown link.',
    {
      response: {
        kind: 'person',
        title: 'Approval',
        text: 'May this be shipped?',
        buttons: ['Ship', 'Change'],
        from: { account: 'Ann', project: 'Bakery' },
        backButtons: ['Change'],
      },
    },
  ],
  'questionLink.answer': [
    'Answer the question of a link',
    'Answers the question that a link opens, once. Fails with 409 when it is answered, with 410 when it was withdrawn or has expired, and with 404 for an unknown link.',
    { body: { label: 'Ship' } },
  ],
};
