/** Takes the lines out of a document that begin, after their indent, with one of `starts`. */
export function takeLines(document: string, starts: readonly string[]): { rest: string; taken: string[] } {
  const rest: string[] = [];
  const taken: string[] = [];
  for (const line of document.split('\n')) {
    const text = line.trim();
    if (starts.some((start) => text.startsWith(start))) taken.push(text);
    else rest.push(line);
  }
  return { rest: rest.join('\n'), taken };
}
