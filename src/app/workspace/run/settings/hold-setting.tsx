import type { RunHolds } from '../../../../../contract/executions/question.ts';
import { isUnderWay } from '../../../../model/workspace-state.ts';
import { Tooltip } from '../../../../ui/controls/overlays/tooltip.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { UserRoundCheck } from '../../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { SettingButton } from './setting-button.tsx';

/**
 * Chooses whether every result waits until a person hands it on, in the run under way. Without one, the choice is stored with the project,
 * for its next runs, and what the last run did stays visible.
 */
export function HoldSetting() {
  const { t } = useTranslation('participation');
  const dispatch = useDispatch();
  const isInRun = useWorkspace(({ run: { execution } }) => execution !== null && isUnderWay(execution));
  const hasRun = useWorkspace(({ run }) => run.execution !== null);
  const holds = useWorkspace(({ run }) => run.execution?.holds);
  const id = useWorkspace(({ project }) => project?.id);
  const isOfProject = useWorkspace(({ project }) => project?.holdHandOffs === true);
  if (id === undefined) return null;
  const isOfRun = holds?.all === true;
  const isOn = isInRun ? isOfRun : isOfProject;
  const change = () =>
    isInRun
      ? dispatch({ type: 'run.setHolds', holds: toggled(holds) })
      : dispatch({ type: 'project.update', id, holdHandOffs: !isOfProject });
  return (
    <Tooltip label={t('settings.holdHint')} side="top">
      <SettingButton
        icon={<UserRoundCheck size={14} aria-hidden />}
        isOn={isOn}
        aside={hasRun && isOn !== isOfRun ? t(isOfRun ? 'settings.held' : 'settings.notHeld') : null}
        aria-pressed={isOn}
        data-testid="hold-switch"
        onClick={() => void change()}
      >
        {t('settings.hold')}
      </SettingButton>
    </Tooltip>
  );
}

/** Every link holds, also those that were released one by one; or each as it is set. */
function toggled({ all, links }: RunHolds = { all: false, links: {} }): RunHolds {
  return all
    ? { all: false, links }
    : { all: true, links: Object.fromEntries(Object.entries(links).filter(([, hold]) => hold !== 'never')) };
}
