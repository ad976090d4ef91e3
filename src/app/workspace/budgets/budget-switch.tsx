import { Suspense, useState } from 'react';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Flyout } from '../../../ui/controls/overlays/flyout.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Wallet } from '../../../ui/icons/icons.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../workspace-context.ts';

const RunBudget = lazyPart(() => import('./run-budget.tsx').then((part) => part.RunBudget));

/** Opens the budget of the run, with a forecast before it. */
export function BudgetSwitch({ size }: { size?: { width: number; height: number } | undefined }) {
  const { t } = useTranslation('workspace');
  const { mobile } = useWorkspaceContext();
  const hasProject = useWorkspace(({ project }) => project !== null);
  const [open, setOpen] = useState(false);
  if (!hasProject) return null;
  return (
    <Flyout
      open={open}
      onOpenChange={setOpen}
      sheet={mobile}
      label={t('run.budget')}
      trigger={
        <IconButton
          size={40}
          style={size}
          tone="bordered"
          label={t('run.budget')}
          tooltipSide="top"
          data-testid="budget-switch"
          icon={<Wallet size={17} />}
        />
      }
    >
      <Suspense fallback={<Spinner size={18} />}>
        <RunBudget />
      </Suspense>
    </Flyout>
  );
}
