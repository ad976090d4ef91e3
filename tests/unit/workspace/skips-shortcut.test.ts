import { expect, test } from 'vitest';
import { skipsShortcut } from '../../../src/app/workspace/actions/use-action-keys.ts';

const field = { matches: () => true } as unknown as EventTarget;
const card = { matches: () => false } as unknown as EventTarget;
const key = (changes: Partial<Parameters<typeof skipsShortcut>[0]>) => ({
  repeat: false,
  isComposing: false,
  altKey: false,
  target: card,
  ...changes,
});

test('W2.03 the console opens by its shortcut from the text box too, and keys that write stay with the text', () => {
  expect(skipsShortcut(key({ target: field }))).toBe(false);
  expect(skipsShortcut(key({ target: field, altKey: true }))).toBe(true);
  expect(skipsShortcut(key({ altKey: true }))).toBe(false);
  expect(skipsShortcut(key({ repeat: true }))).toBe(true);
  expect(skipsShortcut(key({ isComposing: true }))).toBe(true);
  expect(skipsShortcut(key({ target: null, altKey: true }))).toBe(false);
});
