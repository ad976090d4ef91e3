import type { Cost } from '../../../contract/cost.ts';
import { addCosts, costOf, noCost } from '../../../rules/cost/cost-of.ts';
import type { Conversation, LanguageModel, ModelOutcome, OnText } from '../llm/language-model.ts';
import { conversationOf } from '../llm/prompt.ts';
import { usageOf, worstCaseOf } from '../llm/worst-case.ts';
import type { PriceList } from '../prices/price-list.ts';

export type Metering = { prices: Pick<PriceList, 'find'>; now: () => Date };

/** A model whose calls are counted. */
export type CallMeter = {
  model: LanguageModel;
  /** Returns what the calls have cost since the last time. */
  take: () => Cost;
  /** Counts a call of which nothing is known but its question: its process was killed. It is charged as the most that it can have used. */
  addLostCall: (conversation: () => Conversation) => void;
};

/**
 * Counts what the calls of a model cost, each at the price of its moment. A call that fails or is cut off after its answer has begun is estimated
 * from its texts. Calls of the simulated model cost nothing.
 */
export function meterCalls(model: LanguageModel, { prices, now }: Metering): CallMeter {
  if (model.simulated) return { model, take: () => noCost, addLostCall: () => {} };
  let counted: Cost = noCost;
  const priceNow = () => prices.find(model, now());
  const add = (one: Cost) => {
    counted = addCosts([counted, one]);
  };

  const measured = async (
    conversation: () => Conversation,
    onText: (text: string) => void,
    call: (onText: OnText) => Promise<ModelOutcome>,
  ) => {
    const price = priceNow();
    let arrived = '';
    let outcome: ModelOutcome | null = null;
    try {
      outcome = await call((text, reasoning) => {
        arrived += reasoning + text;
        onText(text);
      });
      return outcome;
    } finally {
      const reported = outcome?.ok && outcome.value.usage;
      const used = reported ? { usage: reported, isEstimated: false } : usageOf(outcome, conversation(), arrived);
      if (used) add({ ...costOf(used.usage, price), ...(used.isEstimated && { isEstimated: true as const }) });
    }
  };

  return {
    model: {
      ...model,
      answer: (request, signal, onText, onWait) =>
        measured(
          () => conversationOf(request),
          onText,
          (hear) => model.answer(request, signal, (text) => hear(text, ''), onWait),
        ),
    },
    take() {
      const taken = counted;
      counted = noCost;
      return taken;
    },
    addLostCall(conversation) {
      add({ ...costOf(worstCaseOf(conversation()), priceNow()), isEstimated: true });
    },
  };
}
