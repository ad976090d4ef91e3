import { useEffect } from 'react';
import type { CardTint } from '../../../canvas/canvas-view.ts';
import { foldedStore } from '../../../canvas/folding/folded-store.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { revealNodes } from '../camera/move-camera.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';

type Tints = readonly { nodeId: string | null; tint: CardTint }[] | null;

/** Shows colours over the cards of the canvas, as long as the component is there. Several runs of one card: the first of `order` counts. */
export function useTints(tints: Tints, order: readonly CardTint[]): void {
  const { view } = useWorkspaceContext();
  useEffect(() => {
    const byNode = new Map<string, CardTint>();
    for (const { nodeId, tint } of tints ?? []) {
      const known = nodeId === null ? undefined : byNode.get(nodeId);
      if (nodeId !== null && (known === undefined || order.indexOf(tint) < order.indexOf(known))) byNode.set(nodeId, tint);
    }
    view.update({ tints: byNode.size > 0 ? byNode : null });
    return () => view.update({ tints: null });
  }, [view, tints, order]);
}

/** Moves the canvas so that no panel covers the coloured cards, each time others are coloured. On a phone it shows the first one of `order`. D6.02 */
export function useTintsInView(tints: Tints, order: readonly CardTint[]): void {
  const { view, mobile } = useWorkspaceContext();
  const store = useStore();
  const inOrder = order.flatMap((tint) => (tints ?? []).flatMap((one) => (one.tint === tint && one.nodeId !== null ? one.nodeId : [])));
  const wanted = JSON.stringify([...new Set(inOrder)]);
  useEffect(() => {
    const shownStore = foldedStore(store, view);
    const { nodes } = shownStore.getState().document;
    const shown = (JSON.parse(wanted) as string[]).flatMap((id) => nodes[shownStore.folding?.shownAs(id) ?? id] ?? []);
    if (shown.length > 0) revealNodes(view, shown, mobile);
  }, [view, store, mobile, wanted]);
}
