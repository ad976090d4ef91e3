import { diffArrays } from 'diff';

/** Lines that both sides have changed: the number of the first one at the start (from 1), and both versions, shortened. */
export type LineConflict = { line: number; ours: string; theirs: string };

/** `conflicts` is empty for what is not text, or too long. */
type MergedText = { content: Uint8Array; conflicts: null } | { content: null; conflicts: LineConflict[] };

/** Lines `at` to `at + count` of the start are replaced by lines `from` to `from + length` of one side. */
type Change = { at: number; count: number; from: number; length: number };

/**
 * Merges two versions of a text line by line against what both began with. Lines are bytes up to a line feed, so that encodings and line ends stay as
 * they are. As in Git, changes merge when an unchanged line is between them, and when they are equal. The work is bounded: what differs
 * in more than `maxEdits` lines is split at lines that are there once, and what is left counts as replaced as a whole.
 */
export function mergeText(before: Uint8Array, ours: Uint8Array, theirs: Uint8Array): MergedText {
  if ([before, ours, theirs].some(isBinary)) return { content: null, conflicts: [] };
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const read = (bytes: Uint8Array) =>
    linesOf(bytes).map((line) => {
      const known = numbers.get(line);
      if (known !== undefined) return known;
      numbers.set(line, texts.length);
      return texts.push(line) - 1;
    });
  const [start, one, other] = [read(before), read(ours), read(theirs)];
  if (texts.length > maxDistinctLines) return { content: null, conflicts: [] };
  const merged: number[] = [];
  const conflicts: LineConflict[] = [];
  let at = 0;
  for (const region of regionsOf(changesOf(start, one), changesOf(start, other))) {
    copy(start, at, region.at, merged);
    at = region.end;
    const mine = sideOf(region, region.ours, one);
    const yours = sideOf(region, region.theirs, other);
    if (mine === null || (yours !== null && isEqual(mine, yours))) copy(yours ?? [], 0, yours?.length ?? 0, merged);
    else if (yours === null) copy(mine, 0, mine.length, merged);
    else conflicts.push(conflictOf(region.at, mine, yours, texts));
  }
  if (conflicts.length > 0) return { content: null, conflicts };
  copy(start, at, start.length, merged);
  return { content: Buffer.from(merged.map((number) => texts[number]).join(''), 'latin1'), conflicts: null };
}

/** More different lines of a text do not fit into the memory of a process that reads repositories. */
const maxDistinctLines = 600_000;

/** Git looks for a zero byte in as many bytes. */
const searchedBytes = 8_000;

function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, searchedBytes).includes(0);
}

/** Returns the lines with their ends, with a character for each byte. */
function linesOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const lines: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from) + 1 || text.length;
    lines.push(text.slice(from, end));
    from = end;
  }
  return lines;
}

function copy(lines: readonly number[], from: number, to: number, into: number[]): void {
  for (let at = from; at < to; at += 1) into.push(lines[at] as number);
}

function isEqual(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}

type Region = { at: number; end: number; ours: Change[]; theirs: Change[] };

/** Puts changes that meet together. */
function regionsOf(ours: readonly Change[], theirs: readonly Change[]): Region[] {
  const regions: Region[] = [];
  const all = [...ours.map((change) => ({ change, isOurs: true })), ...theirs.map((change) => ({ change, isOurs: false }))];
  for (const { change, isOurs } of all.toSorted((one, other) => one.change.at - other.change.at)) {
    let region = regions.at(-1);
    if (!region || change.at > region.end) {
      region = { at: change.at, end: change.at, ours: [], theirs: [] };
      regions.push(region);
    }
    (isOurs ? region.ours : region.theirs).push(change);
    region.end = Math.max(region.end, change.at + change.count);
  }
  return regions;
}

/** Returns the lines of one side in a region; null where it has changed nothing. */
function sideOf({ at, end }: Region, changes: readonly Change[], lines: readonly number[]): number[] | null {
  const [first] = changes;
  const last = changes.at(-1);
  if (!first || !last) return null;
  return lines.slice(first.from - (first.at - at), last.from + last.length + (end - last.at - last.count));
}

const maxShownLines = 3;
const maxShownLength = 120;

/** Leaves out the lines at both ends that are the same. */
function conflictOf(at: number, ours: readonly number[], theirs: readonly number[], texts: readonly string[]): LineConflict {
  const { head, tail } = commonEnds(ours, theirs);
  const shown = (lines: readonly number[]) => {
    const own = lines.slice(head, lines.length - tail);
    const short = own.slice(0, maxShownLines).map((line) => Buffer.from((texts[line] ?? '').trimEnd(), 'latin1').toString('utf8'));
    return [...short.map((line) => line.slice(0, maxShownLength)), ...(own.length > maxShownLines ? ['…'] : [])].join('\n');
  };
  return { line: at + head + 1, ours: shown(ours), theirs: shown(theirs) };
}

