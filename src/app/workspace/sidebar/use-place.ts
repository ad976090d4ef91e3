import { useCallback } from 'react';
import { parallelSteps } from '../../../../contract/executions/parallel-steps.ts';
import { projectFlows } from '../../../../contract/flow-templates.ts';
import { isAgentCard, isAnnotation } from '../../../../rules/card.ts';
import { openGroups } from '../../../canvas/folding/open-groups.ts';
import type { AddableItem } from '../../../model/commands.ts';
import { parallelSettingOf } from '../../../model/run/plan/parallel-limit.ts';
import type { WorkspaceState } from '../../../model/workspace-state.ts';
import { useDispatch, useStore } from '../../../workers/bridge/use-workspace.ts';
import { revealNodes } from '../camera/move-camera.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { linkUnderItem } from './link-under-item.ts';

/**
 * Returns the function that places a menu item, selects the created cards, and brings them into view. `after`: the card that a link to it
 * starts at. Without a place a pattern is placed around the selected card.
 */
export function usePlace(): (item: AddableItem, at?: { x: number; y: number }, after?: string) => void {
  const dispatch = useDispatch();
  const store = useStore();
  const { view, mobile } = useWorkspaceContext();
  const { show } = usePanels();
  return useCallback(
    async (item: AddableItem, at?: { x: number; y: number }, after?: string) => {
      const projectId = switchesOver(item, store.getState());
      const behind = after ?? (item.kind === 'pattern' && !at ? leadCard(view.ephemeral.selectedNodes, store.getState()) : undefined);
      const into = at && behind === undefined ? linkUnderItem({ store, view }, item, at) : null;
      const where = { ...(at && { at }), ...(behind !== undefined && { after: behind }) };
      const outcome = await dispatch(
        item.kind === 'pattern'
          ? { type: 'pattern.place', patternId: item.patternId, ...where }
          : { type: 'node.place', item, ...where, ...(into !== null && { into }) },
      );
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

/** The card that is selected alone, else the one that the next run begins with. */
function leadCard(selected: ReadonlySet<string>, { document, participation }: WorkspaceState): string | undefined {
  const [id] = selected;
  const node = selected.size === 1 ? document.nodes[id ?? ''] : undefined;
  if (node && !isAnnotation(node)) return node.id;
  return participation.dialogNodeId ?? participation.startNodeIds[0];
}

/**
 * The project whose runs change to branches together with this item, or null. That happens for a flow or a pattern with branches on a canvas without
 * agents. With agents the switch stays as it is, since their runs would change too.
 */
function switchesOver(item: AddableItem, { project, document }: WorkspaceState): string | null {
  if (!project || (parallelSettingOf(project) ?? 1) !== 1) return null;
  const isParallel =
    item.kind === 'pattern'
      ? item.patternId === 'parallel'
      : item.kind === 'flow' && projectFlows.some(({ id, isParallel }) => id === item.templateId && isParallel);
  const hasAgents = Object.values(document.nodes).some(isAgentCard);
  return isParallel && !hasAgents ? project.id : null;
}
