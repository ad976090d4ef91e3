export type Platform = 'mac' | 'other';

/** The user's platform, which decides the names of keys. */
export const thisPlatform: Platform = /Mac|iPhone|iPad/.test(navigator.platform) ? 'mac' : 'other';

const names: Record<Platform, Record<string, string>> = {
  mac: { mod: '⌘', alt: '⌥', shift: '⇧', Enter: '↵', Backspace: '⌫', Delete: '⌦', Escape: 'esc', Tab: '⇥' },
  other: { mod: 'Ctrl', alt: 'Alt', shift: '⇧', Enter: '↵', Backspace: '⌫', Delete: 'Delete', Escape: 'Esc', Tab: 'Tab' },
};

/** Formats a shortcut for display: `mod+Z` becomes `Ctrl Z`, on a Mac `⌘ Z`. */
export function shortcutLabel(keys: string, platform: Platform = thisPlatform): string {
  if (keys === '+') return keys;
  return keys
    .split('+')
    .map((key) => names[platform][key] ?? key)
    .join(' ');
}
