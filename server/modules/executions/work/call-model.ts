import type { LanguageModel, ModelOutcome, ModelRequest, OnWait } from '../../../platform/llm/language-model.ts';
import { type Retries, withRetries } from '../../../platform/llm/with-retries.ts';

type ModelCall = Retries & {
  model: LanguageModel;
  request: ModelRequest;
  onText: (text: string) => void;
  onWait: OnWait;
};

/** Calls the model for an agent's turn, and retries transient failures. Every attempt has the same idempotency key. */
export async function callModel(call: ModelCall): Promise<ModelOutcome> {
  return withRetries(() => call.model.answer(call.request, call.signal, call.onText, call.onWait), call);
}
