import { Suspense, useMemo } from 'react';
import { serverAgents } from '../../../../model/agents/fallback-agent.ts';
import { teamOf } from '../../../../model/run/run-starters.ts';
import { Spinner } from '../../../../ui/controls/spinner.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { Wallet } from '../../../../ui/icons/icons.ts';
import { lazyPart } from '../../../../ui/loading/lazy-part.tsx';
import { useDebounced } from '../../../../ui/use-debounced.ts';
import { useStore, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { averageCost } from '../../budgets/average-cost.ts';
import { useForecast } from '../../budgets/use-forecast.ts';
import { RunFlyout } from '../run-flyout.tsx';
import { SettingButton } from './setting-button.tsx';

const RunBudget = lazyPart(() => import('../../budgets/run-budget.tsx').then((part) => part.RunBudget));

/** Opens the budget of the run, with a forecast before it, and says what a run costs. */
export function BudgetSetting() {
  const { t, language } = useTranslation('participation');
  const value = useForecast(useTeam());
  const cost = value && averageCost(value, language);
  return (
    <RunFlyout
      label={t('settings.budget')}
      isWide
      trigger={
        <SettingButton
          icon={<Wallet size={14} aria-hidden />}
          aside={cost === null ? null : t('settings.cost', { cost })}
          data-testid="budget-switch"
        >
          {t('settings.budget')}
        </SettingButton>
      }
    >
      <Suspense fallback={<Spinner size={18} />}>
        <RunBudget />
      </Suspense>
    </RunFlyout>
  );
}

/** How long what takes part rests before its agents are looked up (ms). */
const restMs = 500;

/** The agents of the next run. They are looked up when another set of cards takes part, and not at each edit. */
function useTeam(): readonly string[] {
  const store = useStore();
  const participation = useDebounced(
    useWorkspace((state) => state.participation),
    restMs,
  );
  const agents = useWorkspace((state) => state.agents);
  return useMemo(() => {
    const { document } = store.getState();
    const { dialogNodeId, startNodeIds } = participation;
    const starts = startNodeIds.flatMap((id) => document.nodes[id] ?? []);
    return teamOf(document, serverAgents(agents), { dialog: document.nodes[dialogNodeId ?? ''] ?? null, starts });
  }, [store, participation, agents]);
}
