import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleTimes } from './samples.ts';

const id = sampleIds.project;
const seen = 'fn9wdYpYyRNcAnRhKIoA5wZ2yDqCIEr2gu5zTYl5Nyo';
const item = {
  ...{ id: '019a2f10-0000-7000-8000-000000000020', number: 3, canvasVersion: 8, name: 'Before the release', note: '', runs: 2 },
  ...{ author: { id: sampleIds.user, name: 'Ann' }, at: sampleTimes.completed },
};

export const teamVersionOperations: OperationDocs<'teamVersion'> = {
  'teamVersion.list': {
    summary: 'List the versions of a team',
    description:
      'Returns the versions of the team of a project, newest first. Each start of a run has one; the same team has one version. `named` asks for those that a person has named.',
    example: { params: { id }, response: { items: [item], next: null } },
  },
  'teamVersion.create': {
    summary: 'Name the team as it is',
    description:
      'Stores canvas, agents and settings as they are now under a name. A team that has a version already keeps it, with this name. Fails with 409 after 200 names.',
    example: { params: { id }, body: { name: item.name }, response: item },
  },
  'teamVersion.get': {
    summary: 'Get a version of a team',
    description:
      'Returns a version with its canvas, its agents with prompts, models and tools, and its settings. No key is in it. `version` is its number or its id.',
    example: {
      params: { id, version: 3 },
      response: {
        ...item,
        document: { nodes: {}, connections: {} },
        agents: {},
        settings: {
          parallelSteps: 4,
          holdHandOffs: false,
          testCommand: null,
          installs: null,
          fetchHosts: null,
          maxTurns: null,
          maxCalls: null,
        },
      },
    },
  },
  'teamVersion.check': {
    summary: 'Compare a version of a team with now',
    description:
      'Returns what of the version is gone or is another one by now, and what a restoration would change of agents and settings. A start from a version with such problems is refused (409 `team_changed`).',
    example: {
      params: { id, version: 3 },
      response: {
        problems: [{ code: 'toolChanged', agentId: sampleIds.agent, agent: 'Tester', name: 'Issues: find' }],
        changes: [
          {
            ...{ field: 'systemPrompt', agentId: sampleIds.agent, agent: 'Tester', name: '' },
            ...{ now: 'You test.', inVersion: 'You test what others wrote.' },
          },
        ],
        seen,
      },
    },
  },
  'teamVersion.restore': {
    summary: 'Restore the agents and settings of a version of a team',
    description:
      'Makes the changes of the check that has this `seen`. Where the team is another one by now, nothing changes (409 `team_changed`). `before` is a version of the team as it was.',
    example: { params: { id, version: 3 }, body: { seen }, response: { changes: 1, before: { number: 4, seen } } },
  },
};
