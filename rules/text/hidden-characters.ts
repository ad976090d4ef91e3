/**
 * Characters that a reader does not see, or that change the order of what is seen: controls, marks of direction, characters of no width, tags. Neither
 * tab and line feed, nor what joins and chooses emoji.
 */
export const hiddenCharacters =
  /(?![\t\n])(?!(?<=\p{Emoji})\ufe0f|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export function hasHidden(text: string): boolean {
  return text.search(hiddenCharacters) >= 0;
}

/** Splits a text at its hidden characters, which are parts of their own. No part is empty. */
export function splitAtHidden(text: string): { text: string; isHidden: boolean }[] {
  const parts: { text: string; isHidden: boolean }[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(hiddenCharacters)) {
    if (index > from) parts.push({ text: text.slice(from, index), isHidden: false });
    parts.push({ text: found, isHidden: true });
    from = index + found.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isHidden: false });
  return parts;
}

/** Returns a text as its reader sees it. */
export function withoutHidden(text: string): string {
  return text.replaceAll(hiddenCharacters, '');
}

const breaksLine = /[\t\n\p{Cs}]/gu;

/**
 * Returns a name or a path from outside as one line that can be shown, stored and logged: what a reader does not see, and half surrogate pairs, as
 * `\u` and their numbers. So `\u202e` cannot turn the end of a name around, and no escape sequence reaches a terminal.
 */
export function visibleName(text: string): string {
  return withEscapedHidden(text).replaceAll(breaksLine, (found) => escaped(found.charCodeAt(0)));
}

/** Returns JSON with the hidden characters of its texts as `\u` and their numbers: the same value. */
export function withEscapedHidden(json: string): string {
  return json.replaceAll(hiddenCharacters, (found) =>
    Array.from({ length: found.length }, (_, at) => escaped(found.charCodeAt(at))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
