import { type RefObject, useEffect } from 'react';
import { foldedStore } from '../../../canvas/folding/folded-store.ts';
import { levelFloors } from '../../../canvas/geometry/level-of-detail.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { messageBarHeight } from '../camera/panel-insets.ts';
import { useWorkspaceContext } from '../workspace-context.ts';

/** Between the bar and the run control (CSS px). */
const gap = 8;

/** Has what is fitted lie above the bar as high as it is now: with several lines, and with notes. A dialog in a folded group has a bar at any zoom. */
export function useBarInset(bar: RefObject<HTMLElement | null>, nodeId: string): void {
  const store = useStore();
  const { view, mobile } = useWorkspaceContext();
  const shown = foldedStore(store, view);
  const isFolded = useObserved(shown, () => (shown.folding?.shownAs(nodeId) ?? nodeId) !== nodeId);
  useEffect(() => {
    const { current } = bar;
    if (!current) return;
    const set = (height: number, belowZoom: number) => {
      const { insets } = view.ephemeral;
      if (insets.bar) view.update({ insets: { ...insets, bar: { height, belowZoom } } });
    };
    const observer = new ResizeObserver(() => set(current.offsetHeight + gap, isFolded ? Number.POSITIVE_INFINITY : levelFloors.full));
    observer.observe(current);
    return () => {
      observer.disconnect();
      set(messageBarHeight(mobile), levelFloors.full);
    };
  }, [bar, view, mobile, isFolded]);
}
