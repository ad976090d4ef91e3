import type { Dispatch } from '../model/commands.ts';
import { withContents } from '../model/document/annotations.ts';
import { writeCanvasText } from '../model/document/canvas-text.ts';
import type { Problem } from '../model/problem.ts';
import type { WorkspaceStore } from '../model/workspace-store.ts';
import type { CanvasView } from './canvas-view.ts';
import type { Point } from './geometry/camera.ts';
import { selectMade } from './select-made.ts';

type ClipboardOptions = {
  store: WorkspaceStore;
  view: CanvasView;
  dispatch: Dispatch;
  readOnly: boolean;
  /** Where a text is pasted, world px. */
  pasteAt: () => Point;
  /** Whether what the event is for has a clipboard of its own, such as a text box. */
  isForeign: (target: EventTarget | null) => boolean;
  /** A text was pasted that holds cards, and mistakes. */
  onRefused: ((problem: Problem) => void) | undefined;
};

/**
 * Copies, cuts and pastes cards when the browser says so, by its keys or its menus, which needs no permission. Text that is
 * selected somewhere on the page goes first.
 */
export function attachClipboard({ store, view, dispatch, readOnly, ...rest }: ClipboardOptions, signal: AbortSignal): void {
  const { pasteAt, isForeign, onRefused } = rest;

  const take = (event: ClipboardEvent): boolean => {
    const { selectedNodes } = view.moment;
    if (event.defaultPrevented || isForeign(event.target) || selectedNodes.size === 0 || hasSelectedText()) return false;
    event.clipboardData?.setData('text/plain', writeCanvasText(store.getState().document, selectedNodes));
    event.preventDefault();
    return true;
  };
  const cut = (event: ClipboardEvent) => {
    const { selectedNodes, selectedLinks } = view.moment;
    const { nodes } = store.getState().document;
    if (!take(event) || readOnly) return;
    // What is copied goes: a group with what lies in it.
    void dispatch({ type: 'selection.remove', nodeIds: [...withContents(nodes, selectedNodes)], connectionIds: [...selectedLinks] });
  };
  const paste = async (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (event.defaultPrevented || readOnly || text === '' || isForeign(event.target)) return;
    event.preventDefault();
    const outcome = await dispatch({ type: 'nodes.paste', text, at: pasteAt() });
    if (outcome.ok) selectMade(view, outcome.value);
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
