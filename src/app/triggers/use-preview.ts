import { useEffect, useState } from 'react';
import { cronText, type SchedulePreview, zoneName } from '../../../contract/trigger.ts';
import { ApiError } from '../../api/api-error.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import type { TriggerStore } from './trigger-store.ts';

/** A schedule is asked about once it has stayed the same for so long (ms). */
const askAfterMs = 400;

export type Preview =
  | { state: 'loading' | 'wrong' | 'failed' }
  /** The zone in which the instants are shown. */
  | ({ state: 'ready'; zone: string | undefined } & SchedulePreview);

/** The next instants of a schedule that is being typed. L4.04 */
export function usePreview(store: TriggerStore, cron: string, zone: string): Preview {
  const isReadable = cronText.safeParse(cron).success && zoneName.safeParse(zone).success;
  const asked = useDebounced(`${cron.trim()}\n${zone.trim()}`, askAfterMs);
  const [answer, setAnswer] = useState<{ to: string; preview: Preview } | null>(null);
  useEffect(() => {
    const [one = '', in_ = ''] = asked.split('\n');
    if (!cronText.safeParse(one).success || !zoneName.safeParse(in_).success) return;
    let isGone = false;
    store.preview(one, in_).then(
      (found) => isGone || setAnswer({ to: asked, preview: found ? { state: 'ready', zone: in_, ...found } : { state: 'wrong' } }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        if (!isGone) setAnswer({ to: asked, preview: { state: 'failed' } });
      },
    );
    return () => {
      isGone = true;
    };
  }, [store, asked]);
  if (!isReadable) return { state: 'wrong' };
  return answer?.to === `${cron.trim()}\n${zone.trim()}` ? answer.preview : { state: 'loading' };
}
