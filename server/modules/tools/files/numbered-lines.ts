/** The most characters of the lines that one call returns, and of one of them. */
const maxLength = 24_000;
const maxLineLength = 8_000;

/**
 * Returns lines of a text from a number on, each after its number and a tab, up to `lines` and to what one call returns. `last`: the last of them, of
 * `count` in all. `isCut`: the end of a very long line is left out. `part` is null where the text has no such line.
 */
export function numberedLines(
  text: string,
  from: number,
  lines = Number.MAX_SAFE_INTEGER,
): { part: string | null; last: number; count: number; isCut: boolean } {
  const parts: string[] = [];
  let [line, length, last, isCut, isFull] = [0, 0, 0, false, false];
  for (let at = 0; at <= text.length; ) {
    const feed = text.indexOf('\n', at);
    // The end of the last line begins no other one.
    if (at === text.length && line > 0) break;
    const end = feed < 0 ? text.length : feed;
    line += 1;
    if (line >= from && parts.length < lines && !isFull) {
      const own = text.slice(at, end > at && text[end - 1] === '\r' ? end - 1 : end);
      const shown = `${line}\t${own.slice(0, maxLineLength)}`;
      isFull = parts.length > 0 && length + shown.length > maxLength;
      if (!isFull) {
        parts.push(shown);
        length += shown.length + 1;
        last = line;
        isCut ||= own.length > maxLineLength;
      }
    }
    at = end + 1;
  }
  return { part: parts.length > 0 ? parts.join('\n') : null, last, count: line, isCut };
}
