import { useEffect, useMemo } from 'react';
import { foldedStore } from '../../../canvas/folding/folded-store.ts';
import { canBeWrittenIn } from '../../../canvas/overlay/dialog/dialogs-in-view.ts';
import { mergeSources } from '../../../state/observable.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { useStore, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { readNodeCounts } from '../use-node-counts.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import { barredDialog } from './barred-dialog.ts';
import { followFormFocus } from './focus-of-form.ts';

/** Returns the dialog that the message bar writes for while cards are too small for their forms; null while no bar is needed. */
export function useBarredDialog(): string | null {
  const store = useStore();
  const { view } = useWorkspaceContext();
  const camera = useMemo(() => view.partsOf('camera', 'isListed'), [view]);
  const isSmall = useObserved(camera, () => !view.ephemeral.isListed && !canBeWrittenIn(view.ephemeral));
  const isOpen = useWorkspace(({ status, replay }) => replay === null && (status === 'ready' || status === 'reloading'));
  const sources = useMemo(() => mergeSources(foldedStore(store, view), view.partsOf('selectedNodes')), [store, view]);
  useEffect(followFormFocus, []);
  return useObserved(sources, () => {
    if (!isOpen) return null;
    const dialogId = barredDialog(store.getState(), readNodeCounts(store).dialogs, view.ephemeral.selectedNodes);
    if (isSmall || dialogId === null) return dialogId;
    // A card in a folded group has no form.
    const shownAs = foldedStore(store, view).folding?.shownAs(dialogId) ?? dialogId;
    return shownAs === dialogId ? null : dialogId;
  });
}
