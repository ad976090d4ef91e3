/**
 * A character that a reader does not see, or that changes the order of what is seen: controls, marks of direction, characters of no width, tags. Neither
 * tab and line feed, nor what joins and chooses emoji.
 */
export const hiddenCharacter =
  /(?![\t\n])(?!(?<=\p{Emoji})\ufe0f|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

const each = new RegExp(hiddenCharacter.source, 'gu');

/** Returns a text as its reader sees it. */
export function withoutHidden(text: string): string {
  return text.replaceAll(each, '');
}

/** Returns JSON with the hidden characters of its texts as `\u` and their numbers: the same value. */
export function withEscapedHidden(json: string): string {
  return json.replaceAll(each, (found) => Array.from({ length: found.length }, (_, at) => escaped(found.charCodeAt(at))).join(''));
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
