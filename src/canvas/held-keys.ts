import { memoizeByKey } from '../state/memoize-by-key.ts';
import { isComposing, isEnter } from '../ui/typed-keys.ts';
import type { CanvasView } from './canvas-view.ts';
import { keyAction } from './tools/key-action.ts';

/** What is typed for an editor of a name or a note that is still being loaded. */
export class HeldKeys {
  /** Null while nothing was typed, so that the editor begins with what was there. */
  #text: string | null = null;

  /** Takes a key, a line break, or a pasted text. The text of the editor is selected when it opens, so the first key replaces all of it. */
  type(key: string): void {
    if (key === 'Backspace') this.#text = (this.#text ?? '').slice(0, -1);
    else if (key === 'Delete') this.#text ??= '';
    else this.#text = (this.#text ?? '') + key;
  }

  clear(): void {
    this.#text = null;
  }

  /** Returns what was typed for a text, or for a name, which a line break ends. `before`: what was there. */
  read(isName: boolean, before: string): { text: string; isTyped: boolean; isEnded: boolean } {
    const typed = this.#text;
    if (typed === null) return { text: before, isTyped: false, isEnded: false };
    const end = isName ? typed.indexOf('\n') : -1;
    if (end === 0) return { text: before, isTyped: true, isEnded: true };
    return { text: end > 0 ? typed.slice(0, end) : typed, isTyped: true, isEnded: end > 0 };
  }
}

export const heldKeys = memoizeByKey((_view: CanvasView) => new HeldKeys());

/**
 * Keeps keys from the canvas while an editor or the settings of a link are being loaded: they are meant for these, and would remove or disable
 * cards. The editor gets what was typed. `element`: the canvas, with the editor once it is there.
 */
export function holdKeys(element: HTMLElement, view: CanvasView, signal: AbortSignal): void {
  const held = heldKeys(view);
  const isOnCanvas = ({ target }: Event) =>
    target === document.body || (target instanceof Element && target.matches('[role="application"], [role="treeitem"]'));
  const isWaiting = (event: Event) => {
    const { editing, linkSettings } = view.ephemeral;
    if (!isOnCanvas(event)) return false;
    return linkSettings !== null || (editing !== null && element.querySelector('[data-name-editor]') === null);
  };
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || !isWaiting(event)) return;
    const { key, code, shiftKey: shift, altKey: alt, repeat } = event;
    if (event.ctrlKey || event.metaKey || alt) {
      if (keyAction({ key, code, ctrl: event.ctrlKey || event.metaKey, shift, alt, repeat })) stop(event);
      return;
    }
    if (key === 'Tab') return;
    stop(event);
    if (key === 'Escape') view.update({ editing: null, linkSettings: null });
    else if (isEnter(event)) held.type('\n');
    else if ([...key].length === 1 || key === 'Backspace' || key === 'Delete') held.type(key);
  };
  const onClipboard = (event: ClipboardEvent) => {
    if (!isWaiting(event)) return;
    if (event.type === 'paste') held.type(event.clipboardData?.getData('text/plain') ?? '');
    stop(event);
  };
  const options = { signal, capture: true };
  window.addEventListener('keydown', onKeyDown, options);
  for (const type of ['copy', 'cut', 'paste'] as const) window.addEventListener(type, onClipboard, options);
  const stopFollowing = view.subscribe((_ephemeral, changed) => changed.has('editing') && held.clear());
  signal.addEventListener('abort', stopFollowing, { once: true });
}
