import type { TriggerKind, TriggerSettings } from '../../../contract/trigger.ts';
import { Clock, GitBranch, Link2 } from '../../ui/icons/icons.ts';

export const triggerIcons: Record<TriggerKind, typeof Clock> = { schedule: Clock, webhook: Link2, forge: GitBranch };

/** The zone in which the instants of a trigger are shown; that of the browser for none. */
export function zoneOf(settings: TriggerSettings): string | undefined {
  return 'zone' in settings ? settings.zone : undefined;
}
