import { useEffect } from 'react';
import { readStored, writeStored } from '../../ui/stored-preference.ts';
import { useWorkspaceContext } from './workspace-context.ts';

const modeKey = 'canvas:mode';
const snapsKey = 'canvas:snaps';

/** Stores the canvas's tool and the grid setting in this browser. */
export function useCanvasPreferences(): void {
  const { view } = useWorkspaceContext();
  useEffect(() => {
    view.update({ mode: readStored(modeKey) === 'select' ? 'select' : 'hand', snaps: readStored(snapsKey) === 'on' });
    return view.subscribe(({ mode, snaps }, changed) => {
      if (changed.has('mode')) writeStored(modeKey, mode);
      if (changed.has('snaps')) writeStored(snapsKey, snaps ? 'on' : 'off');
    });
  }, [view]);
}
