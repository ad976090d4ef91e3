import { useEffect, useState } from 'react';
import { whileVisible } from '../../../ui/while-visible.ts';

/**
 * Returns the current time (ms since the epoch), updated each second while `ticking`. The updates are aligned with `since` (ISO 8601),
 * so that all places that show the same elapsed time change together. A hidden page has no timer, and shows the time at once when it is visible again.
 */
export function useNow(ticking: boolean, since: string | null = null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) return;
    return whileVisible(() => {
      let timer: ReturnType<typeof setTimeout>;
      const tick = () => {
        const time = Date.now();
        setNow(time);
        timer = setTimeout(tick, untilNextSecond(time, since === null ? 0 : Date.parse(since)));
      };
      tick();
      return () => clearTimeout(timer);
    });
  }, [ticking, since]);
  return now;
}

/** Returns the ms from `now` to the next whole second after `since`, both in ms since the epoch: 1 to 1,000. */
export function untilNextSecond(now: number, since: number): number {
  const past = (now - since) % 1_000;
  return 1_000 - (past < 0 ? past + 1_000 : past);
}
