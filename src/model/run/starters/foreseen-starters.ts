import type { CanvasDocument } from '../../../../contract/canvas.ts';
import { isDialog } from '../../../../rules/card.ts';
import { byPlace } from './resolve-dialog-target.ts';
import { leadingStarts, type RunStarters } from './starters-of.ts';

/** A dialog or a start card that the user has chosen for the next run. */
export type Foreseen = { dialogNodeId?: string; startNodeId?: string };

/**
 * Returns what the next run begins with: the chosen card, else the dialog of the last run, else the first dialog in reading order, else all
 * start cards that lead somewhere.
 */
export function foreseenStarters(
  document: CanvasDocument,
  { dialogNodeId, startNodeId }: Foreseen,
  lastDialogId: string | null = null,
): RunStarters {
  const { nodes } = document;
  const start = leadingStarts(document).find(({ id }) => id === startNodeId);
  if (start) return { dialog: null, starts: [start] };
  const all = Object.values(nodes);
  const [first] = all.filter(isDialog).sort(byPlace);
  const dialog = [dialogNodeId, lastDialogId].map((id) => nodes[id ?? '']).find(isDialog) ?? first;
  return dialog ? { dialog, starts: [] } : { dialog: null, starts: leadingStarts(document) };
}
