/** A part of two texts: in both, only in the later one, or only in the earlier one. */
type WordPart = { kind: 'same' | 'added' | 'removed'; text: string };

/** Beyond so many pairs of differing words the texts are shown as replaced: the comparison costs their product. */
const maxPairs = 1_000_000;

/**
 * Compares two texts word by word. The parts that are the same or removed are the earlier text, those that are the same or added the
 * later one.
 */
export function wordDifferences(before: string, after: string): WordPart[] {
  const [from, to] = [words(before), words(after)];
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  const [left, right] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
  const middle: WordPart[] =
    left.length * right.length > maxPairs
      ? [
          { kind: 'removed', text: left.join('') },
          { kind: 'added', text: right.join('') },
        ]
      : shortestEdit(left, right);
  return joined([
    { kind: 'same', text: from.slice(0, start).join('') },
    ...middle,
    { kind: 'same', text: from.slice(from.length - end).join('') },
  ]);
}

/** Words and single signs, each with the space after it. */
function words(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+\s*|\s+|[^\p{L}\p{N}_\s]\s*/gu) ?? [];
}

/** The longest common subsequence, and what differs from it. */
function shortestEdit(left: readonly string[], right: readonly string[]): WordPart[] {
  const columns = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * columns);
  const at = (row: number, column: number) => lengths[row * columns + column] as number;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      lengths[row * columns + column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const parts: WordPart[] = [];
  let [row, column] = [0, 0];
  while (row < left.length || column < right.length) {
    if (row < left.length && column < right.length && left[row] === right[column]) {
      parts.push({ kind: 'same', text: left[row] as string });
      row += 1;
      column += 1;
    } else if (column >= right.length || (row < left.length && at(row + 1, column) >= at(row, column + 1))) {
      parts.push({ kind: 'removed', text: left[row] as string });
      row += 1;
    } else {
      parts.push({ kind: 'added', text: right[column] as string });
      column += 1;
    }
  }
  return parts;
}

function joined(parts: readonly WordPart[]): WordPart[] {
  const result: WordPart[] = [];
  for (const { kind, text } of parts) {
    const last = result.at(-1);
    if (text === '') continue;
    if (last?.kind === kind) last.text += text;
    else result.push({ kind, text });
  }
  return result;
}
