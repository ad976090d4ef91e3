import { type HookDelivery, type HookOut, hookEvents } from '../hook.ts';
import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleTimes } from './samples.ts';

const { project: id, hook: hookId, delivery: deliveryId } = sampleIds;
const url = 'https://ci.example.com/artel';

const hook: HookOut = {
  id: hookId,
  projectId: id,
  url,
  events: [...hookEvents],
  withTexts: false,
  createdAt: sampleTimes.created,
  failingSince: null,
  offSince: null,
  offBecause: null,
  formerSecretUntil: null,
};
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const delivery: HookDelivery = {
  id: deliveryId,
  eventId: '019a2f10-0000-7000-8000-000000000019',
  event: 'run.ended',
  createdAt: sampleTimes.started,
  status: 'delivered',
  attempt: 1,
  nextAt: null,
  triedAt: sampleTimes.started,
  problem: null,
  answerStatus: 204,
};

export const hookOperations: OperationDocs<'hook'> = {
  'hook.list': {
    summary: 'List the hooks of a project',
    description: 'Returns the receivers that are told of events of the project, oldest first. Secrets are never returned.',
    example: { params: { id }, response: [hook] },
  },
  'hook.create': {
    summary: 'Add a hook to a project',
    description:
      'Each ticked event is then sent to the address by POST, signed as Standard Webhooks says. The secret is returned only here. Fails with `hook_refused` for an address that this server does not call, and for an eleventh hook.',
    example: {
      params: { id },
      body: { url, events: [...hookEvents], withTexts: false },
      response: { ...hook, secret },
    },
  },
  'hook.update': {
    summary: 'Change a hook',
    description: 'What is not given stays. A hook that is switched off gets nothing, and what was on its way to it is stopped.',
    example: { params: { id, hookId }, body: { isOn: false }, response: { ...hook, offSince: sampleTimes.started, offBecause: 'owner' } },
  },
  'hook.replaceSecret': {
    summary: 'Replace the secret of a hook',
    description:
      'Returns a new secret, only here. For 24 hours every event is signed with both, so that the receiver can change over. Fails with `hook_refused` when four replaced secrets still sign.',
    example: { params: { id, hookId }, response: { ...hook, formerSecretUntil: sampleTimes.started, secret } },
  },
  'hook.remove': {
    summary: 'Remove a hook',
    description: 'Removes the receiver with its list of deliveries. What was on its way to it is not sent.',
    example: { params: { id, hookId } },
  },
  'hook.test': {
    summary: 'Send a test event',
    description: 'Sends an event of the type `test` once. Its outcome is in the list of deliveries a moment later.',
    example: {
      params: { id, hookId },
      response: { ...delivery, event: 'test', status: 'pending', attempt: 0, triedAt: null, answerStatus: null },
    },
  },
  'hook.deliveries': {
    summary: 'List the deliveries of a hook',
    description:
      'Returns the events that were sent to the receiver in the last 30 days, newest first, each with the outcome of its last try.',
    example: { params: { id, hookId }, response: [delivery] },
  },
  'hook.resend': {
    summary: 'Send an event again',
    description:
      'Sends an event at once, with the same `webhook-id`, and eight tries again. Fails with `hook_refused` while the hook is off.',
    example: { params: { id, hookId, deliveryId }, response: { ...delivery, status: 'pending', attempt: 0, answerStatus: null } },
  },
};
