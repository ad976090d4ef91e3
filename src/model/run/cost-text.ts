import type { Cost, Money } from '../../../contract/cost.ts';

/** The words of a cost in the language of the interface. */
type CostWords = { unknown: string; andUnknown: (amounts: string) => string; estimated: (amounts: string) => string };

/** Writes an amount in its own currency, with more places for a small one: $12.40, $0.0123, 0.000030 ₽. */
export function moneyText({ currency, micros }: Money, language: string): string {
  const value = micros / 1_000_000;
  const places = value === 0 || value >= 1 ? 2 : value >= 0.001 ? 4 : 6;
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: Math.min(2, places),
    maximumFractionDigits: places,
  }).format(value);
}

/** Writes a cost: each currency's amount beside the others, and what is not known. Nothing paid is 0. */
export function costText({ amounts, isUnknown, isEstimated }: Cost, language: string, words: CostWords): string {
  const known = amounts.map((amount) => moneyText(amount, language)).join(' + ');
  if (isUnknown && known === '') return words.unknown;
  const text = known === '' ? '0' : isEstimated ? words.estimated(known) : known;
  return isUnknown ? words.andUnknown(text) : text;
}
