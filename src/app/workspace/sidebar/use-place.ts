import { useCallback } from 'react';
import type { PlaceableItem } from '../../../model/commands.ts';
import { useDispatch, useStore } from '../../../workers/bridge/use-workspace.ts';
import { revealNodes } from '../camera/move-camera.ts';
import { usePanels } from '../panels.tsx';
import { useSurroundings } from '../workspace-context.ts';

/** Places a menu item, selects what it made, and brings it into view. */
export function usePlace(): (item: PlaceableItem, at?: { x: number; y: number }) => void {
  const dispatch = useDispatch();
  const store = useStore();
  const { view, mobile } = useSurroundings();
  const { show } = usePanels();
  return useCallback(
    async (item: PlaceableItem, at?: { x: number; y: number }) => {
      const outcome = await dispatch(at ? { type: 'node.place', item, at } : { type: 'node.place', item });
      if (!outcome.ok) return;
      if (mobile) show({ sidebar: false });
      const nodeIds = outcome.value?.nodeIds ?? [];
      view.update({ selectedNodes: new Set(nodeIds), selectedLinks: new Set() });
      const { nodes } = store.getState().document;
      revealNodes(
        view,
        nodeIds.flatMap((id) => nodes[id] ?? []),
        mobile,
      );
    },
    [dispatch, store, view, mobile, show],
  );
}
