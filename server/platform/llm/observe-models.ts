import type { Models } from './choose-model.ts';
import type { LanguageModel, ModelOutcome } from './language-model.ts';

/** Called when a call begins. The returned function is called with its outcome, null when it threw. */
export type ModelObserver = (call: { provider: string; model: string; idempotencyKey: string }) => (outcome: ModelOutcome | null) => void;

/** Wraps models so that each call is reported to a watcher. */
export function observeModels(models: Models, watchers: readonly ModelObserver[]): Models {
  return {
    choose(...asked) {
      const choice = models.choose(...asked);
      return choice.ok ? { ok: true, value: observeModel(choice.value, watchers) } : choice;
    },
  };
}

function observeModel(model: LanguageModel, watchers: readonly ModelObserver[]): LanguageModel {
  const watch = async (idempotencyKey: string, call: () => Promise<ModelOutcome>): Promise<ModelOutcome> => {
    const endings = watchers.map((begun) => begun({ provider: model.provider, model: model.model, idempotencyKey }));
    let outcome: ModelOutcome | null = null;
    try {
      outcome = await call();
      return outcome;
    } finally {
      for (const ended of endings) ended(outcome);
    }
  };
  return {
    ...model,
    answer: (request, ...rest) => watch(request.idempotencyKey, () => model.answer(request, ...rest)),
    converse: (conversation, ...rest) => watch(conversation.idempotencyKey, () => model.converse(conversation, ...rest)),
  };
}
