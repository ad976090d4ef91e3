import type { Project } from '../../../../contract/project.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { BudgetList } from './budget-list.tsx';
import styles from './budgets.module.css';

/** The budgets of the account and of one project (the open one, unless another is given), in one place. */
export function AllBudgets({ of }: { of: Project | null }) {
  const { t } = useTranslation('budgets');
  const open = useWorkspace((state) => state.project);
  const project = of ?? open;
  return (
    <div className={styles.all}>
      <p className={styles.muted}>{t('about')}</p>
      <section className={styles.part} aria-label={t('scope.user')}>
        <h3>{t('scope.user')}</h3>
        <BudgetList of={{ scope: 'user' }} />
      </section>
      {project && (
        <section className={styles.part} aria-label={project.name}>
          <h3>{project.name}</h3>
          <BudgetList of={{ scope: 'project', projectId: project.id }} />
        </section>
      )}
    </div>
  );
}
