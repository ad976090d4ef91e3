/** The end of a text that is looked at (UTF-16 units). */
const maxTail = 4_096;
/** The shortest end that counts as a repetition, and how often its piece stands in it. */
const minRepeated = 600;
const minTimes = 4;
/** The shortest part that says the same again when it stands before it already. */
const minPart = 40;
const minAnywhere = 200;

/**
 * Whether a model repeats itself: a text ends in one piece again and again, or its last part stands before it already. Such an answer has no end, however often it
 * is continued.
 */
export function repeatsItself(parts: readonly string[]): boolean {
  const last = (parts.at(-1) ?? '').trim();
  const before = parts.slice(0, -1);
  if (last.length >= minPart && before.at(-1)?.trim() === last) return true;
  if (last.length >= minAnywhere && before.join('').includes(last)) return true;
  return endsInRepetition(parts.join('').slice(-maxTail));
}

/** By the Z-function of the reversed text: `same[period]` is how much of it is equal to itself, shifted by the period. */
function endsInRepetition(text: string): boolean {
  const length = text.length;
  if (length < minRepeated) return false;
  const at = (place: number) => text.charCodeAt(length - 1 - place);
  const same = new Uint16Array(length);
  let from = 0;
  let to = 0;
  for (let period = 1; period * minTimes <= length; period += 1) {
    let equal = period < to ? Math.min(to - period, same[period - from] ?? 0) : 0;
    while (period + equal < length && at(equal) === at(period + equal)) equal += 1;
    same[period] = equal;
    if (period + equal > to) [from, to] = [period, period + equal];
    const repeated = period + equal;
    if (repeated >= Math.max(minRepeated, period * minTimes)) return true;
  }
  return false;
}
