/** The maximum length, enough for two lines on a card. */
const maxLength = 240;

/** Returns the first text line of a Markdown text as plain text; without one, its first heading or table row. */
export function firstLine(markdown: string): string {
  let fallback = '';
  let fenced = false;
  for (const raw of markdown.slice(0, 4_000).split('\n')) {
    const line = raw.trim();
    if (line.startsWith('```') || line.startsWith('~~~')) fenced = !fenced;
    else if (!fenced && line !== '' && !/^([-*_=]\s*){3,}$/.test(line) && !/^\|[\s:|-]+$/.test(line)) {
      const words = plain(line);
      if (!/^[#|]/.test(line)) return words.slice(0, maxLength);
      fallback ||= words;
    }
  }
  return fallback.slice(0, maxLength);
}

function plain(line: string): string {
  const words = line.startsWith('|') ? line.replaceAll('|', ' ') : line;
  return words
    .trim()
    .replace(/^(#{1,6}\s+|>\s*|[-*+]\s+|\d{1,3}[.)]\s+)+/, '')
    .replace(/!?\[([^\]]{0,300})\]\([^)]{0,500}\)/g, '$1')
    .replace(/[*_`~]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
