import { useCallback } from 'react';
import { useStore } from '../../workers/bridge/use-workspace.ts';
import { revealNode } from './move-camera.ts';
import { usePanels } from './panels.tsx';
import { useSurroundings } from './workspace-context.ts';

/** Selects a node and brings it into view; on a phone the sheets make way. */
export function useShowNode(): (nodeId: string) => void {
  const store = useStore();
  const { view, mobile } = useSurroundings();
  const { show } = usePanels();
  return useCallback(
    (nodeId) => {
      const node = store.getState().document.nodes[nodeId];
      if (!node) return;
      if (mobile) show({ sidebar: false, history: false, console: 'closed' });
      view.update({ selectedNodes: new Set([nodeId]), selectedLinks: new Set() });
      revealNode(view, node);
    },
    [store, view, mobile, show],
  );
}

/** Shows the card of a server agent. */
export function useShowAgent(): (agentId: string) => void {
  const store = useStore();
  const showNode = useShowNode();
  return useCallback(
    (agentId) => {
      const node = Object.values(store.getState().document.nodes).find((candidate) => candidate.serverAgentId === agentId);
      if (node) showNode(node.id);
    },
    [store, showNode],
  );
}
