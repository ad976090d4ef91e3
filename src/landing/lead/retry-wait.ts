/** How long to wait before another try, in the unit that a reader counts in. */
export type RetryWait = { unit: 'seconds' | 'minutes'; count: number };

/** From here on (s) a wait is told in minutes. */
const minutesFrom = 90;

/** The wait that the server asked for with the refusal, rounded up; null where it asked for none. */
export function retryWait(problem: unknown): RetryWait | null {
  const ms = problem instanceof Error && 'retryAfterMs' in problem ? problem.retryAfterMs : null;
  if (typeof ms !== 'number' || ms <= 0) return null;
  const seconds = Math.ceil(ms / 1_000);
  return seconds < minutesFrom ? { unit: 'seconds', count: seconds } : { unit: 'minutes', count: Math.ceil(seconds / 60) };
}
