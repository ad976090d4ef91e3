import { useEffect, useRef } from 'react';
import { isRunActive } from '../../model/workspace-state.ts';
import { useStore, useWorkspace } from '../../workers/bridge/use-workspace.ts';
import { fitAll, revealNode } from './move-camera.ts';
import { panelInsets } from './panel-insets.ts';
import { usePanels } from './panels.tsx';
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
    if (room && console !== 'full' && !mobile && view.moment.size.width > 0) fitAll(view, store.getState().document.nodes);
  }, [view, store, sidebar, history, console, consoleHeight, mobile, readOnly, height]);

  const activeNodeId = useWorkspace((state) =>
    isRunActive(state.run) ? (state.run.steps.find((step) => step.status === 'running')?.nodeId ?? null) : null,
  );
  useEffect(() => {
    const node = activeNodeId ? store.getState().document.nodes[activeNodeId] : undefined;
    if (node) revealNode(view, node);
  }, [view, store, activeNodeId]);
}
