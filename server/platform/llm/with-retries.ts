import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelFailure, ModelOutcome } from './language-model.ts';

/** The number of transient failures before the call fails. */
const maxAttempts = 3;

type Retries = {
  signal: AbortSignal;
  /** Called before each wait (ms), and awaited. */
  onRetry: (failure: ModelFailure, waitMs: number) => Promise<void>;
  /** Returns the time that is left for the call with its retries (ms). */
  restMs: () => number;
  /** The wait before the first retry (ms); it doubles each time. The other side's own wait has precedence. */
  backoffMs: number;
  /** Waits, or rejects when `signal` aborts. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** Wraps a model so that transient failures are retried, and others that are worth it once. A wait that the other side demands and that does not fit the rest of the time is not begun. */
export async function withRetries(
  attempt: () => Promise<ModelOutcome>,
  { signal, onRetry, backoffMs, restMs, wait = waitFor }: Retries,
): Promise<ModelOutcome> {
  let hasOneMore = true;
  for (let number = 1; ; number += 1) {
    const outcome = await attempt();
    if (outcome.ok || number === maxAttempts) return outcome;
    const { transient, isWorthOneMore, retryAfterMs } = outcome.error;
    if (!transient && !(isWorthOneMore && hasOneMore)) return outcome;
    hasOneMore &&= transient;
    if (retryAfterMs !== undefined && retryAfterMs >= restMs()) return outcome;
    const waitMs = retryAfterMs ?? backoffMs * 2 ** (number - 1);
    await onRetry(outcome.error, waitMs);
    try {
      await wait(waitMs, signal);
    } catch {
      return { ok: false, error: { code: 'aborted', transient: false } };
    }
  }
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal });
}
