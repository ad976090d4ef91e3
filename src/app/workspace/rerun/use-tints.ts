import { useEffect } from 'react';
import type { CardTint } from '../../../canvas/canvas-view.ts';
import { useWorkspaceContext } from '../workspace-context.ts';

/** Shows colours over the cards of the canvas, as long as the component is there. Several runs of one card: the first of `order` counts. */
export function useTints(tints: readonly { nodeId: string | null; tint: CardTint }[] | null, order: readonly CardTint[]): void {
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
