import { Observable } from '../state/observable.ts';
import { useObserved } from '../state/use-observed.ts';
import type { ThemeName } from './palette.ts';
import { readStored, writeStored } from './stored-preference.ts';

/** The duration of that circle. */
const rippleMs = 600;
const themeColor: Record<ThemeName, string> = { dark: '#0f172a', light: '#ffffff' };
const storageKey = 'theme';

/** Returns dark when it is stored, or when nothing is stored and the system prefers it. */
export function resolveTheme(stored: string | null, systemPrefersDark: boolean): ThemeName {
  if (stored === 'dark' || stored === 'light') return stored;
  return systemPrefersDark ? 'dark' : 'light';
}

/** The current theme, and `toggle`, which stores the visitor's choice; the circle starts at `from` (CSS px of the window). */
export function useTheme(): { theme: ThemeName; toggle: (from?: { x: number; y: number }) => void } {
  const theme = useObserved(themeChanges, readTheme, writtenTheme);
  return { theme, toggle: toggleTheme };
}

const themeChanges = new Observable();

function readTheme(): ThemeName {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
}

/** The theme of prerendered markup, used until it is hydrated. */
function writtenTheme(): ThemeName {
  return 'light';
}

function applyTheme(theme: ThemeName): void {
  if (theme === readTheme()) return;
  document.documentElement.dataset.theme = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', themeColor[theme]);
  themeChanges.notify();
}

function toggleTheme(from?: { x: number; y: number }): void {
  const theme: ThemeName = readTheme() === 'dark' ? 'light' : 'dark';
  writeStored(storageKey, theme);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (still || !document.startViewTransition) {
    applyTheme(theme);
    return;
  }
  const x = from?.x ?? innerWidth / 2;
  const y = from?.y ?? 0;
  const radius = Math.hypot(Math.max(x, innerWidth - x), Math.max(y, innerHeight - y));
  const transition = document.startViewTransition(() => applyTheme(theme));
  transition.ready
    .then(() => {
      document.documentElement.animate(
        { clipPath: [`circle(0 at ${x}px ${y}px)`, `circle(${radius}px at ${x}px ${y}px)`] },
        { duration: rippleMs, easing: 'ease-out', pseudoElement: '::view-transition-new(root)' },
      );
    })
    // A transition that is replaced by another one rejects; the theme is set nevertheless.
    .catch(() => undefined);
}

/** Follows the system while nothing is stored, and the other tabs of this browser. Call once at start. */
export function followTheme(): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => applyTheme(resolveTheme(readStored(storageKey), system.matches));
  const onStorage = (event: StorageEvent) => {
    if (event.key === storageKey || event.key === null) follow();
  };
  follow();
  system.addEventListener('change', follow);
  addEventListener('storage', onStorage);
  return () => {
    system.removeEventListener('change', follow);
    removeEventListener('storage', onStorage);
  };
}
