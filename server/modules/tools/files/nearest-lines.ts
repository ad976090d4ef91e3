/** The most lines that are named, that are compared, and the most characters of a line that count. */
const maxNamed = 5;
const maxCompared = 50_000;
const maxLength = 200;
/** Lines with less in common are not near (share of pairs of characters). */
const leastNear = 0.5;

/**
 * Returns the lines of a text that are most like a text that does not occur in it, with their numbers, in order. The longest line of that text stands
 * for it. Spaces around a line do not count.
 */
export function nearestLines(text: string, sought: string): { line: number; text: string }[] {
  const wanted = sought
    .slice(0, maxLength * 100)
    .split('\n')
    .map((line) => line.trim().slice(0, maxLength))
    .reduce((longest, line) => (line.length > longest.length ? line : longest), '');
  if (wanted === '') return [];
  const pairs = pairsOf(wanted);
  const found: { line: number; text: string; near: number }[] = [];
  let from = 0;
  for (let line = 1; line <= maxCompared && from <= text.length; line += 1) {
    const feed = text.indexOf('\n', from);
    const end = feed < 0 ? text.length : feed;
    const own = text.slice(from, Math.min(end, from + maxLength)).trim();
    const near = own === wanted ? 1 : nearness(pairs, wanted.length - 1, own);
    if (near >= leastNear) found.push({ line, text: own, near });
    from = end + 1;
  }
  return found
    .toSorted((a, b) => b.near - a.near || a.line - b.line)
    .slice(0, maxNamed)
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, text: own }) => ({ line, text: own }));
}

function pairsOf(line: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < line.length; at += 1) {
    const pair = line.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** The share of pairs of characters that two lines have in common (Dice). */
function nearness(pairs: ReadonlyMap<string, number>, count: number, line: string): number {
  const all = count + line.length - 1;
  // Lines of very different lengths cannot be near.
  if (line.length < 2 || count < 1 || (2 * Math.min(count, line.length - 1)) / all < leastNear) return 0;
  let common = 0;
  for (const [pair, times] of pairsOf(line)) common += Math.min(times, pairs.get(pair) ?? 0);
  return (2 * common) / all;
}
