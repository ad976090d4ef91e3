import { maxWaitingFires, shownInstants } from '../../../../contract/trigger.ts';
import type { Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import { instantsOf, outlookOf, type Schedule, WrongSchedule } from '../../../platform/work-queue/pg-boss/schedule-instants.ts';
import { startClock } from '../clock-jobs.ts';
import { refusedField } from '../refused-field.ts';
import { checkedValues } from './team-values.ts';
import type { Outlook, TriggerKindOf } from './trigger-kind.ts';

export const scheduleKind: TriggerKindOf<'schedule'> = {
  // The account has entered them.
  words: 'account',
  hasBody: false,
  comesOnce: true,
  maxWaiting: maxWaitingFires,
  waitsFor: new Set(),
  overlap: null,
  fixed: [],
  readsRepository: false,
  hook: null,
  queue: 'trigger',
  begin: (tx, id, settings, queue) => startClock(tx, id, queue, (from) => instantsOf(settings, { from, count: 1 })[0] ?? null),
  check: checkSchedule,
  // The same in each run.
  filled: ({ input: values }) => ({ at: 'settings.input', values }),
  outlook: (settings, from) => outlookOf(settings, { from, count: shownInstants }),
  isPing: () => false,
  input: (settings, fields) => checkedValues(settings.input, fields),
  parts: async () => ({}),
  started: async () => true,
};

/** Returns the next instants. Throws `bad_request` for an expression or a zone that is unknown, and for one that never comes. */
export async function checkSchedule({ cron, zone }: Schedule, { now, language }: { now: Date; language: Language }): Promise<Outlook> {
  try {
    return await outlookOf({ cron, zone }, { from: now, count: shownInstants });
  } catch (error) {
    // Anything else is a fault of the server, and is told as one.
    if (!(error instanceof WrongSchedule)) throw error;
    throw refusedField(error.field, translate(language, `field.${error.field}`), error);
  }
}
