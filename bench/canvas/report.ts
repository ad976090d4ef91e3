import { median, rounded } from '../statistics.ts';
import type { Cell } from './measure-cell.ts';
import type { SystemName } from './options.ts';
import type { ScenarioName } from './scenarios.ts';

const columns: { name: string; of: (cell: Cell) => number | null | undefined; did?: (cell: Cell) => boolean | null | undefined }[] = [
  ...(['pan', 'zoom', 'drag', 'far', 'move'] as ScenarioName[]).map((name) => ({
    name,
    of: (cell: Cell) => cell.scenarios[name]?.mainMs,
    did: (cell: Cell) => cell.scenarios[name]?.did,
  })),
  { name: 'idle/s', of: (cell) => cell.idleMs },
  { name: 'paint', of: (cell) => cell.firstPaintMs },
  { name: 'heap MB', of: (cell) => cell.heapMb },
  { name: 'worker MB', of: (cell) => cell.workerHeapMb },
  { name: 'pulse/s', of: (cell) => cell.pulseMs },
  { name: 'run/s', of: (cell) => cell.crowd?.scriptMs, did: (cell) => cell.crowd && cell.crowd.changes > 20 },
  { name: 'fold', of: (cell) => cell.folds?.foldMs, did: (cell) => cell.folds?.did },
  { name: 'open', of: (cell) => cell.folds?.openMs, did: (cell) => cell.folds?.did },
  { name: 'run frame', of: (cell) => cell.crowd?.longestFrameMs },
];

/** Wall ms between frames, p50, p95 and p99. */
type Frames = (number | null)[];
export type Row = {
  system: SystemName;
  n: number;
  repeats: number;
  figures: Record<string, number | null>;
  frames: Record<string, Frames>;
  withoutEffect: string[];
};

/** One row a system and size: medians over the repeats, and the scenarios whose gesture had no effect in any of them. */
export function summarise(cells: Cell[]): Row[] {
  const groups = Map.groupBy(cells, ({ system, n }) => `${n} ${system}`);
  return [...groups.values()].map((group) => {
    const { system, n } = group[0] as Cell;
    const figures = columns.map(({ name, of }) => {
      const middle = median(group.map(of).filter((value) => value !== undefined && value !== null));
      return [name, middle === null ? null : rounded(middle)] as const;
    });
    const withoutEffect = columns.filter(({ did }) => group.some((cell) => did?.(cell) === false)).map(({ name }) => name);
    const frames = columns.flatMap(({ name, did }): [string, Frames][] => {
      const results = did ? group.flatMap((cell) => cell.scenarios[name as ScenarioName] ?? []) : [];
      if (results.length === 0) return [];
      return [
        [name, (['frameP50', 'frameP95', 'frameP99'] as const).map((share) => median(results.flatMap((result) => result[share] ?? [])))],
      ];
    });
    return {
      system,
      n,
      repeats: group.length,
      figures: Object.fromEntries(figures),
      frames: Object.fromEntries(frames),
      withoutEffect,
    };
  });
}

/** Main-thread ms a step for the gestures; `*` marks a gesture that had no effect. */
export function formatTable(rows: Row[]): string {
  const head = ['n', 'system', ...columns.map(({ name }) => name)];
  const body = rows.map(({ system, n, figures, withoutEffect }) => [
    String(n),
    system,
    ...columns.map(({ name }) => `${figures[name] ?? '-'}${withoutEffect.includes(name) ? '*' : ''}`),
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...body.map((cells) => (cells[column] ?? '').length)));
  const line = (cells: string[]) =>
    cells.map((cell, column) => (column === 1 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ');
  return [line(head), ...body.map(line)].join('\n');
}
