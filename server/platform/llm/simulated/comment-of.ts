const slashes = new Set([
  'ts',
  'tsx',
  'js',
  'jsx',
  'mjs',
  'cjs',
  'java',
  'c',
  'h',
  'cc',
  'cpp',
  'cs',
  'go',
  'rs',
  'kt',
  'swift',
  'php',
  'scss',
]);
const hashes = new Set(['py', 'rb', 'sh', 'yml', 'yaml', 'toml']);
const angles = new Set(['md', 'html', 'htm', 'xml', 'svg', 'vue']);

/** Returns how a file of this name has a comment on a line of its own; null where that is not known. */
export function commentOf(path: string): ((note: string) => string) | null {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  if (slashes.has(extension)) return (note) => `// ${note}`;
  if (hashes.has(extension)) return (note) => `# ${note}`;
  if (angles.has(extension)) return (note) => `<!-- ${note} -->`;
  return extension === 'css' ? (note) => `/* ${note} */` : null;
}
