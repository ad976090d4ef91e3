import type { Cost } from '../../../contract/cost.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { useRead } from '../server-data/use-read.ts';
import { averageCost } from '../workspace/budgets/average-cost.ts';
import { forecastSpan } from './forecast-span.ts';
import styles from './triggers.module.css';

type ForecastProps = { projectId: string; teamId: string; firesADay: number | null };

/** What a schedule is likely to cost on a day, or in a month or a year if it is rare, by the last ten runs of its team. L4.04 */
export function Forecast({ projectId, teamId, firesADay }: ForecastProps) {
  const { value } = useRead('releasedTeam.get', teamId === '' ? null : { params: { id: projectId, teamId } });
  return value !== null && firesADay !== null ? <SpanCost costOfRun={value.costOfRun} firesADay={firesADay} /> : null;
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
