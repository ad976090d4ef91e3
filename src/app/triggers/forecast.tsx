import { useEffect, useState } from 'react';
import type { Cost } from '../../../contract/cost.ts';
import { ApiError } from '../../api/api-error.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { averageCost } from '../workspace/budgets/average-cost.ts';
import { forecastSpan } from './forecast-span.ts';
import type { TriggerStore } from './trigger-store.ts';
import styles from './triggers.module.css';

type ForecastProps = { store: TriggerStore; teamId: string; firesADay: number | null };

/** What a schedule is likely to cost on a day, or in a month or a year if it is rare, by the last ten runs of its team. L4.04 */
export function Forecast({ store, teamId, firesADay }: ForecastProps) {
  const [known, setKnown] = useState<{ teamId: string; cost: Cost | null } | null>(null);
  useEffect(() => {
    if (teamId === '') return;
    let isGone = false;
    store.costOfRun(teamId).then(
      (cost) => isGone || setKnown({ teamId, cost }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      },
    );
    return () => {
      isGone = true;
    };
  }, [store, teamId]);
  return known?.teamId === teamId && firesADay !== null ? <SpanCost costOfRun={known.cost} firesADay={firesADay} /> : null;
}

export function SpanCost({ costOfRun, firesADay }: { costOfRun: Cost | null; firesADay: number }) {
  const { t, language } = useTranslation('triggers');
  const { name, fires } = forecastSpan(firesADay);
  const text = fires.toLocaleString(language, fires < 1 ? { maximumSignificantDigits: 1 } : { maximumFractionDigits: fires < 10 ? 1 : 0 });
  const times = t(`forecast.${name}.times`, { count: fires, text });
  const ofSpan = costOfRun && {
    ...costOfRun,
    amounts: costOfRun.amounts.map(({ currency, micros }) => ({ currency, micros: micros * fires })),
  };
  const amount = ofSpan && averageCost({ runs: 1, total: ofSpan }, language);
  return (
    <section aria-label={t(`forecast.${name}.title`)} data-testid="forecast">
      <h4>{t(`forecast.${name}.title`)}</h4>
      <p className={styles.figure}>{amount ? t(`forecast.${name}.cost`, { amount }) : times}</p>
      <p className={styles.note}>{amount ? t('forecast.why', { times }) : t(costOfRun === null ? 'forecast.noRuns' : 'forecast.free')}</p>
    </section>
  );
}
