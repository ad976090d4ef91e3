/** Puts text of others into a Markdown fence that it cannot close: the fence is longer than any in the text. `kind`: what it says of the text. */
export function fenced(text: string, kind: 'text' | '' = 'text'): string {
  let fence = '~~~';
  while (text.includes(fence)) fence += '~';
  return `${fence}${kind}\n${text}\n${fence}`;
}
