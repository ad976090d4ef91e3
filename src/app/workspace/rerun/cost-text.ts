import type { Cost, Money } from '../../../../contract/cost.ts';
import type { CostRange } from '../../../../contract/executions/fork.ts';

/** Writes an amount of millionths in its currency. */
function money({ currency, micros }: Money, language: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 4 }).format(micros / 1_000_000);
}

/** Writes what something has cost; empty for nothing. */
export function costText({ amounts }: Cost, language: string): string {
  return amounts.map((amount) => money(amount, language)).join(' + ');
}

/** Writes ranges of amounts, one for each currency. */
export function costRangeText(ranges: readonly CostRange[], language: string): string {
  return ranges
    .map(({ currency, min, max }) => [...new Set([min, max])].map((micros) => money({ currency, micros }, language)).join(' – '))
    .join(' + ');
}
