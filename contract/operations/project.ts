import type { CanvasMark } from '../canvas-version.ts';
import type { GitTarget } from '../executions/publishing.ts';
import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleProject, sampleTimes } from './samples.ts';

const id = sampleIds.project;
const developer = { id: 'node-developer', type: 'agent', title: 'Developer', x: 400, y: 40, serverAgentId: sampleIds.agent } as const;
const dialog = { id: 'node-dialog', type: 'dialog', title: 'Dialog', x: 0, y: 0 } as const;
const link = {
  id: 'link-1',
  from: { agentId: 'node-dialog', port: 'out' },
  to: { agentId: 'node-developer', port: 'in' },
} as const;
const document = { nodes: { [dialog.id]: dialog, [developer.id]: developer }, connections: { [link.id]: link } };

const target: GitTarget = {
  url: 'https://git.example.com/ann/shop',
  baseBranch: 'main',
  prefix: 'artel/',
  forge: 'gitea',
  author: null,
  signsOff: false,
  paths: [],
  hasToken: true,
  tokenLast4: 'f00d',
  updatedAt: sampleTimes.created,
};

const mark: CanvasMark = {
  version: 8,
  kind: 'hand',
  name: 'Before the review loop',
  note: 'Works with two reviewers.',
  at: sampleTimes.completed,
};

