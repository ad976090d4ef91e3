import type { CanvasDocument } from '../../../../contract/canvas.ts';
import { isDialog, isStart } from '../../../../rules/card.ts';
import { byPlace } from './resolve-dialog-target.ts';
import type { RunStarters } from './starters-of.ts';

/** A dialog or a start card that the user has chosen for the next run. */
export type Foreseen = { dialogNodeId?: string; startNodeId?: string };

/**
 * Returns what the next run begins with: the chosen card, else the dialog of the last run, else the first dialog in reading order, else all
 * start cards.
 */
export function foreseenStarters(
  { nodes }: Pick<CanvasDocument, 'nodes'>,
  { dialogNodeId, startNodeId }: Foreseen,
  lastDialogId: string | null = null,
): RunStarters {
  const start = nodes[startNodeId ?? ''];
  if (isStart(start)) return { dialog: null, starts: [start] };
  const all = Object.values(nodes);
  const [first] = all.filter(isDialog).sort(byPlace);
  const dialog = [dialogNodeId, lastDialogId].map((id) => nodes[id ?? '']).find(isDialog) ?? first;
  return dialog ? { dialog, starts: [] } : { dialog: null, starts: all.filter(isStart) };
}
