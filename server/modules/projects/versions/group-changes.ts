import type { CanvasMark, VersionCounts, VersionGroup } from '../../../../contract/canvas-version.ts';

/** A saved change without its patches. */
export type ChangeRow = {
  version: number;
  at: string;
  author: { id: string; name: string } | null;
  clientId: string | null;
  counts: VersionCounts;
  titles: string[];
  /** Only its snapshot is left, so that it stands alone. */
  isBare: boolean;
  mark: CanvasMark | null;
};

/** Changes of one author and tab belong together while the pause between two of them is at most so long (ms), and all of them so long. */
const maxPauseMs = 5 * 60_000;
const maxLengthMs = 30 * 60_000;
const maxTitles = 3;

/** Groups changes, newest first. A marked version is the newest of its group, and a day ends a group (UTC). */
export function groupChanges(changes: readonly ChangeRow[]): VersionGroup[] {
  const groups: { group: VersionGroup; last: ChangeRow }[] = [];
  for (const change of changes) {
    const open = groups.at(-1);
    if (open && belongs(change, open.last, open.group)) {
      open.group.from = change.version - 1;
      open.group.changes += 1;
      open.group.since = change.at;
      open.group.counts = sum(open.group.counts, change.counts);
      open.group.titles = [...new Set([...open.group.titles, ...change.titles])].slice(0, maxTitles);
      open.last = change;
    } else groups.push({ group: single(change), last: change });
  }
  return groups.map(({ group }) => group);
}

function belongs(change: ChangeRow, later: ChangeRow, group: VersionGroup): boolean {
  if (change.mark || change.isBare || later.isBare || change.version !== later.version - 1) return false;
  if (change.author?.id !== later.author?.id || change.clientId !== later.clientId) return false;
  const isSameDay = change.at.slice(0, 10) === later.at.slice(0, 10);
  const at = Date.parse(change.at);
  return isSameDay && Date.parse(later.at) - at <= maxPauseMs && Date.parse(group.at ?? change.at) - at <= maxLengthMs;
}

function single({ version, at, author, counts, titles, mark }: ChangeRow): VersionGroup {
  return { version, from: version - 1, changes: 1, since: at, at, author, counts, titles: titles.slice(0, maxTitles), mark };
}

function sum(a: VersionCounts, b: VersionCounts): VersionCounts {
  const all = Object.entries(a).map(([key, value]) => [key, value + b[key as keyof VersionCounts]]);
  return Object.fromEntries(all) as VersionCounts;
}