export const projectOperations: OperationDocs<'project'> = {
  'project.list': {
    summary: 'List projects',
    description: 'Returns the projects of the caller.',
    example: { query: { limit: 20 }, response: [sampleProject] },
  },
  'project.get': {
    summary: 'Get a project',
    description: 'Returns one project of the caller. `default` stands for the first one.',
    example: { params: { id }, response: sampleProject },
  },
  'project.create': {
    summary: 'Create a project',
    description: 'Creates a project with an empty canvas for the caller.',
    example: { body: { name: 'Shop', description: 'The online shop and its catalogue.' }, response: sampleProject },
  },
  'project.update': {
    summary: 'Change a project',
    description:
      'Changes the name, the description or settings of runs of a project of the caller; a field that is left out stays. `testCommand` is executed by the runner of the operator, if there is one, and never by the server.',
    example: { params: { id }, body: { name: 'Web shop' }, response: { ...sampleProject, name: 'Web shop' } },
  },
  'project.gitTarget': {
    summary: 'Get the repository of a project',
    description:
      'Returns where the runs of a project of the caller are published; null for a project without a repository. The token is never returned.',
    example: { params: { id }, response: { target } },
  },
  'project.putGitTarget': {
    summary: 'Set the repository of a project',
    description:
      'Stores where the runs of a project are published; what is left out stays, and a null `author` is the person who publishes. The token is encrypted, reads private repositories of its host too, and is removed when the host changes without a new one. Fails with `publish_refused` for an address that the server does not call.',
    example: {
      params: { id },
      body: { url: target.url, baseBranch: 'main', prefix: 'artel/', forge: 'gitea', token: 'a-token-f00d' },
      response: { target },
    },
  },
  'project.removeGitTarget': {
    summary: 'Remove the repository of a project',
    description: 'Removes repository and token of a project of the caller. Succeeds when there is none.',
    example: { params: { id } },
  },
  'project.remove': {
    summary: 'Delete a project',
    description:
      'Deletes a project of the caller with its canvas, pipelines, executions and history. Fails with 409 for the last project, and while one of its executions has not ended.',
    example: { params: { id } },
  },
  'project.byStatus': {
    summary: 'List projects by status',
    description: 'Returns the projects of the caller with one status. The status is a name in any spelling, or its index from 0.',
    example: { params: { status: 'active' }, response: [sampleProject] },
  },
  'project.active': {
    summary: 'List active projects',
    description: 'Returns the projects of the caller with the status `active`.',
    example: { response: [sampleProject] },
  },
  'project.byUser': {
    summary: 'List projects of a user',
    description: 'Returns the projects of a user. The user must be the caller; any other id gets 404.',
    example: { params: { userId: sampleIds.user }, response: [sampleProject] },
  },
  'project.statistics': {
    summary: 'Get the statistics of a project',
    description:
      'Returns how many agents, pipelines and executions a project of the caller has, and how the executions ended. Times are in milliseconds.',
    example: {
      params: { id },
      response: {
        totalAgents: 3,
        activeAgents: 3,
        totalPipelines: 2,
        activePipelines: 0,
        totalExecutions: 5,
        successfulExecutions: 4,
        failedExecutions: 1,
        averageExecutionTime: 8_000,
        lastActivity: sampleTimes.completed,
      },
    },
  },
  'project.setStatus': {
    summary: 'Set the status of a project',
    description: 'Sets the status of a project of the caller. The status is a name in any spelling, or its index from 0.',
    example: { params: { id }, body: { status: 'onHold' }, response: { ...sampleProject, status: 'onHold' } },
  },
  'project.canvas': {
    summary: 'Get the canvas of a project',
    description: 'Returns all nodes and links with the version of the canvas. Send this version as `baseVersion` when you save.',
    example: { params: { id }, response: { ...document, version: 7 } },
  },
  'project.versions': {
    summary: 'List the versions of a canvas',
    description:
      'Returns the saved versions, newest first, in groups: changes of one author that follow closely upon each other. `before` asks for older ones, `search` for marked ones by name or note. Older versions than `keepDays` are thinned to marked ones and one a day.',
    example: {
      params: { id },
      query: { limit: 20 },
      response: {
        items: [
          {
            version: 8,
            from: 5,
            changes: 3,
            since: sampleTimes.created,
            at: sampleTimes.completed,
            author: { id: sampleIds.user, name: 'Ann' },
            counts: { added: 1, removed: 0, changed: 2, moved: 4, linksAdded: 1, linksRemoved: 0, linksChanged: 0 },
            titles: ['Developer'],
            mark,
          },
        ],
        next: null,
        current: 8,
        bytes: 48_000,
        maxBytes: 134_217_728,
        keepDays: 30,
        trimmed: null,
      },
    },
  },
  'project.compareVersions': {
    summary: 'Compare two versions of a canvas',
    description:
      'Returns the nodes and links that differ, as they are in both versions. The cost grows with the changes between the versions. Fails with 410 `version_removed` when one of them is not kept any more.',
    example: {
      params: { id },
      query: { left: 7, right: 8 },
      response: {
        left: 7,
        right: 8,
        nodes: [{ id: developer.id, left: developer, right: { ...developer, x: 480 } }],
        connections: [{ id: link.id, left: link }],
      },
    },
  },
  'project.promptChanges': {
    summary: 'List the changes of prompts on a canvas',
    description: 'Returns the changes of the prompts of the agents on the canvas, newest first, without their texts.',
    example: {
      params: { id },
      response: [
        {
          ...{ agentId: sampleIds.agent, title: 'Tester', number: 2, cause: 'person', author: { id: sampleIds.user, name: 'Ann' } },
          ...{ at: '2026-01-15T09:00:00.000Z', lengthBefore: 9, lengthAfter: 27 },
        },
      ],
    },
  },
  'project.version': {
    summary: 'Get a version of a canvas',
    description: 'Returns all nodes and links as they were. Fails with 410 `version_removed` when the version is not kept any more.',
    example: { params: { id, version: 7 }, response: { ...document, version: 7 } },
  },
  'project.putMark': {
    summary: 'Mark a version of a canvas',
    description: 'Gives a version a name, or another one. A marked version is kept longer. A project has at most 200 of them by hand.',
    example: { params: { id, version: 8 }, body: { name: mark.name, note: mark.note }, response: mark },
  },
  'project.removeMark': {
    summary: 'Remove the mark of a version',
    description: 'Removes the name of a version. The version stays as long as one without a mark.',
    example: { params: { id, version: 8 } },
  },
  'project.patchCanvas': {
    summary: 'Change records of a canvas',
    description:
      'Applies the patches in order and returns the new version. Each patch sets or removes one whole node or link. Fails with 409 `canvas_stale` when `baseVersion` is old; `details` then hold the current canvas if it has at most 256 KiB.',
    example: {
      params: { id },
      body: {
        baseVersion: 7,
        patches: [
          { op: 'set', collection: 'nodes', id: developer.id, value: { ...developer, x: 480 } },
          { op: 'remove', collection: 'connections', id: link.id },
        ],
      },
      response: { version: 8 },
    },
  },
  'project.putCanvas': {
    summary: 'Replace a canvas',
    description:
      'Replaces all nodes and links and returns the new version. The body may have 16 MiB. Fails with 409 `canvas_stale` when `baseVersion` is old; `details` then hold the current canvas if it has at most 256 KiB.',
    example: { params: { id }, body: { ...document, baseVersion: 7 }, response: { version: 8 } },
  },
};
