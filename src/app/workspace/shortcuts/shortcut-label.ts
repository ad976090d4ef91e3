export type Platform = 'mac' | 'other';

/** The kind of machine this is, by which its keys are named. */
export const thisPlatform: Platform = /Mac|iPhone|iPad/.test(navigator.platform) ? 'mac' : 'other';

const names: Record<Platform, Record<string, string>> = {
  mac: { mod: '⌘', alt: '⌥', shift: '⇧', Enter: '↵', Backspace: '⌫', Delete: '⌦', Escape: 'esc', Tab: '⇥' },
  other: { mod: 'Ctrl', alt: 'Alt', shift: '⇧', Enter: '↵', Backspace: '⌫', Delete: 'Delete', Escape: 'Esc', Tab: 'Tab' },
};

/** A shortcut as people read it: `mod+Z` is `Ctrl Z`, on a Mac `⌘ Z`. */
export function shortcutLabel(keys: string, platform: Platform = thisPlatform): string {
  if (keys === '+') return keys;
  return keys
    .split('+')
    .map((key) => names[platform][key] ?? key)
    .join(' ');
}
