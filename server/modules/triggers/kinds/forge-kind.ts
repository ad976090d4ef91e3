import { ApiError } from '../../../http/api-error.ts';
import { eq } from '../../../platform/database/drizzle.ts';
import { bringForward } from '../forge/bring-forward.ts';
import { triggers } from '../tables.ts';
import { valuesInBody } from './team-values.ts';
import type { TriggerKindOf } from './trigger-kind.ts';

export const forgeKind: TriggerKindOf<'forge'> = {
  words: 'webhook',
  hasBody: true,
  comesOnce: true,
  // An issue waits once, and its label is not set again by itself: all that have it wait, in their order.
  maxWaiting: null,
  waitsFor: new Set(['budget', 'paused']),
  overlap: 'queue',
  fixed: [],
  readsRepository: true,
  hook: {
    scheme: (_settings, forge) => forge(),
    secretFor: () => 'bearer',
    // What has happened is read from the forge itself.
    carriesEvent: false,
  },
  queue: 'forge',
  begin: async (tx, id, _settings, queue) => {
    const [trigger] = await tx.select().from(triggers).where(eq(triggers.id, id)).for('no key update');
    if (!trigger) throw new ApiError('not_found');
    await bringForward(tx, queue, trigger, 0);
    return trigger;
  },
  check: async () => {},
  filled: ({ fields: values }) => ({ at: 'settings.fields', values }),
  outlook: async () => null,
  isPing: () => false,
  input: ({ fields: paths }, fields, arrival) => valuesInBody({ fields: paths, filter: [] }, fields, arrival),
  parts: (threads, trigger, body, language) => threads.partsOf(trigger, body, language),
  started: (threads, tx, { trigger, body, runId }) => threads.started(tx, trigger, body, runId),
};
