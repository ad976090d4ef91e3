/** The wait before a retry, in the shown unit. */
export type RetryWait = { unit: 'seconds' | 'minutes'; count: number };

/** From this wait on (s) the unit is minutes. */
const minutesFrom = 90;

/** Returns the server's wait, rounded up; null where it sent none. */
export function retryWait(problem: unknown): RetryWait | null {
  const ms = problem instanceof Error && 'retryAfterMs' in problem ? problem.retryAfterMs : null;
  if (typeof ms !== 'number' || ms <= 0) return null;
  const seconds = Math.ceil(ms / 1_000);
  return seconds < minutesFrom ? { unit: 'seconds', count: seconds } : { unit: 'minutes', count: Math.ceil(seconds / 60) };
}
