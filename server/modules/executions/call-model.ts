import type { LanguageModel, ModelFailure, ModelOutcome, ModelRequest } from '../../platform/llm/language-model.ts';

/** Calls of one step that may fail for a passing reason before the step fails. */
const mostAttempts = 3;

export type ModelCall = {
  model: LanguageModel;
  request: ModelRequest;
  signal: AbortSignal;
  onText: (text: string) => void;
  /** Told before each wait. Its promise is awaited. */
  onRetry: (failure: ModelFailure) => Promise<void>;
  /** Wait before the first repetition (ms); it doubles each time. The other side's own wish comes first. */
  backoffMs: number;
  /** Waits, or rejects when `signal` aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** One answer, with what fails only for the moment tried again. Every attempt carries the same idempotency key. */
export async function callModel(call: ModelCall): Promise<ModelOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await call.model.answer(call.request, call.signal, call.onText);
    if (outcome.ok || !outcome.error.transient || attempt === mostAttempts) return outcome;
    await call.onRetry(outcome.error);
    try {
      await call.wait(outcome.error.retryAfterMs ?? call.backoffMs * 2 ** (attempt - 1), call.signal);
    } catch {
      return { ok: false, error: { code: 'aborted', transient: false } };
    }
  }
}
