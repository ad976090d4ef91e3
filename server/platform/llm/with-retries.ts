import type { ModelFailure, ModelOutcome } from './language-model.ts';

/** The number of transient failures before the call fails. */
const maxAttempts = 3;

export type Retries = {
  signal: AbortSignal;
  /** Called before each wait, and awaited. */
  onRetry: (failure: ModelFailure) => Promise<void>;
  /** The wait before the first retry (ms); it doubles each time. The other side's own wait has precedence. */
  backoffMs: number;
  /** Waits, or rejects when `signal` aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** Wraps a model so that transient failures are retried. */
export async function withRetries(
  attempt: () => Promise<ModelOutcome>,
  { signal, onRetry, backoffMs, wait }: Retries,
): Promise<ModelOutcome> {
  for (let number = 1; ; number += 1) {
    const outcome = await attempt();
    if (outcome.ok || !outcome.error.transient || number === maxAttempts) return outcome;
    await onRetry(outcome.error);
    try {
      await wait(outcome.error.retryAfterMs ?? backoffMs * 2 ** (number - 1), signal);
    } catch {
      return { ok: false, error: { code: 'aborted', transient: false } };
    }
  }
}
