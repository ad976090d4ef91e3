import { useEffect } from 'react';
import { readStored, writeStored } from '../../ui/stored-preference.ts';
import { useSurroundings } from './workspace-context.ts';

const modeKey = 'canvas:mode';

/** Keeps the canvas's tool in this browser from one visit to the next. */
export function useCanvasPreferences(): void {
  const { view } = useSurroundings();
  useEffect(() => {
    if (readStored(modeKey) === 'select') view.update({ mode: 'select' });
    return view.subscribe(({ mode }, changed) => {
      if (changed.has('mode')) writeStored(modeKey, mode);
    });
  }, [view]);
}
