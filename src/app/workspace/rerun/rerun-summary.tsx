import type { CostRange, Fork } from '../../../../contract/executions/fork.ts';
import { innermostRound } from '../../../model/card-view.ts';
import { moneyText } from '../../../model/run/cost-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import styles from './rerun.module.css';

/** `models`: with how many models a step is tried; 0 for a fork that is no trial. */
type SummaryProps = { fork: Fork | null; models: number; isLoading: boolean };

/** What a fork keeps and what it runs, in figures and step by step. */
export function RerunSummary({ fork, models, isLoading }: SummaryProps) {
  const { t, language } = useTranslation('rerun');
  if (!fork)
    return (
      <p className={styles.summary} role="status">
        {isLoading ? t('loading') : ''}
      </p>
    );
  const count = (...states: string[]) => fork.steps.filter(({ state }) => states.includes(state)).length;
  const [kept, again, gone] = [count('reused'), count('rerun', 'new'), count('gone')];
  const cost = costRangeText(fork.cost, language);
  const [min, max] = [fork.tokens.min, fork.tokens.max].map((value) => value.toLocaleString(language)) as [string, string];
  // Of a step that never ran nothing is known; a person's needs none.
  const isNew = fork.steps.some(
    ({ state, tokens, kind }) => (state === 'rerun' || state === 'new') && tokens === null && kind !== 'person',
  );
  const tokens = min === max ? t('tokensSame', { amount: max }) : t('tokens', { min, max });
  return (
    <>
      <p className={styles.summary} role="status" data-testid="rerun-summary">
        <span data-tint="kept">{t('summary.kept', { count: kept })}</span>
        <span data-tint="again">{models > 0 ? t('summary.tried', { count: models }) : t('summary.again', { count: again })}</span>
        {gone > 0 && <span data-tint="removed">{t('summary.gone', { count: gone })}</span>}
        {again > 0 && (!isNew || fork.tokens.max > 0) && <span>{tokens}</span>}
        {isNew && <span>{t('unknownTokens')}</span>}
        {again > 0 && cost && <span>{cost}</span>}
        {again > 0 && fork.isCostUnknown && <span>{t('words:priceUnknown')}</span>}
        {again === 0 && <span>{t('nothing')}</span>}
      </p>
      <details className={styles.steps}>
        <summary>{t('words:steps')}</summary>
        <ul>
          {fork.steps.map(({ stepId, name, round, item, state, reason, cost: ofStep, isCostUnknown }) => (
            <li key={`${stepId} ${round} ${item}`} data-tint={state === 'reused' ? 'kept' : state === 'gone' ? 'removed' : 'again'}>
              <strong>{name}</strong>
              {round > 0 && ` · ${t('run', { round: innermostRound(round) + 1 })}`}
              {item > 0 && ` · ${t('item', { item })}`}
              <span>
                {[
                  `${t(`state.${state}`)}, ${t(`reason.${reason}`)}`,
                  costRangeText(ofStep, language),
                  isCostUnknown ? t('words:priceUnknown') : '',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** Writes ranges of amounts, one for each currency. */
function costRangeText(ranges: readonly CostRange[], language: string): string {
  return ranges
    .map(({ currency, min, max }) => [...new Set([min, max])].map((micros) => moneyText({ currency, micros }, language)).join(' – '))
    .join(' + ');
}
