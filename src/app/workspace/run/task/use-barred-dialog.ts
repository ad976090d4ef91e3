import { useMemo } from 'react';
import { foldedStore } from '../../../../canvas/folding/folded-store.ts';
import { nodeBox } from '../../../../canvas/geometry/document-bounds.ts';
import { canBeWrittenIn } from '../../../../canvas/overlay/dialog/dialogs-in-view.ts';
import { mergeSources } from '../../../../state/observable.ts';
import { useObserved } from '../../../../state/use-observed.ts';
import { useStore } from '../../../../workers/bridge/use-workspace.ts';
import { isInView } from '../../camera/free-view.ts';
import { usePanels } from '../../frame/panels.tsx';
import { readNodeCounts } from '../../frame/use-node-counts.ts';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import { startHints } from '../start/use-start-run.ts';
import { barredDialog } from './barred-dialog.ts';

/** Returns the dialog whose text the field of the bar shows; null where Start begins with none. */
export function useBarredDialog(): string | null {
  const store = useStore();
  const { view, drafts } = useWorkspaceContext();
  const { team } = usePanels().panels;
  const sources = useMemo(() => mergeSources(store, drafts, view.partsOf('selectedNodes')), [store, drafts, view]);
  return useObserved(sources, () => barredDialog(store.getState(), readNodeCounts(store), startHints({ view, drafts, team }, null)));
}

/** Whether the form of the dialog is seen: on the screen, and under no panel. A card in a folded group has none, nor has one that is too small to type in. */
export function useHasForm(nodeId: string): boolean {
  const store = useStore();
  const { view } = useWorkspaceContext();
  const sources = useMemo(
    () => mergeSources(foldedStore(store, view), view.partsOf('camera', 'size', 'insets', 'isListed')),
    [store, view],
  );
  return useObserved(sources, () => {
    const { ephemeral } = view;
    if (ephemeral.isListed) return false;
    const shownAs = foldedStore(store, view).folding?.shownAs(nodeId) ?? nodeId;
    const node = store.getState().document.nodes[nodeId];
    return shownAs === nodeId && node !== undefined && canBeWrittenIn(ephemeral) && isInView(ephemeral, nodeBox(node));
  });
}
