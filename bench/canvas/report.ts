import { median, rounded } from '../statistics.ts';
import type { Cell } from './measure-cell.ts';
import type { SystemName } from './options.ts';
import type { ScenarioName } from './scenarios.ts';

const columns: { name: string; of: (cell: Cell) => number | undefined; did?: (cell: Cell) => boolean | undefined }[] = [
  ...(['pan', 'zoom', 'drag', 'far', 'move'] as ScenarioName[]).map((name) => ({
    name,
    of: (cell: Cell) => cell.scenarios[name]?.mainMs,
    did: (cell: Cell) => cell.scenarios[name]?.did,
  })),
  { name: 'idle/s', of: (cell) => cell.idleMs },
  { name: 'paint', of: (cell) => cell.firstPaintMs },
  { name: 'heap MB', of: (cell) => cell.heapMb },
];

export type Row = { system: SystemName; n: number; repeats: number; figures: Record<string, number | null>; withoutEffect: string[] };

/** One row a system and size: medians over the repeats, and the scenarios whose gesture had no effect in any of them. */
export function summarise(cells: Cell[]): Row[] {
  const groups = Map.groupBy(cells, ({ system, n }) => `${n} ${system}`);
  return [...groups.values()].map((group) => {
    const { system, n } = group[0] as Cell;
    const figures = columns.map(({ name, of }) => {
      const middle = median(group.map(of).filter((value) => value !== undefined));
      return [name, middle === null ? null : rounded(middle)] as const;
    });
    const withoutEffect = columns.filter(({ did }) => group.some((cell) => did?.(cell) === false)).map(({ name }) => name);
    return { system, n, repeats: group.length, figures: Object.fromEntries(figures), withoutEffect };
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
