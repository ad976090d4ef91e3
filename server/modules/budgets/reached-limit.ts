import type { LimitReached } from '../../../contract/budget.ts';
import type { BudgetRow } from './repository.ts';
import type { Reservation } from './spend-ledger.ts';
import { amountOf } from './spend-row.ts';

/** A budget with its counts, as a reservation found it. */
export type LimitRow = {
  id: string;
  scope: BudgetRow['scope'];
  span: LimitReached['span'];
  currency: string | null;
  atLimit: 'ask' | 'stop' | 'refuse';
  microsLimit: number | null;
  micros: number;
  tokensLimit: number | null;
  tokens: number;
  callsLimit: number | null;
  calls: number;
  activeMsLimit: number | null;
  activeMs: number;
  fits: boolean;
};

/** What the strictest budget does decides. */
const strictest = ['refuse', 'stop', 'ask'] as const;

/** Returns the limit that a call does not fit into, of the budget that decides. `isOfAll`: it is that of all accounts together. */
export function reachedLimit(
  rows: readonly LimitRow[],
  call: Pick<Reservation, 'cost' | 'usage' | 'model'>,
): { limit: LimitReached; atLimit: LimitRow['atLimit']; isOfAll: boolean } {
  const full = rows.filter(({ fits }) => !fits);
  const isUnpriced = full.length === 0;
  const { currency, micros } = amountOf(call.cost);
  const candidates = isUnpriced ? rows.filter((row) => row.microsLimit !== null && row.currency !== currency) : full;
  const [row] = candidates.toSorted((one, other) => strictest.indexOf(one.atLimit) - strictest.indexOf(other.atLimit));
  if (!row) throw new Error('A call was refused that fits into every budget.');
  const isOfAll = row.scope === 'total';
  const about = { budgetId: row.id, scope: shownScope(row.scope), span: row.span };
  if (isUnpriced) {
    const limit = { kind: 'price' as const, limit: row.microsLimit ?? 0, used: row.micros, needed: micros ?? 0 };
    // The run asks about a price that is not known, also where the budget does not ask at its limit.
    return { limit: { ...about, ...limit, currency: row.currency, model: call.model }, atLimit: 'ask', isOfAll };
  }
  const kinds = [
    { kind: 'money' as const, limit: row.currency === currency ? row.microsLimit : null, used: row.micros, needed: micros ?? 0 },
    { kind: 'tokens' as const, limit: row.tokensLimit, used: row.tokens, needed: call.usage.totalTokens },
    { kind: 'calls' as const, limit: row.callsLimit, used: row.calls, needed: 1 },
    { kind: 'time' as const, limit: row.activeMsLimit, used: row.activeMs, needed: 1 },
  ];
  const found = kinds.find(({ limit, used, needed }) => limit !== null && used + needed > limit);
  if (!found) throw new Error('A budget has refused a call without a limit.');
  return {
    limit: { ...about, ...found, limit: found.limit ?? 0, currency: found.kind === 'money' ? row.currency : null },
    atLimit: row.atLimit,
    isOfAll,
  };
}

/** The scope of a budget as its user sees it: what the operator limits is the account's. */
export function shownScope(scope: LimitRow['scope']): LimitReached['scope'] {
  return scope === 'server' || scope === 'total' ? 'user' : scope;
}
