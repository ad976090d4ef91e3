import { retryOnOutage } from '../database/retry-on-outage.ts';
import type { ModelAdapter } from './language-model.ts';
import { usageOf } from './worst-case.ts';

/** The tokens that each user has spent today on the operator's keys, shared by all nodes. A day is a UTC day. */
export type TokenLedger = {
  spentToday: (userId: string) => Promise<number>;
  add: (userId: string, tokens: number) => Promise<void>;
};

export type DailyBudget = {
  ledger: TokenLedger;
  /** The tokens that one user may spend in a day; 0 for no limit. */
  perUser: number;
};

/**
 * Limits a model on the operator's account: refuses a call before it is made when the user's tokens of the day are spent, and records the
 * usage after it. Usage that the provider does not report is estimated from the length of the texts, also for the received part
 * of a failed call. Concurrent calls may exceed the limit by their own usage.
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
        const tokens = usageOf(outcome, conversation, arrived)?.usage.totalTokens ?? 0;
        if (outcome.ok) await retryOnOutage(() => ledger.add(userId, tokens), signal);
        // An aborted call does not wait for its usage to be recorded.
        else if (tokens > 0) void ledger.add(userId, tokens).catch(() => {});
        return outcome;
      } catch (error) {
        if (signal.aborted) return { ok: false, error: { code: 'aborted', transient: false } };
        throw error;
      }
    },
  };
}
