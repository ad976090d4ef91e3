/** A line of a comparison, with its number in either version. */
export type DiffRow =
  | { kind: 'place'; text: string }
  | { kind: 'same' | 'added' | 'removed'; text: string; before: number | null; after: number | null };

/** The diffs of single files that one of several is made of, in its order. */
export function splitDiff(diff: string): string[] {
  return diff === '' ? [] : diff.split(/^(?=diff --git )/m);
}

/** The lines of a unified diff of one file. What is no part of a hunk is left out. */
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
