import { maxParallelSteps, parallelByBranches } from '../../../../../contract/executions/parallel-steps.ts';
import { parallelLimit, parallelSettingOf } from '../../../../model/run/plan/parallel-limit.ts';
import { Menu, MenuItem, MenuNote } from '../../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { GitBranch } from '../../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { SettingButton } from './setting-button.tsx';

const choices = [parallelByBranches, ...Array.from({ length: maxParallelSteps }, (_, at) => at + 1)];

/** How many steps of a run work at the same time. Of a run that is shown its own number stays; a choice is for the next ones. D4.02 */
export function BranchesSetting() {
  const { t } = useTranslation('participation');
  const dispatch = useDispatch();
  const id = useWorkspace(({ project }) => project?.id);
  const chosen = useWorkspace(({ project }) => parallelSettingOf(project) ?? 1);
  const next = useWorkspace(({ project, participation }) => parallelLimit(parallelSettingOf(project), participation.hasBranches));
  const ofRun = useWorkspace(({ run }) => (run.execution && run.steps.length > 0 ? (run.graph?.maxParallel ?? 1) : null));
  const shown = ofRun ?? next;
  const words = (limit: number) => (limit > 1 ? t('settings.together', { limit }) : t('settings.inTurn'));
  const nameOf = (choice: number) => {
    if (choice === parallelByBranches) return t('settings.byBranches');
    return choice > 1 ? t('settings.atOnce', { count: choice }) : t('settings.oneByOne');
  };
  if (id === undefined) return null;
  return (
    <Menu
      side="top"
      trigger={
        <SettingButton
          icon={<GitBranch size={14} aria-hidden />}
          isOn={shown > 1}
          aside={
            shown === next
              ? null
              : t('settings.next', { mode: next > 1 ? t('settings.nextTogether', { limit: next }) : t('settings.nextInTurn') })
          }
          data-testid="parallel-switch"
          data-limit={shown}
          data-next={next}
        >
          {words(shown)}
        </SettingButton>
      }
    >
      <MenuNote>{t('settings.branchesAbout')}</MenuNote>
      {choices.map((choice) => (
        <MenuItem
          key={choice}
          chosen={choice === chosen}
          onSelect={() => void dispatch({ type: 'project.update', id, parallelSteps: choice })}
        >
          {nameOf(choice)}
        </MenuItem>
      ))}
    </Menu>
  );
}
