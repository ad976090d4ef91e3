/** A time span (ms); null for one that has not begun. */
export type Span = { startMs: number; endMs: number } | null;

/** Puts each item on the first line that is free when its span begins, from 0. Items that have not begun have no line. */
export function linesOfSpans<T>(items: readonly T[], spanOf: (item: T) => Span): { lines: number; lineOf: ReadonlyMap<T, number> } {
  const begun = items.flatMap((item) => {
    const span = spanOf(item);
    return span ? [{ item, ...span }] : [];
  });
  const ends: number[] = [];
  const lineOf = new Map<T, number>();
  for (const { item, startMs, endMs } of begun.sort((a, b) => a.startMs - b.startMs)) {
    const free = ends.findIndex((end) => end <= startMs);
    const line = free < 0 ? ends.length : free;
    ends[line] = endMs;
    lineOf.set(item, line);
  }
  return { lines: Math.max(1, ends.length), lineOf };
}
