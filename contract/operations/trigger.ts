import type { Fire, Trigger, TriggerCreation } from '../trigger.ts';
import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleTimes } from './samples.ts';

const { project: id, trigger: triggerId, releasedTeam: teamId, execution } = sampleIds;
const settings = { kind: 'schedule' as const, cron: '0 9 * * 1-5', zone: 'Europe/Moscow', input: { topic: 'News' } };
const limits = { tokens: 500_000, atLimit: 'stop' as const, warnAt: 80 };
const key = '2026-01-15T06:00:00.000Z';

const fire: Fire = {
  ...{ key, dueAt: key, at: key, outcome: 'started', reason: null, detail: null, about: null, again: false, hasBody: false },
  run: { id: execution, status: 'completed' },
};
const trigger: Trigger = {
  id: triggerId,
  projectId: id,
  kind: 'schedule',
  name: 'Each morning',
  team: { id: teamId, slug: 'digest', title: 'Digest' },
  settings,
  overlap: 'skip',
  missed: 'once',
  graceSeconds: 3_600,
  budget: { id: sampleIds.budget, ...limits, span: 'day', used: { micros: 0, tokens: 12_000, calls: 6, activeMs: 40_000 } },
  nextAt: '2026-01-16T06:00:00.000Z',
  pausedAt: null,
  pausedReason: null,
  failures: 0,
  lastFire: fire,
  address: null,
  forge: null,
  createdAt: sampleTimes.created,
};
const creation: TriggerCreation = { name: 'Each morning', teamId, settings, budget: { ...limits, span: 'day' } };

export const triggerOperations: OperationDocs<'trigger'> = {
  'trigger.list': {
    summary: 'List the triggers of a project',
    description: 'Returns what starts runs of released teams by itself, oldest first. Secrets are never returned.',
    example: { params: { id }, response: [trigger] },
  },
  'trigger.create': {
    summary: 'Add a trigger to a project',
    description:
      'A webhook or a schedule then starts runs of the released team, within its budget of a day. The secret of a webhook is returned only here. Fails with `too_many_triggers` at the limit.',
    example: { params: { id }, body: creation, response: { ...trigger, lastFire: null, secret: null } },
  },
  'trigger.preview': {
    summary: 'Preview a schedule',
    description: 'Returns the next instants of five fields of cron in a zone. A time that the clocks leave out is moved behind the gap.',
    example: {
      query: { cron: '0 9 * * 1-5', zone: 'Europe/Moscow' },
      response: { next: ['2026-01-16T06:00:00.000Z'], firesADay: 0.71 },
    },
  },
  'trigger.get': {
    summary: 'Get a trigger',
    description:
      'Returns the trigger with its next instants, its last twenty fires, and what the last ten runs of its team have cost on average.',
    example: {
      params: { id, triggerId },
      response: { ...trigger, fires: [fire], next: ['2026-01-16T06:00:00.000Z'], costOfRun: { amounts: [] }, firesADay: 0.71, threads: [] },
    },
  },
  'trigger.update': {
    summary: 'Change a trigger',
    description: 'What is not given stays. A changed schedule counts from now on. `isOn: true` also forgets earlier failures.',
    example: {
      params: { id, triggerId },
      body: { isOn: false },
      response: { ...trigger, nextAt: null, pausedAt: sampleTimes.started, pausedReason: 'owner' },
    },
  },
  'trigger.remove': {
    summary: 'Remove a trigger',
    description: 'Removes the trigger with its fires. Runs that it has started go on.',
    example: { params: { id, triggerId } },
  },
  'trigger.renewSecret': {
    summary: 'Renew the secret of a webhook',
    description: 'Returns another secret, only here. The one before is valid for a day, so that the sender can be changed meanwhile.',
    example: {
      params: { id, triggerId },
      response: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=', earlierUntil: sampleTimes.completed },
    },
  },
  'trigger.fires': {
    summary: 'List the fires of a trigger',
    description: 'Returns what came in, the newest first, with its run or with the reason why there is none. They are kept for 90 days.',
    example: { params: { id, triggerId }, response: [fire] },
  },
  'trigger.again': {
    summary: 'Fire again',
    description: 'Starts a run with what came then, under a new key. Fails with `not_found` where the body is not kept any more.',
    example: { params: { id, triggerId, key }, response: { ...fire, key: 'again:019a2f10-0000-7000-8000-00000000001b', again: true } },
  },
  'trigger.try': {
    summary: 'Try a body',
    description:
      'Says whether a body would start a run, and with which task. `event` is the kind of the event, as the header of its sender would say it. Nothing is started and nothing is stored.',
    example: {
      params: { id, triggerId },
      body: { event: 'issues', body: '{"issue":{"title":"Dates are wrong"}}' },
      response: { passes: true, reason: null, detail: null, task: 'Mend: Dates are wrong' },
    },
  },
};
