import type { OperationDocs } from './operation.ts';
import { sampleAgent, sampleApiConfiguration, sampleIds, sampleRelationship, sampleTimes } from './samples.ts';

const id = sampleIds.agent;
const pair = { sourceAgentId: sampleIds.agent, targetAgentId: sampleIds.otherAgent };

export const agentOperations: OperationDocs<'agent'> = {
  'agent.list': {
    summary: 'List agents',
    description: 'Returns the agents of the caller.',
    example: { query: { limit: 20 }, response: [sampleAgent] },
  },
  'agent.get': {
    summary: 'Get an agent',
    description: 'Returns one agent of the caller. The model key is never part of the response.',
    example: { params: { id }, response: sampleAgent },
  },
  'agent.create': {
    summary: 'Create an agent',
    description: 'Creates an agent for the caller with the default model settings.',
    example: { body: { name: 'developer', title: 'Developer', role: 'Developer', skills: ['TypeScript', 'SQL'] }, response: sampleAgent },
  },
  'agent.createMany': {
    summary: 'Create several agents',
    description:
      'Creates up to 1,000 agents for the caller, all or none, and returns their ids in the given order. An entry with `copyOf` is a copy of an agent of the caller, with its prompt and model settings and without its key. Where they do not all fit into the storage of the account, `details.room` says how many of them would.',
    example: {
      body: {
        agents: [
          { copyOf: id, title: 'Developer 2' },
          { name: 'qa', title: 'Tester', role: 'QA' },
        ],
      },
      response: [
        { id, title: 'Developer 2', createdAt: sampleTimes.completed },
        { id: sampleIds.otherAgent, title: 'Tester', createdAt: sampleTimes.completed },
      ],
    },
  },
  'agent.removeUnused': {
    summary: 'Delete agents that are not used',
    description:
      'Deletes up to 1,000 agents of the caller, but for those that have worked or have a relationship. An agent on the canvas of another project than the named one stays too. Returns the ids of those that are gone.',
    example: { body: { agentIds: [id, sampleIds.otherAgent], projectId: sampleIds.project }, response: { removed: [id] } },
  },
  'agent.update': {
    summary: 'Change an agent',
    description: 'Changes the fields that the body holds; all others stay. Status and model settings have operations of their own.',
    example: { params: { id }, body: { title: 'Senior developer' }, response: { ...sampleAgent, title: 'Senior developer' } },
  },
  'agent.remove': {
    summary: 'Delete an agent',
    description:
      'Deletes an agent of the caller and its relationships. Earlier results stay. Fails with 409 while an execution or command of the agent has not ended.',
    example: { params: { id } },
  },
  'agent.byRole': {
    summary: 'List agents by role',
    description: 'Returns the agents of the caller with one role.',
    example: { params: { role: 'Developer' }, response: [sampleAgent] },
  },
  'agent.bySpecialization': {
    summary: 'List agents by specialization',
    description: 'Returns the agents of the caller with one specialization.',
    example: { params: { specialization: 'TypeScript' }, response: [sampleAgent] },
  },
  'agent.byStatus': {
    summary: 'List agents by status',
    description: 'Returns the agents of the caller with one status: `inactive` (0), `active` (1) or `busy` (2).',
    example: { params: { status: 'active' }, response: [sampleAgent] },
  },
  'agent.setStatus': {
    summary: 'Set the status of an agent',
    description: 'Sets the status that the owner wants. The server never changes it by itself, also not while the agent works.',
    example: { params: { id }, body: { status: 'busy' }, response: { ...sampleAgent, status: 2 } },
  },
  'agent.withContextAccess': {
    summary: 'List agents by context access',
    description:
      'Returns the agents of the caller whose context access level is at least `minAccessLevel`: 0 task, 1 additions, 2 last result, 3 all results.',
    example: { query: { minAccessLevel: 2 }, response: [sampleAgent] },
  },
  'agent.changes': {
    summary: 'List the changes of a prompt',
    description:
      'Returns the changes of the prompt of an agent, newest first, with the text before and after each. `before` asks for older ones. They are kept and thinned like the versions of a canvas.',
    example: {
      params: { id },
      response: {
        items: [
          {
            ...{ number: 2, cause: 'person', author: { id: sampleIds.user, name: 'Ann' }, at: sampleTimes.completed },
            ...{ before: 'You test.', after: 'You test what others wrote.' },
          },
        ],
        next: null,
      },
    },
  },
  'agent.relationships': {
    summary: 'List the relationships of an agent',
    description: 'Returns the relationships from and to an agent of the caller, oldest first.',
    example: { params: { id }, response: [sampleRelationship] },
  },
  'agent.relate': {
    summary: 'Create a relationship',
    description: 'Relates two agents of the caller. The fields are query parameters. Fails with 409 when the relationship exists.',
    example: {
      query: { ...pair, relationshipType: 'delegates-to', description: sampleRelationship.description },
      response: sampleRelationship,
    },
  },
  'agent.unrelate': {
    summary: 'Delete a relationship',
    description: 'Deletes a relationship between agents of the caller.',
    example: { params: { id: sampleIds.relationship } },
  },
  'agent.availableForDelegation': {
    summary: 'List agents for delegation',
    description: 'Returns the agents that the agent may delegate to now: related to it, active, and not at work.',
    example: { params: { id }, response: [{ ...sampleAgent, id: sampleIds.otherAgent, name: 'qa', title: 'Tester', role: 'QA' }] },
  },
  'agent.canDelegate': {
    summary: 'Check whether an agent may delegate',
    description: 'Returns whether one agent of the caller may delegate to another one now, with the reason as a code and a sentence.',
    example: {
      query: pair,
      response: { canDelegate: true, reason: 'delegates_to', message: 'This agent delegates to the other one, which is free.' },
    },
  },
  'agent.statistics': {
    summary: 'Get the statistics of an agent',
    description: 'Returns how many commands and steps an agent of the caller had, and how they ended. Times are in milliseconds.',
    example: {
      params: { id },
      response: {
        totalCommands: 12,
        successfulCommands: 11,
        failedCommands: 1,
        averageExecutionTime: 8_000,
        lastActivity: sampleTimes.completed,
      },
    },
  },
  'agent.postApiConfiguration': {
    summary: 'Set the model settings of an agent',
    description:
      'Changes model settings and key of the agent in the body; a field that is left out stays. A new host drops the key of the old one.',
    example: { body: { agentId: id, providerType: 'openai', model: 'gpt-4', apiKey: 'sk-example-x9Qa' }, response: sampleApiConfiguration },
  },
  'agent.apiConfiguration': {
    summary: 'Get the model settings of an agent',
    description: 'Returns the model settings of an agent of the caller. Of the key it shows the last four characters.',
    example: { params: { id }, response: sampleApiConfiguration },
  },
  'agent.putApiConfiguration': {
    summary: 'Change the model settings of an agent',
    description:
      'Changes the fields that the body holds. `apiKey` sets the key, null removes it, and without it the key stays. A new host drops the key of the old one.',
    example: { params: { id }, body: { temperature: 0.2 }, response: { ...sampleApiConfiguration, temperature: 0.2 } },
  },
  'agent.setModels': {
    summary: 'Set the model of several agents',
    description:
      'Gives agents of the caller a model, and the connection that serves it; null for the provider and the key of each agent. All change, or none. Returns those that change, with what they had before.',
    example: {
      body: { agentIds: [id, sampleIds.otherAgent], connectionId: null, model: 'gpt-4-turbo' },
      response: { agents: [{ agentId: id, connectionId: null, model: 'gpt-4' }] },
    },
  },
};
