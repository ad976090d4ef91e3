/** A line of a text. Lines count from 1. */
export type FoundLine = { line: number; text: string };

/** The characters that are looked at before a pause. */
const pieceLength = 256 * 1024;

/**
 * Returns the lines of a text that contain the words, in any case, and null after each piece of work of a few milliseconds. A text is never split
 * into its lines: ten megabytes of short ones would be millions of texts.
 */
export function* linesWith(words: string, text: string): Generator<FoundLine | null> {
  const wanted = inLowerCase(words);
  let line = 1;
  let counted = 0;
  for (let from = 0; from < text.length; ) {
    // Words at the end of a piece may go on in the next one.
    const found = inLowerCase(text.slice(from, from + pieceLength + words.length)).indexOf(wanted);
    if (found < 0) {
      from += pieceLength;
      yield null;
      continue;
    }
    const at = from + found;
    const begin = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
    while (counted < begin) {
      const until = Math.min(begin, counted + pieceLength);
      line += countFeeds(text, counted, until);
      counted = until;
      yield null;
    }
    const feed = text.indexOf('\n', at);
    const end = feed < 0 ? text.length : feed;
    yield { line, text: text.slice(begin, end) };
    from = end + 1;
  }
}

/** Keeps the length of a text: the Turkish capital I with a dot would become longer. A last sigma is like any other. */
function inLowerCase(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('\u03c2', '\u03c3');
}

function countFeeds(text: string, from: number, until: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < until; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
