import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { BranchesSetting } from './branches-setting.tsx';
import { BudgetSetting } from './budget-setting.tsx';
import { HoldSetting } from './hold-setting.tsx';
import { QuestionsSetting } from './questions-setting.tsx';
import styles from './run-settings.module.css';

/** What a run does beside its task, in words: branches, holds, the budget, and the questions that wait. Shown before, in and after a run. */
export function RunSettings() {
  const { t } = useTranslation('participation');
  const hasProject = useWorkspace(({ project }) => project !== null);
  if (!hasProject) return null;
  return (
    <fieldset className={styles.settings} aria-label={t('settings.label')} data-testid="run-settings">
      <BranchesSetting />
      <HoldSetting />
      <BudgetSetting />
      <QuestionsSetting />
    </fieldset>
  );
}
