/** The rendered rows of a long list, from `first` up to `end`, and the height of the others (CSS px). */
export type RowWindow = { first: number; end: number; above: number; below: number };

/** A list with at most this many rows is rendered whole, so that the browser's search finds everything. */
const drawnWhole = 120;

/** The beginning of each row, and the end of the list (CSS px). */
export function rowOffsets(count: number, heightOf: (index: number) => number): Float64Array {
  const offsets = new Float64Array(count + 1);
  for (let index = 0; index < count; index += 1) offsets[index + 1] = (offsets[index] as number) + heightOf(index);
  return offsets;
}

/** Returns the rows in view of a box of this `height`, scrolled by `top`, and those within `margin` of it (CSS px). */
export function rowWindow(offsets: Float64Array, top: number, height: number, margin: number): RowWindow {
  const count = offsets.length - 1;
  if (count <= drawnWhole) return { first: 0, end: count, above: 0, below: 0 };
  const total = offsets[count] as number;
  // A list that has become shorter may be scrolled beyond its end.
  const from = Math.min(top, Math.max(0, total - height)) - margin;
  const first = rowAt(offsets, from);
  const end = Math.min(count, rowAt(offsets, from + height + 2 * margin) + 1);
  return { first, end, above: offsets[first] as number, below: total - (offsets[end] as number) };
}

/** Returns the row at a distance from the list's beginning; the first or last one beyond its ends. */
function rowAt(offsets: Float64Array, at: number): number {
  let low = 0;
  let high = Math.max(0, offsets.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
