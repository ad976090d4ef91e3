import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { usePageTitle } from '../../ui/use-page-title.ts';
import { prestartDemoWorker, takeDemoWorker } from '../../workers/bridge/demo-worker.ts';
import { createWorkspaceBridge, type WorkspaceBridge } from '../../workers/bridge/workspace-bridge.ts';
import { Workspace } from '../workspace/workspace.tsx';
import { readDemoStart } from './demo-start.ts';
import { removeStillImage, useRemoveStillImage } from './demo-still.ts';
import { PageLoading } from './page-loading.tsx';

/** The project that is shown when the URL names none. R14 */
const defaultProject = 'public-demo';

prestartDemoWorker();

/** The public demonstration: the workspace with a script instead of a server. P2.19 */
export function DemoRoute() {
  const { t } = useTranslation('workspace');
  const [search] = useSearchParams();
  const bridge = useDemoBridge(search.get('projectId') || defaultProject);
  usePageTitle(t('demo.pageTitle'));
  useRemoveStillImage();
  const shown = useCallback(() => {
    const wasAsked = readDemoStart() !== null;
    removeStillImage();
    // The visitor has already pressed a button to start it.
    if (wasAsked) void bridge?.dispatch({ type: 'run.start' });
  }, [bridge]);
  return bridge ? <Workspace bridge={bridge} demo onShown={shown} /> : <PageLoading />;
}

/** In another language the script starts from its beginning. */
function useDemoBridge(projectId: string): WorkspaceBridge | null {
  const { language } = useTranslation('workspace');
  const [bridge, setBridge] = useState<WorkspaceBridge | null>(null);
  const told = useRef(language);
  const latest = useRef(language);
  latest.current = language;

  useEffect(() => {
    told.current = latest.current;
    const started = createWorkspaceBridge({
      startWorker: takeDemoWorker,
      source: { kind: 'demo', projectId, language: latest.current },
    });
    // As a transition: React draws the workspace in slices, between which the page handles input.
    startTransition(() => setBridge(started));
    return () => {
      setBridge(null);
      void started.close();
    };
  }, [projectId]);

  useEffect(() => {
    if (!bridge || told.current === language) return;
    told.current = language;
    void bridge.setLanguage(language).then(() => bridge.dispatch({ type: 'workspace.reload' }));
  }, [bridge, language]);

  return bridge;
}
