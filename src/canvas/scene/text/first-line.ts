/** Enough for two lines on a card. */
const longest = 240;

/** What a Markdown text says first, as plain words: its first paragraph, or its first heading or row of a table when it has nothing else. */
export function firstLine(markdown: string): string {
  let fallback = '';
  let fenced = false;
  for (const raw of markdown.slice(0, 4_000).split('\n')) {
    const line = raw.trim();
    if (line.startsWith('```') || line.startsWith('~~~')) fenced = !fenced;
    else if (!fenced && line !== '' && !/^([-*_=]\s*){3,}$/.test(line) && !/^\|[\s:|-]+$/.test(line)) {
      const words = plain(line);
      if (!/^[#|]/.test(line)) return words.slice(0, longest);
      fallback ||= words;
    }
  }
  return fallback.slice(0, longest);
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
