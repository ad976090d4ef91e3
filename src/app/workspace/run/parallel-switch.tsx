import { parallelSteps } from '../../../../contract/executions/run-graph.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { GitBranch } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useNodeCounts } from '../use-node-counts.ts';

/** Chooses whether branches run in parallel or steps run one after another. Stored with the project; shown on a canvas with links. */
export function ParallelSwitch({ size }: { size?: { width: number; height: number } | undefined }) {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  const id = useWorkspace((state) => state.project?.id);
  const isParallel = useWorkspace((state) => (state.project?.parallelSteps ?? 1) > 1);
  const hasLinks = useNodeCounts(({ links }) => links > 0);
  if (id === undefined || !hasLinks) return null;
  return (
    <IconButton
      size={40}
      style={size}
      tone="bordered"
      pressed={isParallel}
      label={t('run.together')}
      tooltipSide="top"
      data-testid="parallel-switch"
      icon={<GitBranch size={17} />}
      onClick={() => void dispatch({ type: 'project.update', id, parallelSteps: isParallel ? 1 : parallelSteps })}
    />
  );
}
