import { useEffect, useRef } from 'react';
import { isRunActive } from '../../model/workspace-state.ts';
import { useStore, useWorkspace } from '../../workers/bridge/use-workspace.ts';
import { fitAll, openingCamera, revealNode } from './move-camera.ts';
import { panelInsets } from './panel-insets.ts';
import { usePanels } from './panels.tsx';
import { readCamera, writeCamera } from './stored-camera.ts';
import { useWindowSize } from './use-window-size.ts';
import { useSurroundings } from './workspace-context.ts';

/** Keeps what matters in what the panels leave free: the whole team when the console opens or closes, and the card that works. */
export function useCameraWork(): void {
  const store = useStore();
  const { view, mobile, readOnly } = useSurroundings();
  const { panels } = usePanels();
  const { height } = useWindowSize();
  const { sidebar, history, console, consoleHeight } = panels;
  const before = useRef({ console, consoleHeight, history });

  useEffect(() => {
    const insets = panelInsets({ sidebar, history, console, consoleHeight }, { mobile, readOnly, windowHeight: height });
    view.update({ insets });
    const last = before.current;
    before.current = { console, consoleHeight, history };
    const room = last.console !== console || last.history !== history || (console === 'open' && last.consoleHeight !== consoleHeight);
    if (room && !view.still && console !== 'full' && !mobile && view.moment.size.width > 0) fitAll(view, store.getState().document.nodes);
  }, [view, store, sidebar, history, console, consoleHeight, mobile, readOnly, height]);

  const activeNodeId = useWorkspace((state) =>
    isRunActive(state.run) ? (state.run.steps.find((step) => step.status === 'running')?.nodeId ?? null) : null,
  );
  useEffect(() => {
    if (view.still) return;
    const node = activeNodeId ? store.getState().document.nodes[activeNodeId] : undefined;
    if (node) revealNode(view, node);
  }, [view, store, activeNodeId]);
}

/** How long the camera rests before its place is kept. */
const keepAfterMs = 400;

/** Opens a project where this browser last looked at it, else on the whole team, and keeps where it looks. */
export function useCameraMemory(): void {
  const { view, mobile } = useSurroundings();
  const store = useStore();
  const projectId = useWorkspace((state) => (state.status === 'ready' ? (state.project?.id ?? null) : null));
  useEffect(() => {
    if (projectId === null || view.still) return;
    const open = () => {
      if (view.moment.size.width === 0) return false;
      const camera = readCamera(projectId) ?? openingCamera(view, store.getState().document.nodes, mobile);
      if (camera) view.update({ camera });
      return true;
    };
    let opened = open();
    let resting: ReturnType<typeof setTimeout> | undefined;
    const keep = () => writeCamera(projectId, view.moment.camera);
    const stop = view.subscribe((_, changed) => {
      if (!opened) {
        opened = changed.has('size') && open();
        return;
      }
      if (!changed.has('camera')) return;
      clearTimeout(resting);
      resting = setTimeout(keep, keepAfterMs);
    });
    addEventListener('pagehide', keep);
    return () => {
      stop();
      clearTimeout(resting);
      removeEventListener('pagehide', keep);
    };
  }, [view, store, mobile, projectId]);
}
