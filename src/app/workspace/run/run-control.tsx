import { Suspense } from 'react';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { AbsentUntilOnline } from '../../../ui/loading/absent-until-online.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import panel from '../panel.module.css';
import { DemoControl } from './demo-control.tsx';
import styles from './run-control.module.css';

const TeamControl = lazyPart(() => import('./team-control.tsx').then((file) => file.TeamControl), AbsentUntilOnline);

/** The one bar below the canvas: the task and Start, or the run that is shown. W2.03 */
export function RunControl() {
  const { t } = useTranslation('workspace');
  const { readOnly, demo } = useWorkspaceContext();
  const phase = useWorkspace((state) => state.run.phase);
  const status = useWorkspace((state) => state.status);
  if ((readOnly && !demo) || (status !== 'ready' && status !== 'reloading')) return null;
  return (
    <section
      className={`${panel.panel} ${styles.control}`}
      aria-label={t('run.label')}
      data-panel
      data-testid="run-control"
      data-phase={phase}
      data-demo={demo || undefined}
    >
      {demo ? (
        <DemoControl />
      ) : (
        <div className={styles.team}>
          <Suspense fallback={null}>
            <TeamControl />
          </Suspense>
        </div>
      )}
    </section>
  );
}
