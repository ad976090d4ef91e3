import { useEffect } from 'react';
import { openGroups } from '../../../canvas/folding/open-groups.ts';
import { nodeBox } from '../../../canvas/geometry/document-bounds.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { isInView } from '../camera/free-view.ts';
import { revealNodes } from '../camera/move-camera.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';

/**
 * Selects the cards and links of which a start is refused. They are brought into view where none of them is there: the view stays at the
 * dialog that says why. D2.09
 */
export function useLitRefusal(): void {
  const store = useStore();
  const { view, mobile } = useWorkspaceContext();
  useEffect(() => {
    let last = store.getState().run.error;
    return store.subscribe(({ run: { error }, document: { nodes, connections } }) => {
      if (error === last) return;
      last = error;
      const links = (error?.connectionIds ?? []).flatMap((id) => connections[id] ?? []);
      const cards = (error?.nodeIds ?? []).flatMap((id) => nodes[id] ?? []);
      if (links.length + cards.length === 0) return;
      openGroups(view, store, error?.nodeIds ?? [], error?.connectionIds ?? []);
      view.update({ selectedNodes: new Set(cards.map(({ id }) => id)), selectedLinks: new Set(links.map(({ id }) => id)) });
      const ends = links.flatMap(({ from, to }) => [nodes[from.agentId] ?? [], nodes[to.agentId] ?? []].flat());
      const lit = [...cards, ...ends];
      if (!lit.some((node) => isInView(view.ephemeral, nodeBox(node)))) revealNodes(view, lit, mobile);
    });
  }, [store, view, mobile]);
}
