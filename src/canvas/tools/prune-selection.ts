import type { Patch } from 'immer';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { EphemeralState } from '../canvas-view.ts';

/** Removes ids that are no longer in the document from selection and hover. Null when nothing changes. */
export function pruneSelection(
  ephemeral: EphemeralState,
  document: CanvasDocument,
  patches: readonly Patch[] | null,
): Partial<EphemeralState> | null {
  if (patches && !patches.some(mayRemove)) return null;
  const changes: Partial<EphemeralState> = {};
  const nodes = kept(ephemeral.selectedNodes, document.nodes);
  const links = kept(ephemeral.selectedLinks, document.connections);
  if (nodes) changes.selectedNodes = nodes;
  if (links) changes.selectedLinks = links;
  const { hover } = ephemeral;
  if (hover && !(hover.kind === 'link' ? document.connections : document.nodes)[hover.id]) changes.hover = null;
  return Object.keys(changes).length > 0 ? changes : null;
}

/** A record removed, or a whole collection or document replaced. */
function mayRemove({ op, path }: Patch): boolean {
  return path.length === 0 || (path[0] === 'document' && (op === 'remove' || path.length < 3));
}

function kept(ids: ReadonlySet<string>, records: Record<string, unknown>): ReadonlySet<string> | null {
  const left = [...ids].filter((id) => records[id]);
  return left.length < ids.size ? new Set(left) : null;
}
