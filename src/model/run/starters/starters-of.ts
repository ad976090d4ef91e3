import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { isDialog, isStart } from '../../../../rules/card.ts';

/** What a run begins with: a dialog, or the start cards that limit it to what they lead to. Without either it has all agents. */
export type RunStarters = { dialog: CanvasNode | null; starts: readonly CanvasNode[] };

/** Returns what Start begins with: the named dialog or start card, else the first dialog, else all start cards that lead
 * somewhere. Empty for an unknown one. */
export function startersOf(
  { nodes, connections }: CanvasDocument,
  { dialogNodeId, startNodeId }: { dialogNodeId?: string | null | undefined; startNodeId?: string | undefined },
): RunStarters {
  const all = Object.values(nodes);
  const dialog = startNodeId ? undefined : all.find((node) => isDialog(node) && (!dialogNodeId || node.id === dialogNodeId));
  if (dialog || dialogNodeId) return { dialog: dialog ?? null, starts: [] };
  return { dialog: null, starts: leadingStarts({ nodes, connections }).filter(({ id }) => !startNodeId || id === startNodeId) };
}

/** Returns the start cards that lead somewhere. One that was placed and not linked yet changes nothing of what runs. */
export function leadingStarts({ nodes, connections }: CanvasDocument): CanvasNode[] {
  const starts = Object.values(nodes).filter(isStart);
  if (starts.length === 0) return starts;
  const leading = new Set(Object.values(connections).map(({ from }) => from.agentId));
  return starts.filter(({ id }) => leading.has(id));
}
