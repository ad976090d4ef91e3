import type { EphemeralState } from '../../canvas-view.ts';

/**
 * The link that shows its delete button: the one hovered, else the only thing selected. None during a drag
 * or while a link is drawn, and none while a run locks the document. W2.08 W4.02
 */
export function removableLink(
  {
    hover,
    drag,
    linkDraft,
    selectedLinks,
    selectedNodes,
  }: Pick<EphemeralState, 'hover' | 'drag' | 'linkDraft' | 'selectedLinks' | 'selectedNodes'>,
  locked: boolean,
): string | null {
  if (locked || drag || linkDraft) return null;
  if (hover?.kind === 'link') return hover.id;
  const [only] = selectedLinks;
  return only !== undefined && selectedLinks.size === 1 && selectedNodes.size === 0 ? only : null;
}
