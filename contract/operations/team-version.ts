import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleTimes } from './samples.ts';

const id = sampleIds.project;
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
        settings: { parallelSteps: 4, holdHandOffs: false, testCommand: null, fetchHosts: null, maxTurns: null, maxCalls: null },
      },
    },
  },
  'teamVersion.check': {
    summary: 'Compare a version of a team with now',
    description:
      'Returns the agents, connections and tools of the version that are gone or others by now, and the prompts that differ. A start from a version with such problems is refused (409 `team_changed`).',
    example: {
      params: { id, version: 3 },
      response: {
        problems: [{ code: 'toolChanged', agentId: sampleIds.agent, agent: 'Tester', name: 'Issues: find' }],
        prompts: [{ agentId: sampleIds.agent, title: 'Tester', now: 'You test.', inVersion: 'You test what others wrote.' }],
      },
    },
  },
  'teamVersion.restorePrompts': {
    summary: 'Restore prompts of a version of a team',
    description:
      'Gives the named agents the prompts that they have in the version. Each change is kept in the history of its agent. Returns the agents that have changed.',
    example: { params: { id, version: 3 }, body: { agentIds: [sampleIds.agent] }, response: { agentIds: [sampleIds.agent] } },
  },
};
