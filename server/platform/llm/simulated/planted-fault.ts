/** What the simulated developer leaves out of its rules in the first round, and what stands there once it has read why tests fail. */
export const faults = {
  rules: {
    old: "  if (request.title.trim() === '') problems.push({ path: 'title', code: 'required' });",
    mended:
      "  if (request.title.trim() === '') problems.push({ path: 'title', code: 'required' });\n  if (request.details.trim() === '') problems.push({ path: 'details', code: 'required' });",
  },
  script: { old: 'value.length <= 120', mended: "value.trim() !== '' && value.length <= 120" },
  python: { old: 'return len(value) <= 120', mended: 'return 0 < len(value) <= 120' },
  go: { old: 'return len(value) <= 120', mended: 'return len(value) > 0 && len(value) <= 120' },
  rust: { old: 'value.len() <= 120', mended: '!value.is_empty() && value.len() <= 120' },
  shell: { old: '[ "$' + '{#1}" -le 120 ]', mended: '[ -n "$1" ] && [ "$' + '{#1}" -le 120 ]' },
};

/** Returns the file that has the fault, of those that a run has changed; null for none. */
export function faultyPath(paths: readonly string[]): string | null {
  return paths.find((path) => path.endsWith('/rules.ts')) ?? paths.at(-1) ?? null;
}

/** Returns the edit that mends a file: the missing rule, or a note beside the marked line. Null for a file without either. */
export function fixOf(path: string, text: string, marked: string, note: string): { old: string; new: string } | null {
  const { rules, python, go, ...others } = faults;
  const planted = path.endsWith('.py') ? [python] : path.endsWith('.go') ? [go] : Object.values(others);
  const own = text.includes(marked) ? planted : [rules];
  const fault = own.find(({ old, mended }) => text.includes(old) && !text.includes(mended));
  if (fault) return { old: fault.old, new: fault.mended };
  const line = text.split('\n').findLast((one) => one.includes(marked));
  if (line === undefined || line.includes(note)) return null;
  return { old: line, new: line.replace(marked, () => `${marked} (${note})`) };
}
