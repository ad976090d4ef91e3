import { median, rounded } from '../statistics.ts';
import { type Figure, meetsFloor } from './figure.ts';

/** One figure a line: medians over the repeats. */
export function mergeRepeats(repeats: Figure[][]): Figure[] {
  const groups = Map.groupBy(repeats.flat(), ({ what }) => what);
  return [...groups.values()].map((group) => {
    const last = group.at(-1) as Figure;
    const beside = last.beside?.map((other, index) => ({
      ...other,
      value: middle(group.map((figure) => figure.beside?.[index]?.value ?? Number.NaN)),
    }));
    return { ...last, value: middle(group.map(({ value }) => value)), ...(beside && { beside }) };
  });
}

export function formatFigures(figures: Figure[]): string {
  const lines = figures.map((figure) => [
    figure.what,
    `${short(figure.value)} ${figure.unit}`,
    floorText(figure),
    { true: 'met', false: 'NOT MET', null: '' }[String(meetsFloor(figure)) as 'true' | 'false' | 'null'],
    (figure.beside ?? []).map(({ name, value }) => `${short(figure.value / value)} x ${name} (${short(value)})`).join(', '),
    figure.note ?? '',
  ]);
  const head = ['what', 'figure', 'floor', '', 'beside', 'what limits it'];
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((cells) => (cells[column] ?? '').length)));
  return [head, ...lines]
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The figures as the JSON line has them. */
export function toRecord(figure: Figure): object {
  const ratios = Object.fromEntries(
    (figure.beside ?? []).map(({ name, value }) => [name, { value: rounded(value), ratio: ratio(figure.value, value) }]),
  );
  const { what, unit, value, floor, note } = figure;
  return { what, unit, value: rounded(value), floor, met: meetsFloor(figure), beside: ratios, note };
}

function floorText({ floor, beside = [] }: Figure): string {
  const own = floor === undefined ? [] : ['atLeast' in floor ? `${floor.atLeast} or more` : `${floor.atMost} at most`];
  const shares = beside.filter(({ atLeast }) => atLeast !== undefined).map(({ name, atLeast }) => `${atLeast} x ${name}`);
  return [...own, ...shares].join(', ');
}

function middle(values: number[]): number {
  return median(values) ?? Number.NaN;
}

function ratio(one: number, other: number): number {
  return Math.round((one / other) * 1_000) / 1_000;
}

function short(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(value < 0.1 ? 1 : 3)));
}
