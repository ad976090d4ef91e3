import type { EphemeralState } from '../canvas-view.ts';

/** The selection after a press on a card that was not selected. `adds`: the others stay selected. */
export function selectPressed(nodeId: string, adds: boolean, { selectedNodes }: EphemeralState): Partial<EphemeralState> {
  return { selectedNodes: new Set(adds ? selectedNodes : []).add(nodeId), ...(adds ? {} : { selectedLinks: new Set() }) };
}
