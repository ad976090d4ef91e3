import { ConfirmDialog } from '../../../ui/controls/overlays/confirm-dialog.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { hasEditsInMemoryOnly } from './use-leave-project.ts';

/** Asks before the project is left while edits would be lost or remain only in this browser. */
export function LeaveDialog() {
  const { t } = useTranslation('account');
  const { panels, show } = usePanels();
  const { account } = useWorkspaceContext();
  const lost = useWorkspace((state) => hasEditsInMemoryOnly(state.save));
  const to = panels.window?.kind === 'leave' ? panels.window.to : null;
  const leave = () => {
    show({ window: null });
    if (to === 'signOut') account?.signOut();
    else if (to !== null) account?.openProject(to.projectId);
  };
  return (
    <ConfirmDialog
      open={to !== null}
      title={t(to === null || to === 'signOut' ? 'leave.signOutTitle' : 'leave.title')}
      action={t(to === null || to === 'signOut' ? 'words:signOut' : 'leave.action')}
      onConfirm={leave}
      onClose={() => show({ window: null })}
    >
      <p>{t(lost ? 'leave.lost' : 'leave.text')}</p>
    </ConfirmDialog>
  );
}
