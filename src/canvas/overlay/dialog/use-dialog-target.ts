import { useLayoutEffect, useState } from 'react';
import type { CanvasDocument, CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { isDialog } from '../../../../rules/card.ts';
import { countAddressed, resolveDialogTarget } from '../../../model/run/starters/resolve-dialog-target.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { memoizeByKey } from '../../../state/memoize-by-key.ts';
import { onceWhenIdle } from '../../../ui/loading/when-idle.ts';
import { touchedAll, touchedBy } from '../../geometry/touched.ts';

/** The agent that gets a dialog's message, and how many agents its run begins with. */
type DialogTarget = { target: CanvasNode | null; count: number };

/**
 * Returns whom a dialog's message goes to, updated after every edit. A linked dialog costs a look at its links. An unlinked one
 * costs a look at all cards, which is done in the browser's idle time.
 */
export function useDialogTarget(store: WorkspaceStore, dialog: CanvasNode): DialogTarget {
  const [addressed, setAddressed] = useState<DialogTarget>(() => {
    const { document } = store.getState();
    const links = linksAt(document, dialog.id);
    return links.length > 0 || dialog.targetAgentId ? addressedBy(document, dialog, links) : { target: null, count: 0 };
  });
  useLayoutEffect(() => {
    let { document } = store.getState();
    let links = linksAt(document, dialog.id);
    const resolve = () => {
      later.cancel();
      const next = addressedBy(document, dialog, links);
      setAddressed((last) => (last.target === next.target && last.count === next.count ? last : next));
    };
    const later = onceWhenIdle(resolve);
    resolve();
    const unsubscribe = store.subscribe((state, patches, earlier) => {
      document = state.document;
      const touched = patches ? touchedBy(patches) : touchedAll;
      if (touched.nodes === 'all' || touched.links === 'all') links = linksAt(document, dialog.id);
      else if (touched.nodes.size + touched.links.size === 0) return;
      else if ([...touched.links].some((id) => isAt(earlier.connections.get(id), dialog.id) || isAt(document.connections[id], dialog.id)))
        links = linksAt(document, dialog.id);
      if (links.length > 0 || dialog.targetAgentId) resolve();
      else later.schedule();
    });
    return () => {
      unsubscribe();
      later.cancel();
    };
  }, [store, dialog]);
  return addressed;
}

function addressedBy(document: CanvasDocument, dialog: CanvasNode, links: readonly Connection[]): DialogTarget {
  return { target: resolveDialogTarget(document, dialog, links), count: countAddressed(document, dialog, links) };
}

/** Returns the links of a dialog. Several forms ask at the same document: all links are looked through once. */
function linksAt(document: CanvasDocument, dialogId: string): readonly Connection[] {
  return linksOfDialogs(document).get(dialogId) ?? [];
}

const linksOfDialogs = memoizeByKey(({ nodes, connections }: CanvasDocument) => {
  const links = new Map<string, Connection[]>();
  const add = (end: string, link: Connection) => {
    if (!isDialog(nodes[end])) return;
    const known = links.get(end);
    if (known) known.push(link);
    else links.set(end, [link]);
  };
  for (const id in connections) {
    const link = connections[id] as Connection;
    add(link.from.agentId, link);
    if (link.to.agentId !== link.from.agentId) add(link.to.agentId, link);
  }
  return links;
});

function isAt(link: Connection | undefined, nodeId: string): boolean {
  return link !== undefined && (link.from.agentId === nodeId || link.to.agentId === nodeId);
}
