import type { Dispatch, DocumentCommand } from '../model/commands.ts';
import type { WorkspaceStore } from '../model/workspace-store.ts';
import { isWindowClosing } from '../ui/controls/overlays/is-window-closing.ts';
import { isComposing } from '../ui/typed-keys.ts';
import { atRest } from './camera-movement.ts';
import type { CanvasView } from './canvas-view.ts';
import type { DocumentIndex } from './geometry/document-index.ts';
import { type MenuRequest, menuOfSelection } from './menu-request.ts';
import { selectCreated } from './select-created.ts';
import { keyAction } from './tools/key-action.ts';
import { keyStep } from './tools/key-step.ts';

type KeyOptions = {
  store: WorkspaceStore;
  view: CanvasView;
  dispatch: Dispatch;
  index: DocumentIndex;
  readOnly: boolean;
  /** Whether the focused element handles keys itself, as a text box does. */
  isForeign: (target: EventTarget | null) => boolean;
  /** Cancels the current gesture. Returns false without one. */
  cancel: () => boolean;
  /** Called when the space bar is pressed on the canvas, and when it is released. */
  onSpace: (isDown: boolean) => void;
  onMenu: ((request: MenuRequest) => void) | undefined;
};

/** Attaches the canvas's keys: plain keys while `element` has the focus, keys with Ctrl for any focus. */
export function attachKeys(element: HTMLElement, options: KeyOptions, signal: AbortSignal): void {
  const { store, view, dispatch, index, readOnly, isForeign, cancel, onSpace, onMenu } = options;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event) || isForeign(event.target)) return;
    const onCanvas = event.target === document.body || event.target === element;
    const onLine = event.target instanceof Element && event.target.closest('[role="treeitem"]') !== null;
    const ctrl = event.ctrlKey || event.metaKey;
    if (!ctrl && isWindowClosing()) return;
    if (isMenuKey(event) && (onCanvas || onLine)) {
      event.preventDefault();
      onMenu?.(menuOfSelection(view.ephemeral, index));
      return;
    }
    if (event.code === 'Space' && onCanvas) {
      event.preventDefault();
      onSpace(true);
      return;
    }
    // A plain key belongs to the focused control. A key with Ctrl belongs to the workspace for any focus.
    if (!ctrl && !onCanvas) return;
    const action = keyAction({ key: event.key, code: event.code, ctrl, shift: event.shiftKey, alt: event.altKey, repeat: event.repeat });
    if (!action) return;
    event.preventDefault();
    // The current gesture is the newest action, so undo cancels it first.
    if ((action.kind === 'cancel' || action.kind === 'undo' || action.kind === 'redo') && cancel()) return;
    const step = keyStep(action, {
      ephemeral: atRest(view),
      document: store.getState().document,
      readOnly,
      bounds: () => index.bounds(),
    });
    if (step.ephemeral) view.update(step.ephemeral);
    if (step.command) void send(step.command);
  };
  const send = async (command: DocumentCommand) => {
    const outcome = await dispatch(command);
    if (outcome.ok && command.type === 'nodes.duplicate') selectCreated(view, store, outcome.value);
  };

  window.addEventListener('keydown', onKeyDown, { signal });
  window.addEventListener('keyup', (event) => event.code === 'Space' && onSpace(false), { signal });
  window.addEventListener('blur', () => onSpace(false), { signal });
}

function isMenuKey(event: KeyboardEvent): boolean {
  return event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);
}
