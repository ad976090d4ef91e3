import { Suspense } from 'react';
import { Link } from 'react-router-dom';
import { isLocked } from '../../../model/workspace-state.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Tooltip } from '../../../ui/controls/overlays/tooltip.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Redo2, Undo2 } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { OtherCanvas } from '../demo/other-canvas.tsx';
import { shortcutOf } from '../frame/action-table.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import panel from '../panel.module.css';
import { ProjectSwitcher } from '../projects/project-switcher.tsx';
import { RunLine } from '../run/run-line.tsx';
import styles from './bars.module.css';
import { MobileMenu } from './mobile-menu.tsx';
import { ProjectMenu } from './project-menu.tsx';
import { SaveStatus } from './save-status.tsx';

/** The project's name, the state of saving, undo and redo. */
export function ProjectBar() {
  const { t } = useTranslation('workspace');
  const { account, mobile, readOnly, demo } = useWorkspaceContext();
  const dispatch = useDispatch();
  const project = useWorkspace((state) => state.project);
  const ready = useWorkspace((state) => state.status === 'ready');
  const undo = useWorkspace((state) => state.undo);
  const locked = useWorkspace((state) => isLocked(state.run));
  // Before the first edit there is nothing to undo.
  const isEdited = !readOnly && (undo.canUndo || undo.canRedo);
  const running = useWorkspace((state) => state.run.phase !== 'stopped');
  const { panels } = usePanels();
  const covered = panels.console !== 'closed' || panels.history || panels.versions || panels.sidebar;
  const name = project?.name ?? (ready ? t('bar.local') : '');
  const switches = project !== null && account !== null && !readOnly;
  return (
    <header className={`${panel.panel} ${styles.project}`} data-panel data-testid="project-bar">
      <Tooltip label={t('homePage')}>
        <Link to="/" className={styles.home} aria-label={t('homePage')}>
          <WorkspaceMark />
        </Link>
      </Tooltip>
      <span className={`${panel.divider} ${styles.wide}`} />
      <div className={styles.names}>
        <h1 className={styles.name} title={switches ? undefined : name} data-switches={switches || undefined}>
          {switches ? <ProjectSwitcher name={name} /> : name}
        </h1>
        {mobile && (running && covered ? <RunLine /> : <SaveStatus />)}
      </div>
      {mobile ? (
        <Suspense fallback={<span className={styles.burger} aria-hidden />}>
          <MobileMenu />
        </Suspense>
      ) : (
        <>
          <SaveStatus />
          {demo && <OtherCanvas />}
          <span className={panel.divider} />
          <div className={styles.group}>
            {isEdited && (
              <>
                <IconButton
                  label={t('bar.undo')}
                  shortcut={shortcutOf('undo')}
                  icon={<Undo2 size={17} />}
                  disabled={!undo.canUndo || locked}
                  onClick={() => void dispatch({ type: 'history.undo' })}
                />
                <IconButton
                  label={t('bar.redo')}
                  shortcut={shortcutOf('redo')}
                  icon={<Redo2 size={17} />}
                  disabled={!undo.canRedo || locked}
                  onClick={() => void dispatch({ type: 'history.redo' })}
                />
              </>
            )}
            <ProjectMenu isOwn={switches} />
          </div>
        </>
      )}
    </header>
  );
}

/** The product's logo. */
function WorkspaceMark() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden>
      <rect width="24" height="24" rx="6" fill="var(--accent)" />
      <path d="M6.6 17 12 7l5.4 10" fill="none" stroke="var(--on-accent)" strokeWidth="1.8" strokeLinejoin="round" strokeLinecap="round" />
      <circle cx="12" cy="6.8" r="2.1" fill="var(--on-accent)" />
      <circle cx="6.6" cy="17" r="2.1" fill="var(--on-accent)" />
      <circle cx="17.4" cy="17" r="2.1" fill="var(--on-accent)" />
    </svg>
  );
}
