import { cronText, type SchedulePreview, zoneName } from '../../../contract/trigger.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useRead } from '../server-data/use-read.ts';

/** A schedule is asked about once it has stayed the same for so long (ms). */
const askAfterMs = 400;

export type Preview =
  | { state: 'loading' | 'wrong' | 'failed' }
  /** The zone in which the instants are shown. */
  | ({ state: 'ready'; zone: string | undefined } & SchedulePreview);

/** The next instants of a schedule that is being typed. L4.04 */
export function usePreview(cron: string, zone: string): Preview {
  const typed = scheduleOf(cron, zone);
  const asked = useDebounced(typed && JSON.stringify(typed), askAfterMs);
  const query = asked === null ? null : (JSON.parse(asked) as NonNullable<typeof typed>);
  const { value, problem } = useRead('trigger.preview', query && { query });
  if (typed === null || (problem?.code === 'bad_request' && asked === JSON.stringify(typed))) return { state: 'wrong' };
  if (query === null || asked !== JSON.stringify(typed) || (!value && !problem)) return { state: 'loading' };
  return value ? { state: 'ready', zone: query.zone, ...value } : { state: 'failed' };
}

/** Null for a schedule that cannot be asked about. */
function scheduleOf(cron: string, zone: string): { cron: string; zone: string } | null {
  const isReadable = cronText.safeParse(cron).success && zoneName.safeParse(zone).success;
  return isReadable ? { cron: cron.trim(), zone: zone.trim() } : null;
}
