/** What the simulated developer leaves out of its rules in the first round, and adds in the second, once it has read why tests fail. */
const known = "  if (request.title.trim() === '') problems.push({ path: 'title', code: 'required' });";
const missing = "  if (request.details.trim() === '') problems.push({ path: 'details', code: 'required' });";

/** Returns the file that has the fault, of those that a run has changed; null for none. */
export function faultyPath(paths: readonly string[]): string | null {
  return paths.find((path) => path.endsWith('/rules.ts')) ?? paths.at(-1) ?? null;
}

/** Returns the edit that mends a file: the missing rule, or a note beside the marked line. Null for a file without either. */
export function fixOf(text: string, marked: string, note: string): { old: string; new: string } | null {
  if (text.includes(known) && !text.includes(missing)) return { old: known, new: `${known}\n${missing}` };
  const line = text.split('\n').findLast((one) => one.includes(marked));
  if (line === undefined || line.includes(note)) return null;
  return { old: line, new: line.replace(marked, () => `${marked} (${note})`) };
}
