/** One line of Markdown as plain text: without the marks of headings, lists, quotes, tables, links and emphasis. */
export function plainLine(line: string): string {
  const words = line.trimStart().startsWith('|') ? line.replaceAll('|', ' ') : line;
  return words
    .replace(/^\s*((#{1,6}|>|[-*+]|\d{1,3}[.)])\s+)+/, '')
    .replace(/!?\[([^[\]]{0,300})\]\([^)]{0,500}\)/g, '$1')
    .replace(/[*`]+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A Markdown text for a place that shows plain text, such as an email. Lists keep their dashes, and code stays as it is. */
export function plainMarkdown(markdown: string): string {
  const lines: string[] = [];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    else if (isCode) lines.push(line);
    else if (!/^\s*(([-*_]\s*){3,}|\|[\s:|-]+)$/.test(line)) lines.push(`${markOf(line)}${plainLine(line)}`.trimEnd());
  }
  return lines.join('\n').trim();
}

/** What a list says in plain text too: a dash, or the number. */
function markOf(line: string): string {
  if (/^\s*[-*+]\s/.test(line)) return '- ';
  return /^\s*(\d{1,3}[.)])\s/.exec(line)?.[1]?.concat(' ') ?? '';
}
