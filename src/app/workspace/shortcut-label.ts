/** A shortcut as people read it on this machine: `mod+Z` is `Ctrl Z`, on a Mac `⌘ Z`. */
export function shortcutLabel(keys: string): string {
  const mac = /Mac|iPhone|iPad/.test(navigator.platform);
  const names: Record<string, string> = mac ? { mod: '⌘', alt: '⌥', shift: '⇧' } : { mod: 'Ctrl', alt: 'Alt', shift: '⇧' };
  return keys
    .split('+')
    .map((key) => names[key] ?? key)
    .join(' ');
}
