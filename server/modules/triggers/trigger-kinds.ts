import type { InputField } from '../../../contract/released-team.ts';
import type { TriggerKind, TriggerSettings } from '../../../contract/trigger.ts';
import { sql } from '../../platform/database/drizzle.ts';
import { forgeKind } from './kinds/forge-kind.ts';
import { scheduleKind } from './kinds/schedule-kind.ts';
import type { Arrival, TeamValues } from './kinds/team-values.ts';
import type { TriggerKindOf } from './kinds/trigger-kind.ts';
import { webhookKind } from './kinds/webhook-kind.ts';

const triggerKinds: { [Kind in TriggerKind]: TriggerKindOf<Kind> } = {
  webhook: webhookKind,
  schedule: scheduleKind,
  forge: forgeKind,
};

export function kindOf<Kind extends TriggerKind>({ kind }: { kind: Kind }): TriggerKindOf<Kind> {
  return triggerKinds[kind];
}

/** Returns the input of a team by the settings of its trigger. A ping, which comes only to try whether it arrives, is filtered. */
export function inputOf(settings: TriggerSettings, fields: readonly InputField[], arrival: Arrival): TeamValues {
  const { isPing, input } = kindOf(settings);
  return isPing(arrival.event) ? { denied: { outcome: 'filtered', reason: 'ping' }, input: null } : input(settings, fields, arrival);
}

const readKinds = Object.entries(triggerKinds).flatMap(([kind, { readsRepository }]) => (readsRepository ? [`'${kind}'`] : []));
/** SQL of the triggers that are read on while they are paused. */
export const isReadOn = sql.raw(`kind IN (${readKinds.join(', ')})`);
