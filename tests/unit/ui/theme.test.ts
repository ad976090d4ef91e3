import { afterEach, expect, test, vi } from 'vitest';
import { followTheme } from '../../../src/ui/theme.tsx';

afterEach(() => vi.unstubAllGlobals());

test('P4.08 the system’s theme is followed as it changes while nothing is stored, and no longer once something is', () => {
  const stored = new Map<string, string>();
  const heard = new Map<string, (event: { key?: string | null }) => void>();
  const system = {
    matches: false,
    addEventListener: (_: string, listener: () => void) => heard.set('system', listener),
    removeEventListener: () => heard.delete('system'),
  };
  const dataset = { theme: 'light' };
  let colour = '';
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null });
  vi.stubGlobal('matchMedia', () => system);
  vi.stubGlobal('document', {
    documentElement: { dataset },
    querySelector: () => ({ setAttribute: (_: string, value: string) => (colour = value) }),
  });
  vi.stubGlobal('addEventListener', (type: string, listener: () => void) => heard.set(type, listener));
  vi.stubGlobal('removeEventListener', (type: string) => heard.delete(type));
  const systemTurns = (dark: boolean) => {
    system.matches = dark;
    heard.get('system')?.({});
    return [dataset.theme, colour];
  };

  const stop = followTheme();
  expect(systemTurns(true)).toEqual(['dark', '#0f172a']);
  expect(systemTurns(false)).toEqual(['light', '#ffffff']);
  stored.set('theme', 'dark');
  // Another tab has chosen the theme.
  heard.get('storage')?.({ key: 'theme' });
  expect([dataset.theme, colour]).toEqual(['dark', '#0f172a']);
  expect(systemTurns(true)).toEqual(['dark', '#0f172a']);
  expect(systemTurns(false)).toEqual(['dark', '#0f172a']);
  stored.clear();
  expect(systemTurns(false)).toEqual(['light', '#ffffff']);
  stop();
  expect([...heard.keys()]).toEqual([]);
});
