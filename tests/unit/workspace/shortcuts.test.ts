import { expect, test } from 'vitest';
import { keysAnywhere, keysOnCanvas } from '../../../src/app/workspace/actions/use-action-keys.ts';
import { type ActionName, actionTable } from '../../../src/app/workspace/frame/action-table.ts';
import { shortcutGroups } from '../../../src/app/workspace/shortcuts/shortcut-groups.ts';
import { keyAction } from '../../../src/canvas/tools/key-action.ts';

/** The canvas's own names of the actions that its keys run. */
const canvasKinds: Partial<Record<ActionName, string>> = {
  delete: 'remove',
  // The key of the hand sets the hold of selected links.
  holdLinks: 'mode',
  undo: 'undo',
  redo: 'redo',
  selectAll: 'selectAll',
  duplicate: 'duplicate',
  fit: 'zoom fit',
  actualSize: 'zoom actual',
  zoomIn: 'zoom in',
  zoomOut: 'zoom out',
};

/** `shift+mod+Z` as the browser reports it. */
function pressed(keys: string) {
  const parts = keys === '+' ? ['+'] : keys.split('+');
  const key = (parts.at(-1) as string).replace('−', '-');
  const code = /^[A-Z]$/.test(key) ? `Key${key}` : /^\d$/.test(key) ? `Digit${key}` : key;
  return { key, code, ctrl: parts.includes('mod'), shift: parts.includes('shift'), alt: parts.includes('alt'), repeat: false };
}

function bindingOf(keys: string): string {
  const { key, code, ctrl, shift, alt } = pressed(keys);
  return [ctrl && '$mod', shift && 'Shift', alt && 'Alt', key === '?' ? 'Shift+?' : code].filter(Boolean).join('+');
}

const bound: Record<string, ActionName> = { ...keysAnywhere, ...keysOnCanvas };
/** Keys that the outline handles, or that the browser turns into clipboard events. */
const elsewhere = new Set<ActionName>(['open', 'copy', 'cut', 'paste']);

test.each(Object.keys(actionTable) as ActionName[])('W2.05 the keys shown for "%s" do it', (name) => {
  for (const keys of actionTable[name].keys ?? []) {
    if (elsewhere.has(name)) continue;
    const action = keyAction(pressed(keys));
    const kind = action && (action.kind === 'zoom' ? `zoom ${action.to}` : action.kind);
    expect([keys, kind === canvasKinds[name] || bound[bindingOf(keys)] === name]).toEqual([keys, true]);
  }
});

test('W2.05 the sheet lists every key that does something', () => {
  const listed = new Set(shortcutGroups.flatMap(({ lines }) => lines.map(({ name }) => name as string)));
  const withKeys = (Object.keys(actionTable) as ActionName[]).filter((name) => actionTable[name].keys);
  expect(withKeys.filter((name) => !listed.has(name))).toEqual([]);
  expect(Object.values(bound).filter((name) => !listed.has(name))).toEqual([]);
});
