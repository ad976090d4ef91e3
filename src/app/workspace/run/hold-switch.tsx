import type { RunHolds } from '../../../../contract/executions/question.ts';
import { isUnderWay } from '../../../model/workspace-state.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { UserRoundCheck } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useNodeCounts } from '../use-node-counts.ts';

/**
 * Chooses whether every result waits until a person hands it on, in the run under way. Without one, the choice is stored with the project,
 * for its next runs.
 */
export function HoldSwitch({ size }: { size?: { width: number; height: number } | undefined }) {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  const isInRun = useWorkspace(({ run: { execution } }) => execution !== null && isUnderWay(execution));
  const hasLinks = useNodeCounts(({ links }) => links > 0);
  const isBeforeRun = useWorkspace(({ run }) => run.phase === 'stopped' && !run.outcome) && hasLinks;
  const holds = useWorkspace(({ run }) => run.execution?.holds);
  const id = useWorkspace(({ project }) => project?.id);
  const isOfProject = useWorkspace(({ project }) => project?.holdHandOffs === true);
  if (id === undefined || !(isInRun || isBeforeRun)) return null;
  const change = () =>
    isInRun
      ? dispatch({ type: 'run.setHolds', holds: toggled(holds) })
      : dispatch({ type: 'project.update', id, holdHandOffs: !isOfProject });
  return (
    <IconButton
      size={40}
      style={size}
      tone="bordered"
      pressed={isInRun ? holds?.all === true : isOfProject}
      label={t('run.holdAll')}
      tooltipSide="top"
      data-testid="hold-switch"
      icon={<UserRoundCheck size={17} />}
      onClick={() => void change()}
    />
  );
}

/** Every link holds, also those that were released one by one; or each as it is set. */
function toggled({ all, links }: RunHolds = { all: false, links: {} }): RunHolds {
  return all
    ? { all: false, links }
    : { all: true, links: Object.fromEntries(Object.entries(links).filter(([, hold]) => hold !== 'never')) };
}
