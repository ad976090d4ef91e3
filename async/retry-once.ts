/** The part of an `AbortSignal` that is used; the type itself belongs to the browser. */
type Signal = {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
};

type RetryOptions<T> = {
  /** The wait before the second call; null for a result that is not retried. */
  waitMs: (result: T) => number | null;
  /** Runs `task` once after `ms`; the returned function cancels it. */
  later: (ms: number, task: () => void) => () => void;
  /** Ends the wait: the second call is made at once. */
  signal?: Signal;
};

/** Calls, and retries once if the first result requires it. Returns the last result. */
export async function retryOnce<T>(call: () => Promise<T>, { waitMs, later, signal }: RetryOptions<T>): Promise<T> {
  const result = await call();
  const ms = waitMs(result);
  if (ms === null) return result;
  await new Promise<void>((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = later(ms, end);
    signal?.addEventListener('abort', end);
  });
  return call();
}
