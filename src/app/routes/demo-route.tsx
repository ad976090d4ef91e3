import { startTransition, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { prestartedWorker } from '../../workers/bridge/prestarted-worker.ts';
import { startDemoWorker } from '../../workers/bridge/start-demo-worker.ts';
import { createWorkspaceBridge, type WorkspaceBridge } from '../../workers/bridge/workspace-bridge.ts';
import { removeStill, useStill } from '../demo-still.ts';
import { usePageTitle } from '../use-page-title.ts';
import { Workspace } from '../workspace/workspace.tsx';
import { PageLoading } from './page-loading.tsx';

/** The project that is shown where the address names none. R14 */
const defaultProject = 'public-demo';

const takeWorker = prestartedWorker(startDemoWorker);

/** The public demonstration: the workspace with a script in place of a server. P2.19 */
export function DemoRoute() {
  const { t } = useTranslation('workspace');
  const [search] = useSearchParams();
  const bridge = useDemoBridge(search.get('projectId') || defaultProject);
  usePageTitle(t('demo.pageTitle'));
  useStill();
  return bridge ? <Workspace bridge={bridge} demo onShown={removeStill} /> : <PageLoading />;
}

/** In another language the script is told anew from its beginning. */
function useDemoBridge(projectId: string): WorkspaceBridge | null {
  const { language } = useTranslation('workspace');
  const [bridge, setBridge] = useState<WorkspaceBridge | null>(null);
  const told = useRef(language);
  const latest = useRef(language);
  latest.current = language;

  useEffect(() => {
    told.current = latest.current;
    const started = createWorkspaceBridge({
      startWorker: takeWorker,
      source: { kind: 'demo', projectId, language: latest.current },
    });
    // In slices, between which the page answers: all of the workspace is drawn by this.
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
