import type { EphemeralKey, EphemeralState } from '../../../canvas/canvas-view.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { useWorkspaceContext } from '../workspace-context.ts';

/** Selects a part of the canvas's ephemeral state. The component renders again only when that part changes. */
export function useEphemeralState<K extends EphemeralKey>(key: K): EphemeralState[K] {
  const { view } = useWorkspaceContext();
  return useObserved(view, () => view.ephemeral[key]);
}
