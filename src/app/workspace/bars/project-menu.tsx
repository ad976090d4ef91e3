import { isLocked } from '../../../model/workspace-state.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ArchiveRestore, Bookmark, Ellipsis, GitCompareArrows, RefreshCw, UserRoundPlus } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { shortcutOf } from '../frame/action-table.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';

/** What is rarely needed of the project: its versions, its members, and reading it again or matching it with its agents. W2.02 */
export function ProjectMenu({ isOwn }: { isOwn: boolean }) {
  const { t } = useTranslation('workspace');
  const { t: tActions } = useTranslation('actions');
  const dispatch = useDispatch();
  const { panels, show } = usePanels();
  const { account } = useWorkspaceContext();
  const hasProject = useWorkspace((state) => state.project !== null);
  const isStarting = useWorkspace((state) => state.run.phase === 'starting');
  const isOpening = useWorkspace((state) => state.status === 'opening' || state.status === 'reloading');
  const isFixed = useWorkspace((state) => isLocked(state.run));
  return (
    <Menu
      trigger={
        <IconButton label={t('bar.more')} data-testid="project-menu" icon={isOpening ? <Spinner size={16} /> : <Ellipsis size={17} />} />
      }
    >
      {account && hasProject && (
        <>
          <MenuItem
            icon={<Bookmark size={16} aria-hidden />}
            shortcut={shortcutOf('toggleVersions')}
            onSelect={() => show({ versions: !panels.versions })}
          >
            {t('bar.versions')}
          </MenuItem>
          {isOwn && (
            <MenuItem icon={<UserRoundPlus size={16} aria-hidden />} onSelect={() => show({ window: { kind: 'inviteMember' } })}>
              {t('words:inviteMember')}
            </MenuItem>
          )}
          <MenuSeparator />
        </>
      )}
      <MenuItem
        icon={<RefreshCw size={16} aria-hidden />}
        disabled={isStarting}
        onSelect={() => void dispatch({ type: 'workspace.reload' })}
      >
        {t('bar.reload')}
      </MenuItem>
      {isOwn && (
        <>
          <MenuItem
            icon={<GitCompareArrows size={16} aria-hidden />}
            disabled={isFixed}
            onSelect={() => void dispatch({ type: 'agents.sync' })}
          >
            {tActions('name.syncMenu')}
          </MenuItem>
          <MenuItem
            icon={<ArchiveRestore size={16} aria-hidden />}
            disabled={isFixed}
            onSelect={() => void dispatch({ type: 'agents.restore' })}
          >
            {tActions('name.restoreAgents')}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
