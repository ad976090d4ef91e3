import type { CanvasMoment, MomentKey } from '../../../canvas/canvas-view.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { useSurroundings } from '../workspace-context.ts';

/** A part of the canvas's moment; the component renders again only when that part changes. */
export function useMoment<K extends MomentKey>(key: K): CanvasMoment[K] {
  const { view } = useSurroundings();
  return useObserved(view, () => view.moment[key]);
}
