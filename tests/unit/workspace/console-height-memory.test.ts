import { afterEach, expect, test, vi } from 'vitest';
import { readConsoleHeight, storeConsoleHeight } from '../../../src/app/workspace/frame/console-height-memory.ts';

afterEach(() => vi.unstubAllGlobals());

test('W2.14 the height that a person chose for the console is kept, with the same share of a lower window', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  expect(readConsoleHeight(900)).toBe(null);
  storeConsoleHeight(450, 900);
  expect([900, 1_200, 720].map(readConsoleHeight)).toEqual([450, 450, 360]);
  storeConsoleHeight(null, 900);
  expect(readConsoleHeight(900)).toBe(null);
  stored.set('console:height', '{"height":"tall","windowHeight":900}');
  expect(readConsoleHeight(900)).toBe(null);
});
