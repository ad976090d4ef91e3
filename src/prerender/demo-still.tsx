import type { CSSProperties } from 'react';
import { WorkspaceData } from '../app/server-data/server-data-provider.tsx';
import { AccountBar } from '../app/workspace/bars/account-bar.tsx';
import { ProjectBar } from '../app/workspace/bars/project-bar.tsx';
import { ZoomControl } from '../app/workspace/bars/zoom-control.tsx';
import { Console } from '../app/workspace/console/console.tsx';
import { demoPanels } from '../app/workspace/demo/demo-panels.ts';
import { AddedUsers } from '../app/workspace/frame/added-users.ts';
import { PanelsProvider } from '../app/workspace/frame/panels.tsx';
import { WorkspaceContext } from '../app/workspace/frame/workspace-context.ts';
import { RunControl } from '../app/workspace/run/run-control.tsx';
import { Sidebar } from '../app/workspace/sidebar/sidebar.tsx';
import workspace from '../app/workspace/workspace.module.css';
import { CanvasView } from '../canvas/canvas-view.ts';
import { DialogDrafts } from '../canvas/overlay/dialog/dialog-drafts.ts';
import type { WorkspaceState } from '../model/workspace-state.ts';
import { TooltipProvider } from '../ui/controls/overlays/tooltip.tsx';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import { WorkspaceProvider } from '../workers/bridge/use-workspace.ts';
import styles from './demo-still.css?inline';
import { StartSheet } from './start-sheet.tsx';
import { StillCanvas } from './still-canvas.tsx';

/** The first view of the demonstration, for wide and for narrow screens. The stylesheet shows one of them. */
export function DemoStill({ state }: { state: WorkspaceState }) {
  return (
    <>
      <style>{styles}</style>
      <StartSheet />
      <Still state={state} mobile={false} />
      <Still state={state} mobile />
    </>
  );
}

function Still({ state, mobile }: { state: WorkspaceState; mobile: boolean }) {
  const { t } = useTranslation('workspace');
  const view = new CanvasView({ still: true });
  const context = {
    view,
    mobile,
    account: null,
    readOnly: true,
    demo: true,
    drafts: new DialogDrafts(null, null),
    users: new AddedUsers(null, null),
  };
  const bridge = {
    store: { getState: () => state, subscribe: () => () => {} },
    dispatch: () => Promise.reject(new Error('A still carries nothing out')),
    call: () => Promise.reject(new Error('A still calls nothing')),
  };
  return (
    <div className={mobile ? 'still-narrow' : 'still-wide'}>
      <TooltipProvider delay={0} closeDelay={0}>
        <WorkspaceProvider bridge={bridge}>
          <WorkspaceData>
            <WorkspaceContext value={context}>
              <PanelsProvider mobile={mobile} first={mobile ? undefined : demoPanels}>
                <div
                  className={workspace.workspace}
                  data-console={mobile ? 'closed' : 'open'}
                  data-sidebar={mobile ? undefined : true}
                  style={{ '--console-height': `${demoPanels.consoleHeight}px` } as CSSProperties}
                >
                  <StillCanvas />
                  <ProjectBar />
                  <AccountBar />
                  <Sidebar />
                  <div className={workspace.foot}>
                    <RunControl />
                  </div>
                  {!mobile && <ZoomControl />}
                  <Console />
                  <noscript>
                    <p className="still-notice">{t('demo.noScript')}</p>
                  </noscript>
                </div>
              </PanelsProvider>
            </WorkspaceContext>
          </WorkspaceData>
        </WorkspaceProvider>
      </TooltipProvider>
    </div>
  );
}
