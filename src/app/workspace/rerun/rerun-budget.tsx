import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useRead } from '../../server-data/use-read.ts';
import type { BudgetDraft, BudgetField } from '../budgets/budget-figures.ts';
import { LimitFields } from '../budgets/limit-fields.tsx';
import styles from './rerun.module.css';

type Props = {
  draft: BudgetDraft;
  errorOf: (field: BudgetField) => string | undefined;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onType: (field: keyof BudgetDraft, value: string) => void;
};

/** The limits of the fork's own budget. Those of the original's budget apply while all fields are empty. */
export function RerunBudget({ draft, errorOf, isOpen, onOpen, onType }: Props) {
  const { t } = useTranslation('rerun');
  const { value } = useRead('budget.list', isOpen ? {} : null);
  return (
    <details className={styles.steps} open={isOpen} onToggle={({ currentTarget }) => onOpen(currentTarget.open)}>
      <summary>{t('budget')}</summary>
      <p className={styles.hint}>{t('budgetHint')}</p>
      {isOpen && <LimitFields {...{ draft, errorOf, onType }} currencies={value?.currencies ?? []} />}
    </details>
  );
}
