import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleThought } from './samples.ts';

const subject = `artel.user.${sampleIds.user}`;
const bus = { mode: 'embedded', connected: true } as const;
const subscriptionTo = (events: string) => ({ subject, webSocket: '/api/natsws', events: `/api/agentthought/subscribe/${events}` });

export const thoughtOperations: OperationDocs<'thought'> = {
  'thought.publish': {
    summary: 'Publish a thought',
    description: 'Stores a thought of an agent of the caller and publishes it to the subscribers. The text may have 100,000 characters.',
    example: {
      body: { agentId: sampleIds.agent, projectId: sampleIds.project, content: sampleThought.content },
      response: { ...sampleThought, executionId: null, stepId: null },
    },
  },
  'thought.busStatus': {
    summary: 'Get the state of the event bus',
    description: 'Returns which bus carries the events, whether it is connected, and where the caller can subscribe.',
    example: { response: { ...bus, subject, webSocket: '/api/natsws' } },
  },
  'thought.followAgent': {
    summary: 'Subscribe to the thoughts of an agent',
    description:
      'Streams new thoughts of an agent of the caller as Server-Sent Events to a caller that accepts `text/event-stream`. Any other caller gets the addresses to subscribe to.',
    example: { params: { agentId: sampleIds.agent }, response: subscriptionTo(sampleIds.agent) },
  },
  'thought.followProject': {
    summary: 'Subscribe to the thoughts in a project',
    description:
      'Streams new thoughts in a project of the caller as Server-Sent Events to a caller that accepts `text/event-stream`. Any other caller gets the addresses to subscribe to.',
    example: { params: { id: sampleIds.project }, response: subscriptionTo(`project/${sampleIds.project}`) },
  },
  'thought.followUser': {
    summary: 'Subscribe to the thoughts of a user',
    description: 'Streams new thoughts of all agents of a user as Server-Sent Events. The user must be the caller; any other id gets 404.',
    example: { params: { id: sampleIds.user }, response: subscriptionTo(`user/${sampleIds.user}`) },
  },
  'thought.followGlobal': {
    summary: 'Subscribe to all thoughts',
    description: 'Streams all new thoughts that the caller may read as Server-Sent Events. These are the thoughts of the own agents.',
    example: { response: subscriptionTo('global') },
  },
  'thought.test': {
    summary: 'Test the event bus',
    description: 'Publishes a test thought of an agent of the caller and returns whether the bus delivered it. The thought is not stored.',
    example: { params: { id: sampleIds.agent }, response: { published: true, received: true, roundTripMs: 2, subject, bus } },
  },
  'thought.ofAgent': {
    summary: 'List the thoughts of an agent',
    description: 'Returns the stored thoughts of an agent of the caller, newest first.',
    example: { params: { id: sampleIds.agent }, query: { limit: 20 }, response: [sampleThought] },
  },
  'thought.ofProject': {
    summary: 'List the thoughts in a project',
    description: 'Returns the stored thoughts in a project of the caller, newest first.',
    example: { params: { id: sampleIds.project }, response: [sampleThought] },
  },
  'thought.ofUser': {
    summary: 'List the thoughts of a user',
    description: 'Returns the stored thoughts of all agents of a user, newest first. The user must be the caller; any other id gets 404.',
    example: { params: { id: sampleIds.user }, response: [sampleThought] },
  },
  'thought.all': {
    summary: 'List all thoughts',
    description: 'Returns all stored thoughts that the caller may read, newest first. These are the thoughts of the own agents.',
    example: { response: [sampleThought] },
  },
};
