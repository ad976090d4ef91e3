import { useEffect, useState } from 'react';

/**
 * Ms since the epoch, anew each second while `ticking`. Counted from `since` (ISO 8601), the seconds turn when those of the time
 * elapsed since then do, so that two places that show it never differ.
 */
export function useNow(ticking: boolean, since: string | null = null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) return;
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const time = Date.now();
      setNow(time);
      timer = setTimeout(tick, untilNextSecond(time, since === null ? 0 : Date.parse(since)));
    };
    tick();
    return () => clearTimeout(timer);
  }, [ticking, since]);
  return now;
}

/** Ms from `now` to the next whole second after `since`, both ms since the epoch: 1 to 1,000. */
export function untilNextSecond(now: number, since: number): number {
  const past = (now - since) % 1_000;
  return 1_000 - (past < 0 ? past + 1_000 : past);
}
