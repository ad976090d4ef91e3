/** Returns a line of at most `longest` UTF-16 units: a longer one ends at a word, with an ellipsis. */
export function cutAtWord(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const head = text.slice(0, longest - 1);
  const space = head.lastIndexOf(' ');
  return `${(space < 0 ? head : head.slice(0, space)).toWellFormed()}…`;
}
