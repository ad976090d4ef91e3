/** A line of a text, which matches or is beside one that does. Lines count from 1. */
export type FoundLine = { line: number; text: string; isMatch: boolean };

/** Whether a line, without its end, is one that is looked for. */
export type LineMatcher = (line: string) => boolean;

/** The characters that are looked at before a pause, counting each line as some of them, and the characters of a line that count. */
const lengthAtOnce = 256 * 1024;
const lengthOfLine = 100;
const maxLength = 100_000;

/**
 * Returns the lines of a text that match, each with `context` lines before and after it, once and in order; and null after each piece of work of a few
 * milliseconds. A text is never split into its lines: ten megabytes of short ones would be millions of texts.
 */
export function* linesIn(text: string, matches: LineMatcher, context: number): Generator<FoundLine | null> {
  let before: FoundLine[] = [];
  let after = 0;
  let line = 1;
  let looked = 0;
  for (let from = 0; from <= text.length; line += 1) {
    const feed = text.indexOf('\n', from);
    const end = feed < 0 ? text.length : feed;
    const own = text.slice(from, Math.min(text[end - 1] === '\r' && end > from ? end - 1 : end, from + maxLength));
    from = end + 1;
    // The end of the last line begins no other one.
    if (own === '' && from > text.length && line > 1 && feed < 0) break;
    const found: FoundLine = { line, text: own, isMatch: matches(own) };
    if (found.isMatch) {
      yield* before;
      yield found;
      before = [];
      after = context;
    } else if (after > 0) {
      after -= 1;
      yield found;
    } else if (context > 0) {
      before.push(found);
      if (before.length > context) before.shift();
    }
    looked += own.length + lengthOfLine;
    if (looked > lengthAtOnce) {
      looked = 0;
      yield null;
    }
  }
}
