import { Suspense } from 'react';
import { parallelLimit, parallelSettingOf } from '../../../../model/run/plan/parallel-limit.ts';
import { isUnderWay } from '../../../../model/workspace-state.ts';
import { Spinner } from '../../../../ui/controls/spinner.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { ChevronDown } from '../../../../ui/icons/icons.ts';
import { lazyPart } from '../../../../ui/loading/lazy-part.tsx';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { useRead } from '../../../server-data/use-read.ts';
import { averageCost } from '../../budgets/average-cost.ts';
import { limitFigures } from '../../budgets/budget-figures.ts';
import { useForecast } from '../../budgets/use-forecast.ts';
import { BranchesSetting } from './branches-setting.tsx';
import { HoldSetting } from './hold-setting.tsx';
import { RunFlyout } from './run-flyout.tsx';
import styles from './run-settings.module.css';

const RunBudget = lazyPart(() => import('../../budgets/run-budget.tsx').then((part) => part.RunBudget));

/** What a run does beside its task, behind one word that says how it is set: branches, holds, and the budget with its forecast. D4.02 */
export function RunSettings() {
  const { t } = useTranslation('participation');
  const value = useValue();
  const hasProject = useWorkspace(({ project }) => project !== null);
  if (!hasProject) return null;
  return (
    <RunFlyout
      label={t('words:settingsOfRuns')}
      isWide
      trigger={
        <button type="button" className={styles.word} aria-label={`${t('words:settingsOfRuns')}: ${value}`} data-testid="run-settings">
          <span>{value}</span>
          <ChevronDown size={15} aria-hidden />
        </button>
      }
    >
      <div className={styles.settings}>
        <BranchesSetting />
        <HoldSetting />
        <Suspense fallback={<Spinner size={18} />}>
          <RunBudget />
        </Suspense>
      </div>
    </RunFlyout>
  );
}

/** How the next run is set, or the one under way: "Together · up to $2". */
function useValue(): string {
  const { t, language } = useTranslation('participation');
  const limit = useWorkspace(({ project, participation, run }) =>
    run.execution && isUnderWay(run.execution)
      ? (run.graph?.maxParallel ?? 1)
      : parallelLimit(parallelSettingOf(project), participation.hasBranches),
  );
  const holds = useWorkspace(({ project, run: { execution } }) =>
    execution && isUnderWay(execution) ? execution.holds?.all === true : project?.holdHandOffs === true,
  );
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const executionId = useWorkspace(({ run: { execution } }) => (execution && isUnderWay(execution) ? execution.id : null));
  const query = executionId === null ? { projectId: projectId ?? '' } : { executionId };
  const budgets = useRead('budget.list', projectId === null ? null : { query }).value?.budgets ?? [];
  const ofRun = budgets.find(({ span, scope }) => span === 'run' && (scope === 'project' || scope === 'run'));
  const most = ofRun && limitFigures(ofRun, language)[0];
  const forecast = useForecast();
  const cost = forecast && averageCost(forecast, language);
  return [
    t(limit > 1 ? 'settings.togetherWord' : 'settings.inTurnWord'),
    holds && t('settings.heldWord'),
    most ? t(`settings.upTo.${most.name}`, { limit: most.limitText }) : cost && t('settings.cost', { cost }),
  ]
    .filter(Boolean)
    .join(' · ');
}
