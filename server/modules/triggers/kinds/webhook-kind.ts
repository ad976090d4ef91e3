import { maxWaitingFires } from '../../../../contract/trigger.ts';
import { startClock } from '../clock-jobs.ts';
import { valuesInBody } from './team-values.ts';
import type { TriggerKindOf } from './trigger-kind.ts';

/** The kinds of events by which GitHub and Bitbucket try a new webhook. They ask for nothing. */
const pings: ReadonlySet<string | null> = new Set(['ping', 'diagnostics:ping']);

export const webhookKind: TriggerKindOf<'webhook'> = {
  words: 'webhook',
  hasBody: true,
  // Its sender keeps it.
  comesOnce: false,
  maxWaiting: maxWaitingFires,
  waitsFor: new Set(),
  overlap: null,
  fixed: ['scheme'],
  readsRepository: false,
  hook: { scheme: async ({ scheme }) => scheme, secretFor: ({ scheme }) => scheme, carriesEvent: true },
  queue: 'trigger',
  begin: (tx, id, _settings, queue) => startClock(tx, id, queue, () => null),
  check: async () => {},
  filled: ({ fields: values }) => ({ at: 'settings.fields', values }),
  outlook: async () => null,
  isPing: (event) => pings.has(event),
  input: valuesInBody,
  // What came is a file of the run.
  parts: async (_threads, _trigger, body) => (body === null ? {} : { files: [{ name: 'event.json', content: body }] }),
  started: async () => true,
};
