/** A line of a comparison, with its number in both versions. */
export type DiffRow =
  | { kind: 'place'; text: string }
  | { kind: 'same' | 'added' | 'removed'; text: string; before: number | null; after: number | null };

/** Splits a diff of several files into diffs of single files, in order. */
export function splitDiff(diff: string): string[] {
  return diff === '' ? [] : diff.split(/^(?=diff --git )/m);
}

/** Returns the lines of a unified diff of one file, without those outside of hunks. */
export function diffRows(diff: string): DiffRow[] {
  const rows: DiffRow[] = [];
  let before = 0;
  let after = 0;
  let inHunk = false;
  for (const line of diff.split('\n')) {
    const place = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (place) {
      [before, after] = [Number(place[1]), Number(place[2])];
      inHunk = true;
      rows.push({ kind: 'place', text: line });
    } else if (inHunk && line.startsWith('+')) rows.push({ kind: 'added', text: line.slice(1), before: null, after: after++ });
    else if (inHunk && line.startsWith('-')) rows.push({ kind: 'removed', text: line.slice(1), before: before++, after: null });
    else if (inHunk && line.startsWith(' ')) rows.push({ kind: 'same', text: line.slice(1), before: before++, after: after++ });
  }
  return rows;
}
