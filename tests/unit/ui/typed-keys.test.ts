import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isComposing, isEnter, isSendKey } from '../../../src/ui/typed-keys.ts';

const enter = { key: 'Enter', ctrlKey: false, metaKey: false, isComposing: false, keyCode: 13 };

test('G8.34 Enter counts, and not while a text is composed', () => {
  expect(isEnter(enter)).toBe(true);
  expect(isEnter({ ...enter, key: 'a' })).toBe(false);
  expect(isEnter({ ...enter, isComposing: true })).toBe(false);
  expect(isSendKey({ ...enter, ctrlKey: true })).toBe(true);
  expect(isSendKey({ ...enter, metaKey: true })).toBe(true);
  expect(isSendKey(enter)).toBe(false);
});

test('G8.34 the Enter that ends a composition in Safari sends nothing', () => {
  const last = { ...enter, metaKey: true, keyCode: 229 };
  expect([isComposing(last), isEnter(last), isSendKey(last)]).toEqual([true, false, false]);
  const inReact = { ...enter, metaKey: true, nativeEvent: last };
  expect([isComposing(inReact), isEnter(inReact), isSendKey(inReact)]).toEqual([true, false, false]);
  expect(isSendKey({ ...inReact, nativeEvent: { ...last, keyCode: 13 } })).toBe(true);
});

test('G8.34 no other code decides what Enter means', () => {
  const root = join(import.meta.dirname, '../../..');
  // Their keys move in trees of lines, where no text is typed.
  const ofTrees = ['src/app/workspace/console/files/tree-keys.ts', 'src/canvas/outline/outline-key.ts'];
  const decides =
    /[!=]== ?['"]Enter['"]|case ['"](?:Numpad)?Enter['"]|\.isComposing\b|\bkeyCode ?[!=]==|\.code [!=]== ['"](?:Numpad)?Enter/;
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((file) => decides.test(readFileSync(join(root, file), 'utf8')));
  expect(files.sort()).toEqual([...ofTrees, 'src/ui/typed-keys.ts'].sort());
});
