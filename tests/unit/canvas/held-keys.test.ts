import { expect, test } from 'vitest';
import { HeldKeys } from '../../../src/canvas/held-keys.ts';

function typed(...keys: string[]) {
  const held = new HeldKeys();
  for (const key of keys) held.type(key);
  return held;
}

test('W3.01 text typed before the editor has loaded replaces the name, and Enter ends the edit', () => {
  expect(typed().read(true, 'Old')).toEqual({ text: 'Old', isTyped: false, isEnded: false });
  expect(typed('N', 'e', 'x', 'Backspace', 'w').read(true, 'Old')).toEqual({ text: 'New', isTyped: true, isEnded: false });
  expect(typed('N', '\n', 'x').read(true, 'Old')).toEqual({ text: 'N', isTyped: true, isEnded: true });
  expect(typed('\n').read(true, 'Old')).toEqual({ text: 'Old', isTyped: true, isEnded: true });
  expect(typed('Delete').read(true, 'Old')).toMatchObject({ text: '', isEnded: false });
});

test('W3.01 a note takes Enter as a line, and what is typed for one editor is not for the next', () => {
  const held = typed('a', '\n', 'b');
  expect(held.read(false, 'Old')).toEqual({ text: 'a\nb', isTyped: true, isEnded: false });
  held.clear();
  expect(held.read(false, 'Old').text).toBe('Old');
});
