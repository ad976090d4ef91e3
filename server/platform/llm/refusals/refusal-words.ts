/** The part of a refusal that is read (UTF-16 units). */
const maxRead = 4_096;

/** Whether a text has a word of letters, digits and underscores that is no part of another, nor of a path. */
export function hasWord(text: string, word: string): boolean {
  return placesOf(text, word).some((at) => !isInWord(text[at - 1], true) && !isInWord(text[at + word.length], false));
}

/** Whether a text has a word in quotes, alone or in a path. */
export function isQuoted(text: string, word: string): boolean {
  return placesOf(text, word).some((at) => {
    let start = at;
    while (start > 0 && isInWord(text[start - 1], true)) start -= 1;
    let end = at + word.length;
    while (end < text.length && isInWord(text[end], true)) end += 1;
    const isWhole = (start === at || text[at - 1] === '.') && (end === at + word.length || text[at + word.length] === '.');
    return isWhole && isQuote(text[start - 1]) && isQuote(text[end]);
  });
}

/** A number of a text, with what stands before it and after it up to the next ones. */
type ToldNumber = { value: number; before: string; after: string };

/** Returns the whole numbers of a text, in order. */
export function numbersIn(text: string): ToldNumber[] {
  const read = text.slice(0, maxRead);
  const found = [...read.matchAll(/\d{1,12}/g)];
  return found.map((match, position) => {
    const earlier = found[position - 1];
    const from = earlier ? earlier.index + earlier[0].length : 0;
    const to = match.index + match[0].length;
    return { value: Number(match[0]), before: read.slice(from, match.index), after: read.slice(to, found[position + 1]?.index) };
  });
}

/** Whether one of these phrases stands at most so many characters after a word. */
export function isFollowedBy(text: string, word: string, phrases: readonly string[], within: number): boolean {
  return placesOf(text, word).some((at) => {
    const next = text.slice(at + word.length, at + word.length + within).toLowerCase();
    return phrases.some((phrase) => next.includes(phrase));
  });
}

function placesOf(text: string, word: string): number[] {
  const places: number[] = [];
  const read = text.slice(0, maxRead);
  for (let at = read.indexOf(word); at >= 0; at = read.indexOf(word, at + word.length)) places.push(at);
  return places;
}

function isInWord(character: string | undefined, withDot: boolean): boolean {
  return character !== undefined && (/\w/.test(character) || (withDot && character === '.'));
}

function isQuote(character: string | undefined): boolean {
  return character !== undefined && '\'"`'.includes(character);
}
