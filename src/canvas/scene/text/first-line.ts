import { plainLine } from '../../../../rules/text/plain-markdown.ts';

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
      const words = plainLine(line);
      if (!/^[#|]/.test(line)) return words.slice(0, maxLength);
      fallback ||= words;
    }
  }
  return fallback.slice(0, maxLength);
}
