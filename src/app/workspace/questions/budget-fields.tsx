import type { LimitReached } from '../../../../contract/budget.ts';
import { Facts } from '../../../ui/controls/facts.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { type LimitName, limitText } from '../budgets/budget-figures.ts';
import styles from './questions.module.css';

type BudgetFieldsProps = { limit: LimitReached; figure: string; isWrong: boolean; readOnly: boolean; onFigure: (figure: string) => void };

/** The limit that a call does not fit into, and a field for a new figure. */
export function BudgetFields({ limit, figure, isWrong, readOnly, onFigure }: BudgetFieldsProps) {
  const { t, language } = useTranslation('questions');
  const { t: budgetText } = useTranslation('budgets');
  const name: LimitName = limit.kind === 'price' ? 'money' : limit.kind;
  const text = (value: number) => limitText(name, value, limit.currency, language);
  const place =
    limit.scope === 'run' ? budgetText('thisRun') : `${budgetText(`scope.${limit.scope}`)} · ${budgetText(`span.${limit.span}`)}`;
  return (
    <>
      <Facts
        className={styles.budget}
        data-testid="asked-budget"
        facts={[
          [`${t('words:budget')}: ${place}`, text(limit.limit)],
          [t('budgetUsed'), text(limit.used)],
          limit.kind === 'price' ? [t('budgetModel'), limit.model] : [t('budgetNeeded'), text(limit.needed)],
        ]}
      />
      {limit.kind !== 'price' && !readOnly && (
        <TextField
          label={`${t('newFigure')} · ${budgetText(name === 'time' ? 'minutes' : name)}${limit.currency === null ? '' : `, ${limit.currency}`}`}
          inputMode="decimal"
          autoComplete="off"
          maxLength={24}
          value={figure}
          error={isWrong ? t('budgetFigureWrong') : undefined}
          onChange={(event) => onFigure(event.target.value)}
        />
      )}
    </>
  );
}

/** Reads a new figure in the unit of its limit; null for one that is no number above what is used. */
export function readFigure(typed: string, { kind, used }: LimitReached): number | null {
  const plain = typed.replaceAll(/[\s\u00a0\u202f]/g, '').replace(',', '.');
  const unit = kind === 'money' ? 1_000_000 : kind === 'time' ? 60_000 : 1;
  const value = /^\d+(?:\.\d+)?$|^\.\d+$/.test(plain) ? Math.round(Number(plain) * unit) : Number.NaN;
  return value > used ? value : null;
}
