import type { OperationDocs } from './operation.ts';
import { fields, ids, times } from './samples.ts';

/** What an execution begins with, and the history of what came out. */
export const pipelineOperations: OperationDocs<'pipeline' | 'input' | 'result'> = {
  'pipeline.list': [
    'List pipelines',
    'Returns the pipelines of the caller with their steps. A page ends early when its pipelines are large: read on with `offset` plus the number that you received.',
  ],
  'pipeline.get': [
    'Get a pipeline',
    'Returns one pipeline of the caller with its steps. That of a released team can be read too, and is neither listed nor changed.',
  ],
  'pipeline.create': [
    'Create a pipeline',
    "Creates a pipeline of at most 10,000 steps, each with an agent of the caller. The steps run one after another, or along `links` with branches, choices, loops and lists. Fails with 400 when the links cannot run, and with 409 `canvas_stale` when the project's canvas no longer has `canvasVersion`.",
    {
      body: {
        name: 'Feature with review',
        maxParallel: 4,
        steps: [
          { nodeId: 'node-developer' },
          { name: 'Tester', agentId: ids.otherAgent, nodeId: 'node-qa' },
          { name: 'Writer', nodeId: 'node-writer' },
        ],
        links: [
          { id: 'build', from: 'node-developer', to: 'node-qa' },
          { id: 'again', from: 'node-qa', to: 'node-developer', label: 'rejected', maxRounds: 3 },
          { id: 'done', from: 'node-qa', to: 'node-writer', label: 'accepted' },
        ],
      },
    },
  ],
  'pipeline.remove': [
    'Delete a pipeline',
    'Removes a pipeline of the caller from all lists. Its executions stay. Fails with 409 while one of them has not ended.',
  ],
  'pipeline.update': [
    'Change a pipeline',
    'Changes the fields that the body holds. `steps` replaces all steps; a step with a known `id` keeps it. Fails with 409 when the pipeline is archived.',
    { body: { name: 'Quick fix 2' } },
  ],
  'pipeline.setStatus': [
    'Set the status of a pipeline',
    'Sets the status to `draft`, `ready` or `archived`. Only a pipeline that is ready can start an execution. Fails with 409 while an execution of it has not ended.',
    { body: { status: 'archived' } },
  ],
  'pipeline.diagnostics': [
    'Check a pipeline',
    'Returns the errors and warnings of a pipeline of the caller. Errors prevent a start, warnings do not.',
    { response: { warnings: [{ code: 'agent.notActive', message: 'The agent is not active.' }] } },
  ],
  'pipeline.steps': ['List the steps of a pipeline', 'Returns the steps of a pipeline of the caller in their order.'],
  'pipeline.addStep': [
    'Add a step',
    'Adds a step at `orderIndex`, or at the end without it. A pipeline has at most 10,000 steps; one more gets 409.',
  ],
  'pipeline.updateStep': [
    'Change a step',
    'Changes the fields that the body holds. A new `orderIndex` moves the step.',
    { body: { timeoutSeconds: 600 } },
  ],
  'pipeline.removeStep': ['Delete a step', 'Deletes a step from its pipeline. The later steps move up.'],
  'pipeline.reorderSteps': [
    'Reorder the steps',
    'Puts the steps into the order of `stepIds`, which must name every step once. Fails with 409 when the steps have changed.',
    {
      body: { stepIds: [ids.otherStep, ids.step] },
      response: [{ id: ids.otherStep, name: 'Tester', agentId: ids.otherAgent, nodeId: 'node-qa' }, { orderIndex: 1 }],
    },
  ],
  'input.create': [
    'Create a set of files for a run',
    'Creates a set of files in a project of the caller, empty or as a copy (`copyOf`, also `withoutRepository`). `inputSetId` of a started execution names it; from then on it cannot change. A set that no execution has used is removed after 24 hours.',
    { response: { files: [], count: 0, bytes: 0 } },
  ],
  'input.get': [
    'Get a set of files',
    'Returns a set of the caller with its files, without their contents. Of a repository the first 200 are listed; `count` and `bytes` are of all.',
  ],
  'input.files': [
    'List the files of a set, a page at a time',
    'Lists the files of a set of the caller below `folder`, or those whose paths have each word of `search`: 200 a page. A folder with more files lists its folders with their counts, then its own files. `leftOut` names links, submodules and pointers of Git LFS.',
    { query: { folder: 'docs/' } },
  ],
  'input.putFile': [
    'Add a file to a set',
    'Adds one file, or replaces the one at its path: text in any encoding, which `encoding` names, PDF, DOCX, XLSX, RTF or an image. A file has 10 MiB at most, an image 3.5 MiB, a set 25 files and 50 MiB. Fails with `input_refused` and a reason in `details.reason`.',
  ],
  'input.fileText': [
    'Get the text of a file in a set',
    'Returns the text of a file of the caller, and the text that was drawn out of a document. Fails with 404 for a binary file.',
    { query: { path: 'notes.txt' }, response: 'hello' },
  ],
  'input.removeFile': [
    'Remove a file from a set',
    'Removes a file from a set of the caller. Succeeds when there is no such file. Fails with 409 when a run has used the set.',
    { query: { path: 'notes.txt' } },
  ],
  'input.addRepository': [
    'Add the files of a Git repository to a set',
    'Reads the files of a repository at one commit into the set: all of them, or those below `paths`. Without a token the one of the project is used for its host, and a given one is not stored. Files that were left out are listed with their reason, and a failure adds nothing.',
    { body: { ref: 'main' }, response: { set: { git: {}, files: [{ from: 'git' }] } } },
  ],
  'input.addArchive': [
    'Add the files of a ZIP to a set',
    'Unpacks a ZIP of at most 10 MiB into a set of the caller: at most 2,000 entries and 50 MiB in a set. Links and files with unsafe paths are left out and listed. An archive within it is not unpacked.',
    { response: { set: { files: [{ from: 'archive' }] } } },
  ],
  'result.list': [
    'List the history of a project',
    'Returns the history items of a project of the caller, newest first. A list holds the first 1,000 characters of each `finalResult`, and `finalResultIsCut` when there is more.',
  ],
  'result.get': ['Get a history item', 'Returns one history item of the caller.'],
  'result.create': [
    'Record a result',
    'Stores the history item of an execution of the caller. When the execution has an item, the call updates and returns it. `agentResponse`, `resultType` and `resultStatus` are other names of fields, and win.',
    { body: { userRequest: fields.task, agentResponse: fields.result, tags: 'dialog' } },
  ],
  'result.remove': ['Delete a history item', 'Deletes one history item of the caller. The execution stays.'],
  'result.update': [
    'Change a history item',
    'Changes the fields that the body holds. An `agentResponse` marks the item as completed unless the body sets a status.',
    { body: { summary: 'A price filter was added.' } },
  ],
  'result.byType': [
    'List history items by type',
    'Returns the history items with one type, newest first: 1 processing, 2 success, 4 failure.',
    { params: { type: 'success' } },
  ],
  'result.byStatus': [
    'List history items by status',
    'Returns the history items with one status, newest first: 1 processing, 2 completed, 3 failed, 4 cancelled.',
    { params: { status: 'completed' } },
  ],
  'result.byUser': [
    'List the history of a user in a project',
    'Returns the history items of a user in a project. The user must be the caller; any other id gets 404.',
  ],
  'result.search': [
    'Search the history of a project',
    'Returns the history items that match, newest first. `q` is searched in request, result, summary and tags without regard to case. `from` and `to` belong to the range; `triggerId` leaves what a trigger of the caller has started.',
    { query: { q: 'filter', from: '2026-01-01', to: '2026-01-31' } },
  ],
  'result.statistics': [
    'Get the statistics of a history',
    'Returns how the executions of a project of the caller ended, with their mean time and tokens.',
    {
      response: { total: 5, completed: 4, failed: 1, successRate: 80, totalTokens: 3_000, firstAt: times.created, lastAt: times.completed },
    },
  ],
  'result.recent': [
    'List the newest history items',
    'Returns the newest history items of a project of the caller: 10 unless `count` says otherwise, 200 at most.',
    { query: { count: 5 } },
  ],
  'result.fromExecution': [
    'Get the history item of an execution',
    'Returns the history item of an execution of the caller. Creates it from the state of the execution when there is none.',
  ],
};
