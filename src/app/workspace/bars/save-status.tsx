import type { LucideIcon } from 'lucide-react/types';
import type { SaveState } from '../../../model/workspace-state.ts';
import { Tooltip } from '../../../ui/controls/overlays/tooltip.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Cloud, CloudCheck, CloudOff, CloudUpload, GitCompareArrows, TriangleAlert } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { hasEditsInMemoryOnly } from '../account/use-leave-project.ts';
import { DemoNote } from '../demo/demo-note.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import styles from './bars.module.css';

const looks: Record<SaveState['status'] | 'silent', { icon: LucideIcon; tone: 'success' | 'muted' | 'warning' }> = {
  saved: { icon: CloudCheck, tone: 'success' },
  pending: { icon: Cloud, tone: 'muted' },
  saving: { icon: CloudUpload, tone: 'muted' },
  offline: { icon: CloudOff, tone: 'warning' },
  conflict: { icon: GitCompareArrows, tone: 'warning' },
  failed: { icon: TriangleAlert, tone: 'warning' },
  silent: { icon: TriangleAlert, tone: 'warning' },
};

/** Shows whether the last edit is saved on the server, in this browser only, or in conflict. A local canvas shows nothing. */
export function SaveStatus() {
  const { t } = useTranslation('workspace');
  const { demo } = useWorkspaceContext();
  const save = useWorkspace((state) => state.save);
  const isSilent = useWorkspace((state) => state.engine === 'silent');
  const hasProject = useWorkspace((state) => state.project !== null);
  const gone = useWorkspace((state) => state.failure?.code === 'project.gone');
  if (demo) return <DemoNote />;
  if (!hasProject || gone) return null;
  const status = isSilent ? 'silent' : save.status;
  const { icon: Icon, tone } = looks[status];
  const unkept = hasEditsInMemoryOnly(save);
  const isUnsavedOffline = unkept && status === 'offline';
  // Edits that only this page has are not shown as saved in the browser.
  const hint = isUnsavedOffline ? 'unkept' : unkept && status === 'pending' ? 'saving' : status;
  return (
    <Tooltip label={t(`save.${hint}Hint`, { version: save.version })}>
      <button type="button" className={styles.save} data-tone={tone} data-testid="save-status" data-status={status}>
        <Icon size={16} strokeWidth={1.75} aria-hidden />
        <span>{t(isUnsavedOffline ? 'save.unkept' : `save.${status}`)}</span>
      </button>
    </Tooltip>
  );
}
