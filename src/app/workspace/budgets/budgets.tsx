import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { BudgetList, type BudgetsOf } from './budget-list.tsx';
import styles from './budgets.module.css';

/** The budgets of a project or of the account, in its settings. */
export function Budgets({ of }: { of: BudgetsOf }) {
  const { t } = useTranslation('budgets');
  return (
    <section className={styles.section} aria-label={t('title')}>
      <h2>{t('title')}</h2>
      <p className={styles.muted}>{t('about')}</p>
      <BudgetList of={of} />
    </section>
  );
}
