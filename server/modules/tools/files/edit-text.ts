import { alignLineEnds } from '../../files/index.ts';

type TextEdit = { old: string; now: string; replaceAll: boolean };

/**
 * How an edit ends. `absent`: the text does not occur. `ambiguous`: it occurs more than once, at these lines. `tooLarge`: the result would be longer
 * than `maxLength`.
 */
type EditOutcome =
  | { kind: 'edited'; text: string; count: number; lines: number[] }
  | { kind: 'absent' }
  | { kind: 'same' }
  | { kind: 'ambiguous'; count: number; lines: number[] }
  | { kind: 'tooLarge' };

/** The most lines that an answer names. */
const maxNamed = 20;
/** The most places of one edit. */
const maxPlaces = 10_000;

/**
 * Replaces an exact text, once or everywhere. Line ends do not count: a text with line feeds is found in a file with other ones. Lines that stay keep
 * their own ends, byte for byte.
 */
export function editText(text: string, { old: given, now, replaceAll }: TextEdit, maxLength: number): EditOutcome {
  const plain = withLineFeeds(text);
  const old = withLineFeeds(given);
  const by = withLineFeeds(now);
  const places = placesOf(plain, old, replaceAll ? old.length : 1);
  if (places.length === 0) return { kind: 'absent' };
  if (old === by) return { kind: 'same' };
  if (places.length > 1 && !replaceAll)
    return { kind: 'ambiguous', count: places.length, lines: linesAt(plain, places.slice(0, maxNamed)) };
  if (text.length + places.length * (by.length - old.length) > maxLength || places.length > maxPlaces) return { kind: 'tooLarge' };
  return {
    kind: 'edited',
    text: replaceAt(text, plain, { places, old, by }),
    count: places.length,
    lines: linesAt(plain, places.slice(0, maxNamed)),
  };
}

/** Returns the numbers of the lines at these positions, which rise. Lines count from 1. */
function linesAt(text: string, places: readonly number[]): number[] {
  let line = 1;
  let counted = 0;
  return places.map((place) => {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) {
      line += 1;
      counted = at + 1;
    }
    return line;
  });
}

function placesOf(text: string, sought: string, step: number): number[] {
  const places: number[] = [];
  if (sought === '') return places;
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + step)) {
    places.push(at);
    if (places.length > maxPlaces) break;
  }
  return places;
}

type Replacing = { places: readonly number[]; old: string; by: string };

/** Replaces at positions of the text with line feeds, in whole lines: those between keep their bytes. */
function replaceAt(text: string, plain: string, { places, old, by }: Replacing): string {
  if (text === plain) return spliced(text, places, { old, by });
  const toOriginal = positions(text);
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < places.length; ) {
    const begin = plain.lastIndexOf('\n', (places[at] as number) - 1) + 1;
    const from = places[at] === 0 ? 0 : begin;
    let to = from;
    let changed = '';
    let read = from;
    do {
      const place = places[at] as number;
      changed += plain.slice(read, place) + by;
      read = place + old.length;
      to = endOfLine(plain, read);
      at += 1;
    } while (at < places.length && (places[at] as number) < to);
    changed += plain.slice(read, to);
    const [first, last] = [toOriginal(from), toOriginal(to)];
    const segment = text.slice(first, last);
    parts.push(text.slice(copied, first), alignLineEnds(withEnd(segment, text, first), changed));
    copied = last;
  }
  return parts.join('') + text.slice(copied);
}

function spliced(text: string, places: readonly number[], { old, by }: Pick<Replacing, 'old' | 'by'>): string {
  const parts = places.map((place, at) => text.slice(at === 0 ? 0 : (places[at - 1] as number) + old.length, place) + by);
  return parts.join('') + text.slice((places.at(-1) as number) + old.length);
}

/** A text without any line end takes that of the line before it in its file. */
function withEnd(segment: string, text: string, first: number): string {
  if (segment.includes('\n') || first === 0) return segment;
  return `${segment}${text[first - 2] === '\r' ? '\r\n' : '\n'}`;
}

/** Returns where the line of a position ends, behind its line feed. A position at the begin of a line behind the text's first is that line's end already. */
function endOfLine(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n') return at;
  const feed = text.indexOf('\n', at);
  return feed < 0 ? text.length : feed + 1;
}

/** Returns a function that maps a position of the text with line feeds to that of the text itself; to the begin of a line end, never into it. */
function positions(text: string): (at: number) => number {
  const removed: number[] = [];
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) removed.push(at - removed.length);
  return (at) => {
    let [low, high] = [0, removed.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((removed[middle] as number) < at) low = middle + 1;
      else high = middle;
    }
    return at + low;
  };
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
