import type { ModelFailure, ModelOutcome } from './language-model.ts';

/** Calls that may fail for a passing reason before the whole fails. */
const mostAttempts = 3;

export type Retries = {
  signal: AbortSignal;
  /** Told before each wait. Its promise is awaited. */
  onRetry: (failure: ModelFailure) => Promise<void>;
  /** Wait before the first repetition (ms); it doubles each time. The other side's own wish comes first. */
  backoffMs: number;
  /** Waits, or rejects when `signal` aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** One answer, with what fails only for the moment tried again. */
export async function withRetries(
  attempt: () => Promise<ModelOutcome>,
  { signal, onRetry, backoffMs, wait }: Retries,
): Promise<ModelOutcome> {
  for (let number = 1; ; number += 1) {
    const outcome = await attempt();
    if (outcome.ok || !outcome.error.transient || number === mostAttempts) return outcome;
    await onRetry(outcome.error);
    try {
      await wait(outcome.error.retryAfterMs ?? backoffMs * 2 ** (number - 1), signal);
    } catch {
      return { ok: false, error: { code: 'aborted', transient: false } };
    }
  }
}
