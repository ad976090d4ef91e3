import { plainLine } from '../../../../rules/text/plain-markdown.ts';

/** Returns the first line of text in a Markdown document, without its marks; skips code blocks and rules. */
export function excerpt(markdown: string, maxLength = 240): string {
  let fenced = false;
  for (const line of markdown.slice(0, 20_000).split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) {
      fenced = !fenced;
      continue;
    }
    if (fenced || /^\s*([-*_]\s*){3,}$/.test(line)) continue;
    const text = plainLine(line);
    if (/[\p{L}\p{N}]/u.test(text)) return text.length > maxLength ? `${text.slice(0, maxLength - 1).trimEnd()}…` : text;
  }
  return '';
}

/** Like `excerpt`, but skips a leading heading that a sentence follows. */
export function excerptBelowHeading(markdown: string, maxLength = 240): string {
  const body = markdown.replace(/^\s*(#{1,6}\s[^\n]*\n+)+/, '');
  return excerpt(body, maxLength) || excerpt(markdown, maxLength);
}

/** Returns the first sentence of a Markdown document, below its heading. */
export function firstSentence(markdown: string): string {
  const line = excerptBelowHeading(markdown);
  const end = line.search(/[.!?…](\s|$)/);
  return end < 0 ? line : line.slice(0, end + 1);
}
