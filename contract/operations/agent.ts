import type { CommandState } from '../command.ts';
import type { OperationDocs, Part } from './operation.ts';
import { ids, times } from './samples.ts';

const pending: Part<CommandState> = {
  updatedAt: times.started,
  status: 'pending',
  result: null,
  response: null,
  progress: 0,
  executionTimeMs: null,
  provider: null,
  model: null,
  usage: null,
  attempts: 0,
  startedAt: null,
  completedAt: null,
};

/** Agents, and what they are told and think. */
export const agentOperations: OperationDocs<'agent' | 'command' | 'thought'> = {
  'agent.list': ['List agents', 'Returns the agents of the caller.'],
  'agent.get': ['Get an agent', 'Returns one agent of the caller. The model key is never part of the response.'],
  'agent.create': [
    'Create an agent',
    'Creates an agent for the caller with the default model settings.',
    { body: { skills: ['TypeScript', 'SQL'] } },
  ],
  'agent.createMany': [
    'Create several agents',
    'Creates up to 1,000 agents for the caller, all or none, and returns their ids in the given order. An entry with `copyOf` is a copy of an agent of the caller, with its prompt and model settings and without its key. Where they do not all fit into the storage of the account, `details.room` says how many of them would.',
    {
      body: {
        agents: [
          { copyOf: ids.agent, title: 'Developer 2' },
          { name: 'qa', title: 'Tester', role: 'QA' },
        ],
      },
      response: [{ title: 'Developer 2' }, { id: ids.otherAgent, title: 'Tester' }],
    },
  ],
  'agent.removeUnused': [
    'Delete agents that are not used',
    'Deletes up to 1,000 agents of the caller, but for those that have worked or have a relationship. An agent on the canvas of another project than the named one stays too. Returns the ids of those that are gone.',
    { response: { removed: [ids.agent] } },
  ],
  'agent.update': [
    'Change an agent',
    'Changes the fields that the body holds; all others stay. Status and model settings have operations of their own.',
    { body: { title: 'Senior developer' } },
  ],
  'agent.remove': [
    'Delete an agent',
    'Deletes an agent of the caller and its relationships. Earlier results stay. Fails with 409 while an execution or command of the agent has not ended.',
  ],
  'agent.byRole': ['List agents by role', 'Returns the agents of the caller with one role.'],
  'agent.bySpecialization': ['List agents by specialization', 'Returns the agents of the caller with one specialization.'],
  'agent.byStatus': [
    'List agents by status',
    'Returns the agents of the caller with one status: `inactive` (0), `active` (1) or `busy` (2).',
    { params: { status: 'active' } },
  ],
  'agent.setStatus': [
    'Set the status of an agent',
    'Sets the status that the owner wants. The server never changes it by itself, also not while the agent works.',
    { body: { status: 'busy' } },
  ],
  'agent.withContextAccess': [
    'List agents by context access',
    'Returns the agents of the caller whose context access level is at least `minAccessLevel`: 0 task, 1 additions, 2 last result, 3 all results.',
    { query: { minAccessLevel: 2 } },
  ],
  'agent.changes': [
    'List the changes of a prompt',
    'Returns the changes of the prompt of an agent, newest first, with the text before and after each. `before` asks for older ones. They are kept and thinned like the versions of a canvas.',
    { response: { items: [{ number: 2, before: 'You test.', after: 'You test what others wrote.' }] } },
  ],
  'agent.relationships': [
    'List the relationships of an agent',
    'Returns the relationships from and to an agent of the caller, oldest first.',
  ],
  'agent.relate': [
    'Create a relationship',
    'Relates two agents of the caller. The fields are query parameters. Fails with 409 when the relationship exists.',
  ],
  'agent.unrelate': ['Delete a relationship', 'Deletes a relationship between agents of the caller.'],
  'agent.availableForDelegation': [
    'List agents for delegation',
    'Returns the agents that the agent may delegate to now: related to it, active, and not at work.',
    { response: [{ id: ids.otherAgent, name: 'qa', title: 'Tester', role: 'QA' }] },
  ],
  'agent.canDelegate': [
    'Check whether an agent may delegate',
    'Returns whether one agent of the caller may delegate to another one now, with the reason as a code and a sentence.',
    { response: { canDelegate: true, message: 'This agent delegates to the other one, which is free.' } },
  ],
  'agent.statistics': [
    'Get the statistics of an agent',
    'Returns how many commands and steps an agent of the caller had, and how they ended. Times are in milliseconds.',
    { response: { totalCommands: 12, successfulCommands: 11, failedCommands: 1 } },
  ],
  'agent.postApiConfiguration': [
    'Set the model settings of an agent',
    'Changes model settings and key of the agent in the body; a field that is left out stays. A new host drops the key of the old one.',
    { body: { providerType: 'openai', model: 'gpt-4', apiKey: 'sk-example-x9Qa' } },
  ],
  'agent.apiConfiguration': [
    'Get the model settings of an agent',
    'Returns the model settings of an agent of the caller. Of the key it shows the last four characters.',
  ],
  'agent.putApiConfiguration': [
    'Change the model settings of an agent',
    'Changes the fields that the body holds. `apiKey` sets the key, null removes it, and without it the key stays. A new host drops the key of the old one.',
    { body: { temperature: 0.2 } },
  ],
  'agent.setModels': [
    'Set the model of several agents',
    'Gives agents of the caller a model, and the connection that serves it; null for the provider and the key of each agent. All change, or none. Returns those that change, with what they had before.',
    { body: { model: 'gpt-4-turbo' }, response: { agents: [{}] } },
  ],
  'command.execute': [
    'Send a command to an agent and wait',
    'Sends a command to an agent of the caller and waits up to 25 seconds for its result. Responds with 202 and the state of the command when it takes longer. Fails with 429 above 30,000 commands a minute.',
    { body: { projectId: ids.project } },
  ],
  'command.executeAsync': [
    'Send a command to an agent',
    'Queues a command for an agent of the caller and responds at once. The command survives a restart of the server. Up to 20 commands of one agent run at the same time.',
    { body: { projectId: ids.project }, response: pending },
  ],
  'command.status': [
    'Get the state of a command',
    'Returns the state of a command of the caller, with its result or error when it has ended.',
  ],
  'command.cancel': [
    'Cancel a command',
    'Cancels a command of the caller and aborts its model call. A step that the command has joined goes on. Fails with 409 when the command has ended.',
    { response: { ...pending, status: 'cancelled', completedAt: times.completed } },
  ],
  'command.history': [
    'List the commands of an agent',
    'Returns the commands of an agent of the caller, newest first. Long tasks and results are cut; the state of the command has the whole result.',
    { query: { status: 'completed' } },
  ],
  'command.clearHistory': [
    'Delete the ended commands of an agent',
    'Deletes the commands of an agent of the caller that have ended. Commands that wait or run stay.',
  ],
  'command.statistics': [
    'Get the command statistics of an agent',
    'Returns how many commands an agent of the caller had, and how they ended. Times are in milliseconds.',
    { response: { totalCommands: 12, successfulCommands: 11, failedCommands: 1 } },
  ],
  'command.availability': [
    'Check whether an agent is available',
    'Returns whether an agent of the caller would begin with a command at once.',
    { response: { isAvailable: true, status: 1, lastSeen: times.completed } },
  ],
  'command.load': [
    'Get the load of an agent',
    'Returns how many commands and steps of an agent of the caller are under way, and how many may be.',
    { response: { currentLoad: 1, maxLoad: 20, loadPercentage: 5 } },
  ],
  'command.openai': [
    'Request a chat completion',
    'Takes a chat request in the form of the OpenAI API and answers it with the provider of an agent of the caller. Responds with 202 and a command when it takes longer than 25 seconds. Streaming is not supported.',
    {
      body: { messages: [{ role: 'user', content: 'How do I make the price filter fast?' }], max_tokens: 200 },
      response: {
        created: 1_768_469_400,
        choices: [{ message: { content: 'Use an index on `price`.' } }],
        usage: { prompt_tokens: 60, completion_tokens: 12, total_tokens: 72 },
      },
    },
  ],
  'thought.publish': [
    'Publish a thought',
    'Stores a thought of an agent of the caller and publishes it to the subscribers. The text may have 100,000 characters.',
    { body: { projectId: ids.project }, response: { executionId: null, stepId: null } },
  ],
  'thought.busStatus': [
    'Get the state of the event bus',
    'Returns which bus carries the events, whether it is connected, and where the caller can subscribe.',
    { response: { connected: true } },
  ],
  'thought.followAgent': [
    'Subscribe to the thoughts of an agent',
    'Streams new thoughts of an agent of the caller as Server-Sent Events to a caller that accepts `text/event-stream`. Any other caller gets the addresses to subscribe to.',
    { response: { events: `/api/agentthought/subscribe/${ids.agent}` } },
  ],
  'thought.followProject': [
    'Subscribe to the thoughts in a project',
    'Streams new thoughts in a project of the caller as Server-Sent Events to a caller that accepts `text/event-stream`. Any other caller gets the addresses to subscribe to.',
    { response: { events: `/api/agentthought/subscribe/project/${ids.project}` } },
  ],
  'thought.followUser': [
    'Subscribe to the thoughts of a user',
    'Streams new thoughts of all agents of a user as Server-Sent Events. The user must be the caller; any other id gets 404.',
    { response: { events: `/api/agentthought/subscribe/user/${ids.user}` } },
  ],
  'thought.followGlobal': [
    'Subscribe to all thoughts',
    'Streams all new thoughts that the caller may read as Server-Sent Events. These are the thoughts of the own agents.',
    { response: { events: '/api/agentthought/subscribe/global' } },
  ],
  'thought.test': [
    'Test the event bus',
    'Publishes a test thought of an agent of the caller and returns whether the bus delivered it. The thought is not stored.',
    { params: { id: ids.agent }, response: { published: true, received: true, roundTripMs: 2 } },
  ],
  'thought.ofAgent': ['List the thoughts of an agent', 'Returns the stored thoughts of an agent of the caller, newest first.'],
  'thought.ofProject': ['List the thoughts in a project', 'Returns the stored thoughts in a project of the caller, newest first.'],
  'thought.ofUser': [
    'List the thoughts of a user',
    'Returns the stored thoughts of all agents of a user, newest first. The user must be the caller; any other id gets 404.',
  ],
  'thought.all': [
    'List all thoughts',
    'Returns all stored thoughts that the caller may read, newest first. These are the thoughts of the own agents.',
  ],
};
