import type { z } from 'zod';
import { type keyBudget, shownKeyBudget } from '../../../contract/budget.ts';
import type { Language } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { type BudgetRow, budgetRepository } from './repository.ts';
import { columnsOf, refuseCurrency, shownLimits } from './service.ts';

type KeyBudgetsDeps = { db: Db; newId: () => string; now: () => Date; currencies: readonly string[] };
export type ShownKeyBudget = z.output<typeof shownKeyBudget>;
type Use = ShownKeyBudget['used'];

/**
 * Budgets of API keys: what the runs and commands that a key has started may use on a day or in a month. A budget is made with its key and stays
 * as it is; the other budgets of the account apply too.
 */
export class KeyBudgets {
  readonly #deps: KeyBudgetsDeps;

  constructor(deps: KeyBudgetsDeps) {
    this.#deps = deps;
  }

  /** The budget of a key that is made. Throws `bad_request` for a currency that no price has. */
  ofNewKey(keyId: string, budget: z.output<typeof keyBudget>, language: Language): BudgetRow {
    const { currencies, newId, now } = this.#deps;
    refuseCurrency(currencies, budget, 'budget.money.currency', language);
    const at = now();
    const place = { scope: 'key' as const, span: budget.span, userId: null, projectId: null, executionId: null, keyId };
    return { id: newId(), ...place, ...columnsOf(budget), createdAt: at, updatedAt: at };
  }

  /** Returns the budgets of an account's keys, by key, with what is used of each today or in this month. */
  async ofAccount(userId: OwnerId): Promise<Map<string | null, ShownKeyBudget>> {
    const found = await budgetRepository(this.#deps.db).ofKeys(userId);
    return new Map(found.map(({ row, use }) => [row.keyId, toKeyBudget(row, use)]));
  }

  /** Returns the budget of a key with what is used of it; null for none. */
  async ofKey(keyId: string, db = this.#deps.db): Promise<ShownKeyBudget | null> {
    const [found] = await budgetRepository(db).withUse(keyId);
    return found ? toKeyBudget(found.row, found.use) : null;
  }

  /** Changes the limits of a key's budget. What was used of it stays. Throws `bad_request` for a currency that no price has. */
  async change(tx: Db, keyId: string, budget: z.output<typeof keyBudget>, language: Language): Promise<void> {
    refuseCurrency(this.#deps.currencies, budget, 'budget.money.currency', language);
    const repository = budgetRepository(tx);
    const known = await repository.ofKey(keyId);
    if (!known) throw new Error('A key has lost its budget.');
    const changed = await repository.change(known.id, columnsOf(budget));
    if (changed.currency !== known.currency) await repository.countMoney(known.id);
  }
}

/** Whether a limit of a key's budget is used up. Money, tokens, calls and time are looked at; a budget without a call has used nothing. */
export function isSpent({ money, tokens, calls, activeMs, used }: ShownKeyBudget): boolean {
  const limits = [
    [money?.micros, used.micros],
    [tokens, used.tokens],
    [calls, used.calls],
    [activeMs, used.activeMs],
  ] as const;
  return limits.some(([limit, use]) => limit !== undefined && use >= limit);
}

const showKeyBudget = viewOf(shownKeyBudget);
const unused: Use = { micros: 0, tokens: 0, calls: 0, activeMs: 0 };

/** The budget of a key as its owner sees it. `use`: null before its first call of the day or month. */
export function toKeyBudget(row: BudgetRow, use: Use | null): ShownKeyBudget {
  const { micros, tokens, calls, activeMs } = use ?? unused;
  const span = row.span === 'day' ? 'day' : 'month';
  return showKeyBudget(row, { ...shownLimits(row), span, used: { micros, tokens, calls, activeMs } });
}
