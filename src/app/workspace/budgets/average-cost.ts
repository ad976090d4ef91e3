import type { Forecast } from '../../../../contract/budget.ts';
import { moneyText } from '../../../model/run/cost-text.ts';

/** Writes what a run of a team costs on average, in each currency; null where nothing was paid, or where some prices are not known. */
export function averageCost({ runs, total: { amounts, isUnknown } }: Pick<Forecast, 'runs' | 'total'>, language: string): string | null {
  if (runs === 0 || amounts.length === 0 || isUnknown) return null;
  return amounts.map(({ currency, micros }) => moneyText({ currency, micros: rounded(micros / runs) }, language)).join(' + ');
}

/** To two digits from the first: "about" needs no more. */
function rounded(micros: number): number {
  if (micros < 1) return Math.round(micros);
  const step = 10 ** Math.max(0, Math.floor(Math.log10(micros)) - 1);
  return Math.round(micros / step) * step;
}
