import { useCallback } from 'react';
import { parallelSteps } from '../../../../contract/executions/run-graph.ts';
import { projectFlows } from '../../../../contract/flow-templates.ts';
import { openGroups } from '../../../canvas/folding/open-groups.ts';
import type { PlaceableItem } from '../../../model/commands.ts';
import type { WorkspaceState } from '../../../model/workspace-state.ts';
import { useDispatch, useStore } from '../../../workers/bridge/use-workspace.ts';
import { revealNodes } from '../camera/move-camera.ts';
import { usePanels } from '../panels.tsx';
import { useWorkspaceContext } from '../workspace-context.ts';

/** Returns the function that places a menu item, selects the created cards, and brings them into view. `after`: the card that a link to it starts at. */
export function usePlace(): (item: PlaceableItem, at?: { x: number; y: number }, after?: string) => void {
  const dispatch = useDispatch();
  const store = useStore();
  const { view, mobile } = useWorkspaceContext();
  const { show } = usePanels();
  return useCallback(
    async (item: PlaceableItem, at?: { x: number; y: number }, after?: string) => {
      const projectId = switchesOver(item, store.getState());
      const outcome = await dispatch({ type: 'node.place', item, ...(at && { at }), ...(after !== undefined && { after }) });
      if (!outcome.ok) return;
      if (projectId !== null) void dispatch({ type: 'project.update', id: projectId, parallelSteps });
      if (mobile) show({ sidebar: false });
      const nodeIds = outcome.value?.nodeIds ?? [];
      const { nodes } = store.getState().document;
      openGroups(view, store, nodeIds);
      view.update({ selectedNodes: new Set(nodeIds), selectedLinks: new Set() });
      revealNodes(
        view,
        nodeIds.flatMap((id) => nodes[id] ?? []),
        mobile,
      );
    },
    [dispatch, store, view, mobile, show],
  );
}

/**
 * The project whose runs change to branches together with this item, or null. That happens for a flow with branches on a canvas without
 * agents. With agents the switch stays as it is, since their runs would change too.
 */
function switchesOver(item: PlaceableItem, { project, document }: WorkspaceState): string | null {
  if (item.kind !== 'flow' || !project || (project.parallelSteps ?? 1) > 1) return null;
  const isParallel = projectFlows.some(({ id, isParallel }) => id === item.templateId && isParallel);
  const hasAgents = Object.values(document.nodes).some((node) => node.type === 'agent' && !node.isUser);
  return isParallel && !hasAgents ? project.id : null;
}
