import type { Dispatch } from '../model/commands.ts';
import { withContents } from '../model/document/annotations.ts';
import { writeCanvasText } from '../model/document/write-canvas-text.ts';
import type { Problem } from '../model/problem.ts';
import type { WorkspaceStore } from '../model/workspace-store.ts';
import type { CanvasView } from './canvas-view.ts';
import type { Point } from './geometry/camera.ts';
import { selectCreated } from './select-created.ts';

type ClipboardOptions = {
  store: WorkspaceStore;
  view: CanvasView;
  dispatch: Dispatch;
  readOnly: boolean;
  /** The place to paste at, world px. */
  pasteAt: () => Point;
  /** Whether the event's target handles the clipboard itself, as a text box does. */
  isForeign: (target: EventTarget | null) => boolean;
  /** Called when a pasted text holds cards with mistakes. */
  onRefused: ((problem: Problem) => void) | undefined;
};

/**
 * Copies, cuts and pastes cards on the browser's clipboard events, which need no permission. Selected text on the page
 * takes precedence.
 */
export function attachClipboard({ store, view, dispatch, readOnly, ...rest }: ClipboardOptions, signal: AbortSignal): void {
  const { pasteAt, isForeign, onRefused } = rest;

  const take = (event: ClipboardEvent): boolean => {
    const { selectedNodes } = view.ephemeral;
    if (event.defaultPrevented || isForeign(event.target) || selectedNodes.size === 0 || hasSelectedText()) return false;
    event.clipboardData?.setData('text/plain', writeCanvasText(store.getState().document, selectedNodes));
    event.preventDefault();
    return true;
  };
  const cut = (event: ClipboardEvent) => {
    const { selectedNodes, selectedLinks } = view.ephemeral;
    const { nodes } = store.getState().document;
    if (!take(event) || readOnly) return;
    // Cutting removes the copied nodes: a group with its content.
    void dispatch({ type: 'selection.remove', nodeIds: [...withContents(nodes, selectedNodes)], connectionIds: [...selectedLinks] });
  };
  const paste = async (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (event.defaultPrevented || readOnly || text === '' || isForeign(event.target)) return;
    event.preventDefault();
    const outcome = await dispatch({ type: 'nodes.paste', text, at: pasteAt() });
    if (outcome.ok) selectCreated(view, store, outcome.value);
    else if (outcome.error.details) onRefused?.(outcome.error);
  };

  window.addEventListener('copy', take, { signal });
  window.addEventListener('cut', cut, { signal });
  window.addEventListener('paste', (event) => void paste(event), { signal });
}

function hasSelectedText(): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed;
}
