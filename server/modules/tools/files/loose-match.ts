/** In what a text differs from one that is there. */
export type LooseDifference = 'whiteSpace' | 'quotes' | 'normalForm' | 'entities' | 'escapes';

/** `line`: the first line of the place, from 1. `file`, `given`: the lines that differ, as they are there and as they were given, made visible. */
type LooseMatch = { differs: LooseDifference[]; lines: number[]; file: string[]; given: string[] };

/** The longest text in which is looked (UTF-16 units): a pass over it takes some ten milliseconds. */
const maxText = 1024 * 1024;
/** The most places that are named, lines that are shown, and characters of a line. */
const maxPlaces = 5;
const maxLines = 5;
const maxLine = 200;

/** Characters that people, editors and models put in the place of each other. */
const alike = new Map<string, string>(
  Object.entries({ "'": '‘’‚‛′＇`´', '"': '“”„‟″«»＂', '-': '‐‑‒–—−' }).flatMap(([plain, others]) =>
    [...others].map((other): [string, string] => [other, plain]),
  ),
);
const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&apos;': "'" };
const escapes: Record<string, string> = { '\\n': '\n', '\\t': '\t', '\\"': '"', "\\'": "'", '\\\\': '\\' };

/**
 * Returns where a text occurs that does not occur as it is: with other white space, other quotation marks or dashes, another normal form of Unicode, or
 * without the entities of HTML and the escapes of JSON that it was given with. Null where it does not occur so either. Both have line feeds.
 */
export function findLoosely(text: string, given: string): LooseMatch | null {
  if (text.length > maxText) return null;
  const all = foldText(text);
  for (const { kind, plain } of readings(given)) {
    const sought = foldText(plain).folded;
    const places = sought === '' ? [] : placesOf(all.folded, sought);
    const [first] = places;
    if (first === undefined) continue;
    const from = all.at[first] as number;
    const last = all.at[first + sought.length - 1] as number;
    const to = last + ((text.codePointAt(last) ?? 0) > 0xffff ? 2 : 1);
    const differs = [...(kind ? [kind] : []), ...differencesOf(text.slice(from, to), plain)];
    const lines = places.map((place) => lineAt(text, all.at[place] as number));
    return { differs: differs.length > 0 ? differs : ['whiteSpace'], lines, ...shownLines(linesAround(text, from, to), given.split('\n')) };
  }
  return null;
}

/** How a text may be meant: as it is, or as it is after a program has decoded it. */
function readings(given: string): { kind: LooseDifference | null; plain: string }[] {
  const decoded = (kind: LooseDifference, pattern: RegExp, plain: Record<string, string>) => {
    const text = given.replace(pattern, (found) => plain[found] ?? found);
    return text === given ? [] : [{ kind, plain: text }];
  };
  return [
    { kind: null, plain: given },
    ...decoded('entities', /&(?:amp|lt|gt|quot|apos|#39);/g, entities),
    ...decoded('escapes', /\\[nt"'\\]/g, escapes),
  ];
}

type Folding = { keepsQuotes?: boolean; keepsForm?: boolean };

/** Returns a text without what does not count, and for each of its units where that stands. */
function foldText(text: string, { keepsQuotes = false, keepsForm = false }: Folding = {}): { folded: string; at: number[] } {
  const at: number[] = [];
  let folded = '';
  let place = 0;
  for (const character of text) {
    if (!isSpace(character)) {
      const plain = keepsQuotes ? character : (alike.get(character) ?? character);
      const form = keepsForm || plain < '\u0080' ? plain : plain.normalize('NFD');
      folded += form;
      for (let unit = 0; unit < form.length; unit += 1) at.push(place);
    }
    place += character.length;
  }
  return { folded, at };
}

function isSpace(character: string): boolean {
  if (character > ' ' && character < '\u0080') return false;
  return character === '\u200b' || character === '\u2060' || character.trim() === '';
}

function placesOf(folded: string, sought: string): number[] {
  const places: number[] = [];
  for (let at = folded.indexOf(sought); at >= 0 && places.length < maxPlaces; at = folded.indexOf(sought, at + sought.length))
    places.push(at);
  return places;
}

/** Returns in what two texts differ that are the same without it. Spaces around them count as white space. */
function differencesOf(there: string, given: string): LooseDifference[] {
  const same = (folding: Folding) => foldText(there, folding).folded === foldText(given, folding).folded;
  const hasQuotes = !same({ keepsQuotes: true });
  const hasForm = !same({ keepsForm: true });
  const plain = (text: string) =>
    [...text.trim()]
      .map((one) => alike.get(one) ?? one)
      .join('')
      .normalize('NFD');
  const hasSpace = given !== given.trim() || plain(there) !== plain(given);
  return [
    ...(hasSpace ? ['whiteSpace' as const] : []),
    ...(hasQuotes ? ['quotes' as const] : []),
    ...(hasForm ? ['normalForm' as const] : []),
  ];
}

function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** Returns the whole lines of a place; of a long one the part from shortly before it. */
function linesAround(text: string, from: number, to: number): string[] {
  const begin = text.lastIndexOf('\n', from - 1) + 1;
  const feed = text.indexOf('\n', to);
  const start = from - begin > maxLine / 2 ? from - maxLine / 4 : begin;
  return text.slice(from === 0 ? 0 : start, feed < 0 ? text.length : feed).split('\n');
}

/** Returns the lines that differ, where both have as many lines, else the first ones of both. */
function shownLines(there: readonly string[], given: readonly string[]): { file: string[]; given: string[] } {
  const pairs = there.map((line, at) => [line, given[at] ?? ''] as const);
  const unequal = there.length === given.length ? pairs.filter(([one, other]) => one !== other) : [];
  const [file, own] = unequal.length > 0 ? [unequal.map(([one]) => one), unequal.map(([, other]) => other)] : [there, given];
  return { file: file.slice(0, maxLines).map(visible), given: own.slice(0, maxLines).map(visible) };
}

/** Shows a space as `·` and a tab as `→`, and behind what looks like something else its number in Unicode. */
function visible(line: string): string {
  return [...line.slice(0, maxLine)]
    .map((character) => {
      if (character === ' ') return '·';
      if (character === '\t') return '→';
      const isOdd = character >= '\u0080' && (isSpace(character) || alike.has(character) || isOfForm(character));
      if (!isOdd) return character;
      const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      return `${isSpace(character) ? '' : character}<U+${number}>`;
    })
    .join('');
}

/** Whether a character is a mark on another one, or may be written as a letter with marks. */
function isOfForm(character: string): boolean {
  return character.normalize('NFD') !== character || /\p{M}/u.test(character);
}
