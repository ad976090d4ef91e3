import { Suspense } from 'react';
import { Spinner } from '../../../../ui/controls/spinner.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { Wallet } from '../../../../ui/icons/icons.ts';
import { lazyPart } from '../../../../ui/loading/lazy-part.tsx';
import { averageCost } from '../../budgets/average-cost.ts';
import { useForecast } from '../../budgets/use-forecast.ts';
import { RunFlyout } from '../run-flyout.tsx';
import { SettingButton } from './setting-button.tsx';

const RunBudget = lazyPart(() => import('../../budgets/run-budget.tsx').then((part) => part.RunBudget));

/** Opens the budget of the run, with a forecast before it, and says what a run costs. */
export function BudgetSetting() {
  const { t, language } = useTranslation('participation');
  const value = useForecast();
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
