import type { Budget, BudgetUpdate } from '../../../../contract/budget.ts';
import { maxLimits } from '../../../../contract/max-limits.ts';
import { moneyText } from '../../../model/run/cost-text.ts';
import { durationText } from '../../../ui/i18n/duration.ts';

export type LimitName = 'money' | 'tokens' | 'calls' | 'time';

/** One limit of a budget with what is used of it: shares of the limit, and texts. */
export type LimitFigure = {
  name: LimitName;
  /** 0 to 1; of calls under way apart. */
  used: number;
  reserved: number;
  state: 'calm' | 'near' | 'full';
  /** Spent and reserved. */
  percent: number;
  usedText: string;
  limitText: string;
  reservedText: string | null;
};

/** A budget with what is used of it, which may be known without the calls under way. */
export type LimitedBudget = DraftedBudget &
  Pick<Budget, 'extra'> & {
    used?: (Pick<Used, 'micros' | 'tokens' | 'calls' | 'activeMs'> & Partial<Used>) | undefined;
  };
type Used = NonNullable<Budget['used']>;

/** Writes a figure of a limit: money in its currency, time as a duration. */
export function limitText(name: LimitName, value: number, currency: string | null, language: string): string {
  if (name === 'money' && currency !== null) return moneyText({ currency, micros: value }, language);
  return name === 'time' ? durationText(value, language) : value.toLocaleString(language);
}

/** Returns the limits of a budget with their use, in one order. A budget whose use is not known has none used. */
export function limitFigures(budget: LimitedBudget, language: string): LimitFigure[] {
  const { used, extra, warnAt } = budget;
  const currency = budget.money?.currency ?? null;
  const all = [
    { name: 'money' as const, limit: budget.money?.micros, more: extra?.micros, taken: used?.micros, reserved: used?.reservedMicros },
    { name: 'tokens' as const, limit: budget.tokens, more: extra?.tokens, taken: used?.tokens, reserved: used?.reservedTokens },
    { name: 'calls' as const, limit: budget.calls, more: extra?.calls, taken: used?.calls, reserved: 0 },
    { name: 'time' as const, limit: budget.activeMs, more: extra?.activeMs, taken: used?.activeMs, reserved: 0 },
  ];
  return all.flatMap(({ name, limit, more = 0, taken = 0, reserved = 0 }) => {
    if (limit === undefined) return [];
    const whole = limit + more;
    const text = (value: number) => limitText(name, value, currency, language);
    return {
      name,
      used: Math.min(1, Math.max(0, taken - reserved) / whole),
      reserved: Math.min(1, reserved / whole),
      state: taken >= whole ? ('full' as const) : taken * 100 >= whole * warnAt ? ('near' as const) : ('calm' as const),
      percent: Math.floor((taken * 100) / whole),
      usedText: text(Math.max(0, taken - reserved)),
      limitText: text(whole),
      reservedText: reserved > 0 ? text(reserved) : null,
    };
  });
}

/** A budget as it is typed. */
export type BudgetDraft = {
  money: string;
  currency: string;
  tokens: string;
  calls: string;
  minutes: string;
  warnAt: string;
  atLimit: 'ask' | 'stop';
};
export type BudgetField = 'money' | 'tokens' | 'calls' | 'minutes' | 'warnAt';
export type Wrong = 'wrong' | 'tooLarge' | 'notPercent' | 'empty';

/** The share of a limit at which a new budget warns (percent). */
const usualWarnAt = 80;

export type DraftedBudget = Pick<Budget, 'money' | 'tokens' | 'calls' | 'activeMs' | 'atLimit' | 'warnAt'>;

export function draftOf(budget: DraftedBudget | null, currencies: readonly string[]): BudgetDraft {
  return {
    money: budget?.money ? String(budget.money.micros / 1_000_000) : '',
    currency: budget?.money?.currency ?? currencies[0] ?? 'USD',
    tokens: budget?.tokens === undefined ? '' : String(budget.tokens),
    calls: budget?.calls === undefined ? '' : String(budget.calls),
    minutes: budget?.activeMs === undefined ? '' : String(budget.activeMs / 60_000),
    warnAt: String(budget?.warnAt ?? usualWarnAt),
    atLimit: budget?.atLimit ?? 'ask',
  };
}

/** Reads what is typed; a decimal comma is a point. Without a share the budget warns at the usual one. Returns the limits, or what is wrong with which field. */
export function readDraft(draft: BudgetDraft): {
  limits: Pick<BudgetUpdate, 'money' | 'tokens' | 'calls' | 'activeMs'>;
  warnAt: number;
  wrong: Partial<Record<BudgetField, Wrong>>;
} {
  const wrong: Partial<Record<BudgetField, Wrong>> = {};
  const read = (field: BudgetField, unit: number, least: number, most: number): number | undefined => {
    const typed = draft[field].replaceAll(/[\s\u00a0\u202f]/g, '').replace(',', '.');
    if (typed === '') return undefined;
    const value = /^\d+(?:\.\d*)?$|^\.\d+$/.test(typed) ? Math.round(Number(typed) * unit) : Number.NaN;
    if (!(value >= least)) wrong[field] = 'wrong';
    else if (value > most) wrong[field] = 'tooLarge';
    return value;
  };
  const micros = read('money', 1_000_000, 1, maxLimits.micros);
  const tokens = read('tokens', 1, 1, maxLimits.tokens);
  const calls = read('calls', 1, 1, maxLimits.calls);
  const activeMs = read('minutes', 60_000, 1_000, maxLimits.activeMs);
  const share = draft.warnAt.trim();
  const warnAt = share === '' ? usualWarnAt : Number(share);
  if (!/^\d*$/.test(share) || warnAt < 1 || warnAt > 100) wrong.warnAt = 'notPercent';
  return {
    wrong,
    warnAt,
    limits: {
      ...(micros !== undefined && { money: { currency: draft.currency, micros } }),
      ...(tokens !== undefined && { tokens }),
      ...(calls !== undefined && { calls }),
      ...(activeMs !== undefined && { activeMs }),
    },
  };
}
