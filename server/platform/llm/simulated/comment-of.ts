/** Languages by the extensions of their files, and what stands before and behind a comment on a line of its own. */
const forms: readonly [extension: RegExp, begin: string, end: string][] = [
  [/^(?:tsx?|jsx?|mjs|cjs|java|c|h|cc|cpp|cs|go|rs|kt|swift|php|scss)$/, '// ', ''],
  [/^(?:py|rb|sh|ya?ml|toml)$/, '# ', ''],
  [/^(?:md|html?|xml|svg|vue)$/, '<!-- ', ' -->'],
  [/^css$/, '/* ', ' */'],
];

/** Returns how a file of this name has a comment on a line of its own; null where that is not known. */
export function commentOf(path: string): ((note: string) => string) | null {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const form = forms.find(([known]) => known.test(extension));
  return form ? (note) => `${form[1]}${note}${form[2]}` : null;
}
