import { useCallback } from 'react';
import { openGroups } from '../../../canvas/folding/open-groups.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { fitSelection, flyToNode, revealNode } from './move-camera.ts';

/** Returns the function that selects a node, opens the folded groups around it and brings it into view. On a phone it closes the sheets. */
export function useShowNode(): (nodeId: string) => void {
  const store = useStore();
  const { view, mobile } = useWorkspaceContext();
  const { show } = usePanels();
  return useCallback(
    (nodeId) => {
      const node = store.getState().document.nodes[nodeId];
      if (!node) return;
      if (mobile) show({ sidebar: false, history: false, versions: false, console: 'closed' });
      openGroups(view, store, [nodeId]);
      view.update({ selectedNodes: new Set([nodeId]), selectedLinks: new Set() });
      revealNode(view, node);
    },
    [store, view, mobile, show],
  );
}

/** Returns the function that selects a node and centres it, at a zoom that makes its texts readable. */
export function useFlyToNode(): (nodeId: string) => void {
  const store = useStore();
  const { view } = useWorkspaceContext();
  return useCallback(
    (nodeId) => {
      const node = store.getState().document.nodes[nodeId];
      if (!node) return;
      openGroups(view, store, [nodeId]);
      view.update({ selectedNodes: new Set([nodeId]), selectedLinks: new Set() });
      flyToNode(view, node);
    },
    [store, view],
  );
}

/** Returns the function that selects nodes and shows all of them. */
export function useShowNodes(): (nodeIds: readonly string[]) => void {
  const store = useStore();
  const { view } = useWorkspaceContext();
  return useCallback(
    (nodeIds) => {
      openGroups(view, store, nodeIds);
      view.update({ selectedNodes: new Set(nodeIds), selectedLinks: new Set() });
      fitSelection(view, store.getState().document);
    },
    [store, view],
  );
}

/** Returns the function that selects a link and brings it into view. On a phone it closes the sheets. */
export function useShowLink(): (linkId: string) => void {
  const store = useStore();
  const { view, mobile } = useWorkspaceContext();
  const { show } = usePanels();
  return useCallback(
    (linkId) => {
      if (!store.getState().document.connections[linkId]) return;
      if (mobile) show({ sidebar: false, history: false, versions: false, console: 'closed' });
      openGroups(view, store, [], [linkId]);
      view.update({ selectedNodes: new Set(), selectedLinks: new Set([linkId]) });
      fitSelection(view, store.getState().document);
    },
    [store, view, mobile, show],
  );
}

/** Returns the function that shows the card of a server agent. */
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
