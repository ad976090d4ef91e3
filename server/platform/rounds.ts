import { singleFlight } from '../../async/single-flight.ts';

/** Repeats work by the clock, never twice at the same time, until it is stopped: then `signal` aborts. The work must not reject. */
export function createRounds(work: (signal: AbortSignal) => Promise<void>) {
  const closing = new AbortController();
  const round = singleFlight(() => work(closing.signal));
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Begins the first round now, or when the first interval is over. */
    start: (everyMs: number, first: 'now' | 'later' = 'now') => {
      if (closing.signal.aborted) return;
      if (first === 'now') void round();
      timer = setInterval(() => void round(), everyMs).unref();
    },
    /** Resolves when the round under way has ended. */
    stop: async () => {
      closing.abort();
      clearInterval(timer);
      await round.settled();
    },
  };
}
