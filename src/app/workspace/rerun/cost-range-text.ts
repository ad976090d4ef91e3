import type { CostRange } from '../../../../contract/executions/fork.ts';
import { moneyText } from '../../../model/run/cost-text.ts';

/** Writes ranges of amounts, one for each currency. */
export function costRangeText(ranges: readonly CostRange[], language: string): string {
  return ranges
    .map(({ currency, min, max }) => [...new Set([min, max])].map((micros) => moneyText({ currency, micros }, language)).join(' – '))
    .join(' + ');
}
