/** Puts text of others into a Markdown fence that it cannot close: the fence is longer than any in the text. */
export function fenced(text: string): string {
  let fence = '~~~';
  while (text.includes(fence)) fence += '~';
  return `${fence}text\n${text}\n${fence}`;
}
