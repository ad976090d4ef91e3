import { useLayoutEffect } from 'react';
import { isComposing } from '../../../ui/typed-keys.ts';
import { useDispatch, useStore } from '../../../workers/bridge/use-workspace.ts';
import { hasOpenDialog } from '../actions/has-open-dialog.ts';
import { replayKey } from './replay-keys.ts';

/** Where arrow keys and letters have a meaning of their own. */
const ownKeys =
  'input, select, textarea, [contenteditable], [role="tab"], [role="tree"], [role="treeitem"], [role="menu"], [role="dialog"] *';

/** Handles the keys of an open replay before the canvas does. `steps`: nothing moves by itself. */
export function useReplayKeys(steps: boolean): void {
  const store = useStore();
  const dispatch = useDispatch();
  useLayoutEffect(() => {
    const handle = (event: KeyboardEvent) => {
      const { replay } = store.getState();
      if (replay?.status !== 'ready' || isComposing(event)) return;
      if (event.target instanceof Element && event.target.closest(ownKeys)) return;
      if (hasOpenDialog()) return;
      const command = replayKey(event, replay.total, steps);
      if (!command) return;
      event.preventDefault();
      event.stopPropagation();
      void dispatch(command);
    };
    window.addEventListener('keydown', handle, { capture: true });
    return () => window.removeEventListener('keydown', handle, { capture: true });
  }, [store, dispatch, steps]);
}
