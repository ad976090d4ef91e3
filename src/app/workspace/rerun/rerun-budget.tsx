import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useRead } from '../../server-data/use-read.ts';
import { LimitFields } from '../budgets/limit-fields.tsx';
import type { useBudgetDraft } from '../budgets/use-budget-draft.ts';
import styles from './rerun.module.css';

/** The limits of the fork's own budget. Those of the original's budget apply while all fields are empty. */
export function RerunBudget({ form, isOpen, onOpen }: ReturnType<typeof useBudgetDraft>['fields']) {
  const { t } = useTranslation('rerun');
  const { value } = useRead('budget.list', isOpen ? {} : null);
  return (
    <details className={styles.steps} open={isOpen} onToggle={({ currentTarget }) => onOpen(currentTarget.open)}>
      <summary>{t('budget')}</summary>
      <p className={styles.hint}>{t('budgetHint')}</p>
      {isOpen && <LimitFields form={form} currencies={value?.currencies ?? []} />}
    </details>
  );
}
