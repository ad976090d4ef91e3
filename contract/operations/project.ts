import type { OperationDocs } from './operation.ts';
import { developerNode, ids, link, times } from './samples.ts';

/** Projects with their canvases, the versions of their teams, and budgets. */
export const projectOperations: OperationDocs<'project' | 'teamVersion' | 'budget'> = {
  'project.list': ['List projects', 'Returns the projects of the caller.'],
  'project.get': ['Get a project', 'Returns one project of the caller. `default` stands for the first one.'],
  'project.create': ['Create a project', 'Creates a project with an empty canvas for the caller.'],
  'project.update': [
    'Change a project',
    'Changes the name, the description or settings of runs of a project of the caller; a field that is left out stays. `testCommand` is executed by the runner of the operator, if there is one, and never by the server.',
    { body: { name: 'Web shop' } },
  ],
  'project.gitTarget': [
    'Get the repository of a project',
    'Returns where the runs of a project of the caller are published; null for a project without a repository. The token is never returned.',
  ],
  'project.putGitTarget': [
    'Set the repository of a project',
    'Stores where the runs of a project are published; what is left out stays, and a null `author` is the person who publishes. The token is encrypted, reads private repositories of its host too, and is removed when the host changes without a new one. Fails with `publish_refused` for an address that the server does not call.',
    { body: { prefix: 'artel/', forge: 'gitea', token: 'a-token-f00d' } },
  ],
  'project.removeGitTarget': [
    'Remove the repository of a project',
    'Removes repository and token of a project of the caller. Succeeds when there is none.',
  ],
  'project.remove': [
    'Delete a project',
    'Deletes a project of the caller with its canvas, pipelines, executions and history. Fails with 409 for the last project, and while one of its executions has not ended.',
  ],
  'project.byStatus': [
    'List projects by status',
    'Returns the projects of the caller with one status. The status is a name in any spelling, or its index from 0.',
  ],
  'project.active': ['List active projects', 'Returns the projects of the caller with the status `active`.'],
  'project.byUser': ['List projects of a user', 'Returns the projects of a user. The user must be the caller; any other id gets 404.'],
  'project.statistics': [
    'Get the statistics of a project',
    'Returns how many agents, pipelines and executions a project of the caller has, and how the executions ended. Times are in milliseconds.',
    { response: { totalAgents: 3, activeAgents: 3, totalPipelines: 2, totalExecutions: 5, successfulExecutions: 4, failedExecutions: 1 } },
  ],
  'project.setStatus': [
    'Set the status of a project',
    'Sets the status of a project of the caller. The status is a name in any spelling, or its index from 0.',
    { body: { status: 'onHold' } },
  ],
  'project.canvas': [
    'Get the canvas of a project',
    'Returns all nodes and links with the version of the canvas. Send this version as `baseVersion` when you save.',
    { response: { version: 7 } },
  ],
  'project.versions': [
    'List the versions of a canvas',
    'Returns the saved versions, newest first, in groups: changes of one author that follow closely upon each other. `before` asks for older ones, `search` for marked ones by name or note. Older versions than `keepDays` are thinned to marked ones and one a day.',
    { response: { current: 8, bytes: 48_000, maxBytes: 134_217_728, keepDays: 30 } },
  ],
  'project.compareVersions': [
    'Compare two versions of a canvas',
    'Returns the nodes and links that differ, as they are in both versions. The cost grows with the changes between the versions. Fails with 410 `version_removed` when one of them is not kept any more.',
    {
      query: { left: 7, right: 8 },
      response: {
        left: 7,
        right: 8,
        nodes: [{ id: developerNode.id, left: developerNode, right: { ...developerNode, x: 480 } }],
        connections: [{ id: link.id, left: link }],
      },
    },
  ],
  'project.promptChanges': [
    'List the changes of prompts on a canvas',
    'Returns the changes of the prompts of the agents on the canvas, newest first, without their texts.',
    { response: [{ title: 'Tester', number: 2, at: times.created, lengthBefore: 9, lengthAfter: 27 }] },
  ],
  'project.version': [
    'Get a version of a canvas',
    'Returns all nodes and links as they were. Fails with 410 `version_removed` when the version is not kept any more.',
    { params: { version: 7 }, response: { version: 7 } },
  ],
  'project.putMark': [
    'Mark a version of a canvas',
    'Gives a version a name, or another one. A marked version is kept longer. A project has at most 200 of them by hand.',
  ],
  'project.removeMark': ['Remove the mark of a version', 'Removes the name of a version. The version stays as long as one without a mark.'],
  'project.patchCanvas': [
    'Change records of a canvas',
    'Applies the patches in order and returns the new version. Each patch sets or removes one whole node or link. Fails with 409 `canvas_stale` when `baseVersion` is old; `details` then hold the current canvas if it has at most 256 KiB.',
    {
      body: {
        patches: [
          { op: 'set', collection: 'nodes', id: developerNode.id, value: { ...developerNode, x: 480 } },
          { op: 'remove', collection: 'connections', id: link.id },
        ],
      },
    },
  ],
  'project.putCanvas': [
    'Replace a canvas',
    'Replaces all nodes and links and returns the new version. The body may have 16 MiB. Fails with 409 `canvas_stale` when `baseVersion` is old; `details` then hold the current canvas if it has at most 256 KiB.',
  ],
  'teamVersion.list': [
    'List the versions of a team',
    'Returns the versions of the team of a project, newest first. Each start of a run has one; the same team has one version. `named` asks for those that a person has named.',
  ],
  'teamVersion.create': [
    'Name the team as it is',
    'Stores canvas, agents and settings as they are now under a name. A team that has a version already keeps it, with this name. Fails with 409 after 200 names.',
  ],
  'teamVersion.get': [
    'Get a version of a team',
    'Returns a version with its canvas, its agents with prompts, models and tools, and its settings. No key is in it. `version` is its number or its id.',
    { params: { version: 3 }, response: { settings: { parallelSteps: 4, installs: null } } },
  ],
  'teamVersion.check': [
    'Compare a version of a team with now',
    'Returns what of the version is gone or is another one by now, and what a restoration would change of agents and settings. A start from a version with such problems is refused (409 `team_changed`).',
    {
      params: { version: 3 },
      response: {
        problems: [{ code: 'toolChanged', agent: 'Tester', name: 'Issues: find' }],
        changes: [{ field: 'systemPrompt', agent: 'Tester', name: '', now: 'You test.', inVersion: 'You test what others wrote.' }],
      },
    },
  ],
  'teamVersion.restore': [
    'Restore the agents and settings of a version of a team',
    'Makes the changes of the check that has this `seen`. Where the team is another one by now, nothing changes (409 `team_changed`). `before` is a version of the team as it was.',
    { params: { version: 3 }, response: { changes: 1, before: { number: 4 } } },
  ],
  'budget.list': [
    'List budgets',
    'Returns the budgets of the account and of the project `projectId`, with what is used today and this month. With `executionId` it returns those that apply to this run. Amounts are in millionths of the currency.',
    { query: { projectId: ids.project }, response: { currencies: ['RUB', 'USD'] } },
  ],
  'budget.put': [
    'Set a budget',
    'Limits the model calls of a run, a project or the account, for each run, a day or a month (UTC). It replaces the budget of the same place. A call is made only if it fits with the most that it can use.',
    { body: { span: 'day', projectId: ids.project, money: { micros: 5_000_000 }, tokens: 2_000_000 } },
  ],
  'budget.remove': ['Remove a budget', 'Removes a budget of the caller. Calls that were made keep their cost.'],
  'budget.forecast': [
    'Forecast a run',
    'Returns the least and the most that the latest ten completed runs of a team have used. A team is a set of agents in a project; persons are not part of it. Forks, and runs that a budget has ended, do not count.',
    {
      response: {
        runs: 4,
        tokens: { min: 18_000, max: 41_000 },
        activeMs: { min: 32_000, max: 75_000 },
        money: [{ min: 210_000, max: 480_000 }],
        total: { amounts: [{ micros: 1_310_000 }] },
      },
    },
  ],
};
