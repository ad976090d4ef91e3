import { useRef } from 'react';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useRead } from '../../server-data/use-read.ts';
import { type LimitFigure, limitFigures } from '../budgets/budget-figures.ts';
import { AmountBar } from '../marks/amount-bar.tsx';
import styles from './budget-bar.module.css';
import { runFigures } from './run-figures.ts';
import { useShownRun } from './use-shown-run.ts';

/** The limit of the run that is nearest: spent, reserved and the whole. Nothing without a budget. */
export function BudgetBar() {
  const { t, language } = useTranslation('workspace');
  const run = useShownRun();
  const id = run.execution?.id ?? null;
  const { done, atWork } = runFigures(run);
  // A run without a budget asks once. Another one asks again whenever a step has begun or ended.
  const without = useRef<string | null>(null);
  const when = without.current === id ? null : `${done} ${atWork} ${run.execution?.openQuestions ?? 0}`;
  const { value } = useRead('budget.list', id === null ? null : { query: { executionId: id } }, { when });
  if (value) without.current = value.budgets.length === 0 ? id : null;
  const figures = value?.budgets.flatMap((budget) => limitFigures(budget, language)) ?? [];
  const nearest = figures.toSorted((one, other) => shareOf(other) - shareOf(one))[0];
  if (!nearest) return null;
  const { name, used, reserved, state, percent, usedText, limitText, reservedText } = nearest;
  const warning = state === 'near' ? t('budget.near', { percent }) : state === 'full' ? t('budget.full') : null;
  const text = [
    `${t(`budget.limit.${name}`)}: ${t('words:usedOfLimit', { used: usedText, limit: limitText })}`,
    ...(warning ? [warning] : []),
    ...(reservedText ? [t('words:amountReserved', { amount: reservedText })] : []),
  ].join(' · ');
  return (
    <div className={styles.budget} data-testid="budget-bar">
      <AmountBar {...{ state, used, reserved }} className={styles.bar} />
      <span className={styles.text} title={text}>
        <span className="visually-hidden">{t('words:budget')}: </span>
        {text}
      </span>
      <span role="status" className="visually-hidden">
        {state === 'near' && t('budget.nearly', { limit: t(`budget.limit.${name}`) })}
      </span>
    </div>
  );
}

function shareOf({ used, reserved }: LimitFigure): number {
  return used + reserved;
}
