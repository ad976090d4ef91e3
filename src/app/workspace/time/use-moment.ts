import { useCallback, useSyncExternalStore } from 'react';
import type { CanvasMoment, MomentKey } from '../../../canvas/canvas-view.ts';
import { useSurroundings } from '../workspace-context.ts';

/** A part of the canvas's moment; the component renders again only when that part changes. */
export function useMoment<K extends MomentKey>(key: K): CanvasMoment[K] {
  const { view } = useSurroundings();
  const subscribe = useCallback((listener: () => void) => view.subscribe((_, changed) => changed.has(key) && listener()), [view, key]);
  const read = () => view.moment[key];
  return useSyncExternalStore(subscribe, read, read);
}
