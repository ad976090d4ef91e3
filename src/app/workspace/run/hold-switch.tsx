import type { RunHolds } from '../../../../contract/question.ts';
import { isUnderWay } from '../../../model/workspace-state.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Hand } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';

/** Chooses whether every result of the run that is under way waits until a person hands it on. */
export function HoldSwitch({ size }: { size?: { width: number; height: number } | undefined }) {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  const canHold = useWorkspace(({ run: { execution } }) => execution !== null && isUnderWay(execution));
  const holds = useWorkspace(({ run }) => run.execution?.holds);
  if (!canHold) return null;
  return (
    <IconButton
      size={40}
      style={size}
      tone="bordered"
      pressed={holds?.all === true}
      label={t('run.holdAll')}
      tooltipSide="top"
      data-testid="hold-switch"
      icon={<Hand size={17} />}
      onClick={() => void dispatch({ type: 'run.setHolds', holds: toggled(holds) })}
    />
  );
}

/** Every link holds, also those that were released one by one; or each as it is set. */
function toggled({ all, links }: RunHolds = { all: false, links: {} }): RunHolds {
  return all
    ? { all: false, links }
    : { all: true, links: Object.fromEntries(Object.entries(links).filter(([, hold]) => hold !== 'never')) };
}
