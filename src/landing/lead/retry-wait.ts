/** The wait before another try, in the unit that is shown. */
export type RetryWait = { unit: 'seconds' | 'minutes'; count: number };

/** From this wait on (s) the unit is minutes. */
const minutesFrom = 90;

/** Returns the wait that the server sent with the refusal, rounded up; null where it sent none. */
export function retryWait(problem: unknown): RetryWait | null {
  const ms = problem instanceof Error && 'retryAfterMs' in problem ? problem.retryAfterMs : null;
  if (typeof ms !== 'number' || ms <= 0) return null;
  const seconds = Math.ceil(ms / 1_000);
  return seconds < minutesFrom ? { unit: 'seconds', count: seconds } : { unit: 'minutes', count: Math.ceil(seconds / 60) };
}
