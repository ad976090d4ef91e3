import { retryOnOutage } from '../database/retry-on-outage.ts';
import { estimateUsage } from './estimate-usage.ts';
import type { Conversation, ModelAdapter, ModelOutcome } from './language-model.ts';

/** What each user has spent today on the operator's keys, known to every node. A day is one of UTC. */
export type TokenLedger = {
  spentToday: (userId: string) => Promise<number>;
  add: (userId: string, tokens: number) => Promise<void>;
};

export type DailyBudget = {
  ledger: TokenLedger;
  /** Tokens that one user may spend in a day; 0 for any number. */
  perUser: number;
};

/**
 * A model that a user calls on the operator's account: one who has spent the day's tokens is refused before the call, and
 * what a call took is counted after it. A call that the provider did not count is counted by the length of its texts, and
 * so is what had arrived of one that failed. Calls under way at the same time may exceed the budget by what they take.
 */
export function withDailyBudget(adapter: ModelAdapter, userId: string, { ledger, perUser }: DailyBudget): ModelAdapter {
  if (perUser === 0) return adapter;
  return {
    ...adapter,
    async converse(conversation, signal, onText) {
      let arrived = '';
      try {
        const spent = await retryOnOutage(() => ledger.spentToday(userId), signal);
        if (spent >= perUser) return { ok: false, error: { code: 'model_budget_spent', transient: false } };
        const outcome = await adapter.converse(conversation, signal, (text, reasoning) => {
          arrived += reasoning + text;
          onText(text, reasoning);
        });
        const tokens = tokensOf(outcome, conversation, arrived);
        if (outcome.ok) await retryOnOutage(() => ledger.add(userId, tokens), signal);
        // A call that was ended has ended: nobody waits for its account.
        else if (tokens > 0) void ledger.add(userId, tokens).catch(() => {});
        return outcome;
      } catch (error) {
        if (signal.aborted) return { ok: false, error: { code: 'aborted', transient: false } };
        throw error;
      }
    },
  };
}

function tokensOf(outcome: ModelOutcome, { messages }: Conversation, arrived: string): number {
  if (outcome.ok && outcome.value.usage !== null) return outcome.value.usage.totalTokens;
  const begun = outcome.ok || outcome.error.code === 'aborted' || arrived !== '';
  return begun ? estimateUsage(messages, arrived).totalTokens : 0;
}
