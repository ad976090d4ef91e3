import { useEffect } from 'react';
import { tinykeys } from 'tinykeys';
import { isWindowClosing } from '../../../ui/controls/overlays/is-window-closing.ts';
import { isComposing } from '../../../ui/typed-keys.ts';
import { type ActionName, actionTable, panelActions } from '../frame/action-table.ts';
import { hasOpenDialog } from './has-open-dialog.ts';
import { useActions } from './use-actions.ts';

/** Keys that work for any focus, by their physical position, so that they work with a Russian layout. */
export const keysAnywhere: Record<string, ActionName> = {
  ...Object.fromEntries(
    panelActions.flatMap((name) => {
      const [, held, letter] = /^(mod|alt)\+([A-Z])$/.exec(actionTable[name].keys?.[0] ?? '') ?? [];
      return letter ? [[`${held === 'mod' ? '$mod' : 'Alt'}+Key${letter}`, name]] : [];
    }),
  ),
  'Alt+KeyR': 'startRun',
  'Alt+KeyS': 'stopRun',
  'Alt+KeyL': 'layout',
  '$mod+Shift+KeyE': 'savePicture',
  '$mod+KeyG': 'group',
  '$mod+Shift+KeyG': 'ungroup',
};

/** Keys that work only on the canvas: elsewhere they type text or press the focused control. */
export const keysOnCanvas: Record<string, ActionName> = {
  'Shift+Digit2': 'zoomToSelection',
  KeyE: 'linkSettings',
  'Shift+KeyE': 'cardSettings',
  KeyD: 'disableCards',
  'Shift+Alt+KeyA': 'alignLeft',
  'Shift+Alt+KeyC': 'alignCentre',
  'Shift+Alt+KeyD': 'alignRight',
  'Shift+Alt+KeyW': 'alignTop',
  'Shift+Alt+KeyM': 'alignMiddle',
  'Shift+Alt+KeyS': 'alignBottom',
  'Shift+Alt+KeyH': 'distributeHorizontally',
  'Shift+Alt+KeyV': 'distributeVertically',
  KeyF: 'fold',
  'Shift+KeyF': 'foldAll',
  KeyM: 'toggleMinimap',
  KeyN: 'addNote',
  F2: 'rename',
  'Shift+?': 'shortcuts',
  'Shift+Slash': 'shortcuts',
};

/** Handles the workspace's shortcuts, except those of the canvas. None works under an open dialog or menu. */
export function useActionKeys(): void {
  const actions = useActions();
  useEffect(() => {
    const on = (name: ActionName, matches: (event: KeyboardEvent) => boolean) => (event: KeyboardEvent) => {
      if (!matches(event) || hasOpenDialog()) return;
      event.preventDefault();
      const { can, run } = actions[name];
      if (!can || can()) run();
    };
    const bindings: Record<string, (event: KeyboardEvent) => void> = {};
    for (const [keys, name] of Object.entries(keysAnywhere)) bindings[keys] = on(name, () => true);
    for (const [keys, name] of Object.entries(keysOnCanvas)) bindings[keys] = on(name, isOnCanvas);
    return tinykeys(window, bindings, { ignore: skipsShortcut });
  }, [actions]);
}

function isOnCanvas({ target }: KeyboardEvent): boolean {
  if (isWindowClosing()) return false;
  return target === document.body || (target instanceof Element && target.matches('[role="application"], [role="treeitem"]'));
}

type Key = Pick<KeyboardEvent, 'repeat' | 'isComposing' | 'altKey'> & { keyCode?: number } & { target: EventTarget | null };

const writtenIn = 'input:not([type="radio"]), select, textarea, [contenteditable]';

/** Returns whether a key types text, so that it triggers no shortcut. With Alt a key may type a special character. */
export function skipsShortcut(event: Key): boolean {
  if (event.repeat || isComposing(event)) return true;
  const target = event.target as Partial<Element> | null;
  return event.altKey && target?.matches?.(writtenIn) === true;
}