function commonEnds(one: readonly number[], other: readonly number[]): { head: number; tail: number } {
  const length = Math.min(one.length, other.length);
  let head = 0;
  while (head < length && one[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < length - head && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  return { head, tail };
}

/** The most lines that differ in a part that is compared line by line, and in a part between lines that are there once. */
const maxEdits = 1_000;
const maxEditsOfPart = 300;
/** Comparisons of lines for one part, and for all parts of one text. */
const maxComparisons = 50_000_000;
const maxComparisonsOfParts = 200_000_000;

/** Returns what one side has changed, in order. Two changes have an unchanged line between them. */
function changesOf(start: readonly number[], side: readonly number[]): Change[] {
  const { head, tail } = commonEnds(start, side);
  const whole = { at: head, count: start.length - head - tail, from: head, length: side.length - head - tail };
  if (whole.count === 0 && whole.length === 0) return [];
  return slidDown(compareIn(whole, start, side, maxEdits) ?? compareParts(whole, start, side), start, side);
}

/** Compares a part line by line; null where more differs than `limit` or the part is too long. */
function compareIn(part: Change, start: readonly number[], side: readonly number[], limit: number): Change[] | null {
  const { at, count, from, length } = part;
  if (count === 0 || length === 0) return count + length === 0 ? [] : [part];
  const maxEditLength = Math.min(limit, Math.floor(maxComparisons / (count + length)));
  const found = diffArrays(start.slice(at, at + count), side.slice(from, from + length), { maxEditLength });
  if (!found) return null;
  const changes: Change[] = [];
  let place = { at, from };
  for (const { added, removed, count: lines } of found) {
    const change = { ...place, count: removed ? lines : 0, length: added ? lines : 0 };
    if (added || removed) addChange(changes, change);
    place = { at: place.at + (added ? 0 : lines), from: place.from + (removed ? 0 : lines) };
  }
  return changes;
}

function addChange(changes: Change[], change: Change): void {
  const last = changes.at(-1);
  if (last && last.at + last.count === change.at && last.from + last.length === change.from) {
    last.count += change.count;
    last.length += change.length;
  } else changes.push({ ...change });
}

/** Compares the parts between lines that both have once. A part with too many differences is replaced as a whole. */
function compareParts(whole: Change, start: readonly number[], side: readonly number[]): Change[] {
  const changes: Change[] = [];
  let left = maxComparisonsOfParts;
  let { at, from } = whole;
  const end = { at: whole.at + whole.count, from: whole.from + whole.length };
  for (const anchor of [...anchorsOf(whole, start, side), end]) {
    const part = { at, count: anchor.at - at, from, length: anchor.from - from };
    const cost = (part.count + part.length) * maxEditsOfPart;
    const found = cost <= left ? compareIn(part, start, side, maxEditsOfPart) : null;
    left -= found === null && cost > left ? 0 : cost;
    for (const change of found ?? [part]) addChange(changes, change);
    at = anchor.at + 1;
    from = anchor.from + 1;
  }
  return changes;
}

type Pair = { at: number; from: number };

/** Returns the longest row of lines that both have once, in the order of both. */
function anchorsOf({ at, count, from, length }: Change, start: readonly number[], side: readonly number[]): Pair[] {
  const places = onceIn(start, at, at + count);
  const pairs: Pair[] = [];
  for (const [line, place] of onceIn(side, from, from + length)) {
    const there = places.get(line) ?? -1;
    if (place >= 0 && there >= 0) pairs.push({ at: there, from: place });
  }
  return longestRow(pairs.toSorted((one, other) => one.from - other.from));
}

/** Returns the place of each line that is there once; -1 for one that is there more often. */
function onceIn(lines: readonly number[], from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at += 1) {
    const line = lines[at] as number;
    places.set(line, places.has(line) ? -1 : at);
  }
  return places;
}

/** Returns the longest part of the pairs whose places rise on both sides. */
function longestRow(pairs: readonly Pair[]): Pair[] {
  /** The pair that ends the best row of each length, and the one before each pair. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, { at }] of pairs.entries()) {
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as Pair).at < at) low = middle + 1;
      else high = middle;
    }
    before.push(low > 0 ? (ends[low - 1] as number) : -1);
    ends[low] = index;
  }
  const row: Pair[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] as number) row.push(pairs[index] as Pair);
  return row.reverse();
}

/** Moves what is only added or only removed as far down as it goes, as Git does: both sides then place equal lines alike. */
function slidDown(changes: readonly Change[], start: readonly number[], side: readonly number[]): Change[] {
  const slid: Change[] = [];
  for (let index = changes.length - 1; index >= 0; index -= 1) {
    const change = { ...(changes[index] as Change) };
    const next = slid.at(-1);
    const end = next ? next.at : start.length;
    const moves = () => {
      const { at, count, from, length } = change;
      if (at + count >= end) return false;
      if (count === 0) return side[from] === start[at];
      return length === 0 && start[at] === start[at + count];
    };
    while (moves()) {
      change.at += 1;
      change.from += 1;
    }
    if (next && change.at + change.count === next.at) {
      slid.pop();
      slid.push({ at: change.at, count: change.count + next.count, from: change.from, length: change.length + next.length });
    } else slid.push(change);
  }
  return slid.reverse();
}
