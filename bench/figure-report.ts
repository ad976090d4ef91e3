import { type Figure, type Goal, goalValue, meetsFloor, meetsGoal } from './figure.ts';
import { formatGoal, goalRecords, goalSentences } from './goal-report.ts';
import { machine } from './machine.ts';
import { median } from './statistics.ts';

type FigureRun = {
  /** Additional fields of the line of JSON: the benchmark's name first, then its options. */
  about: { bench: string; repeats: number; quick?: boolean };
  repeats: Figure[][];
  /** Sentences about what could not be measured; any makes the exit status 1. */
  problems: string[];
  /** All goals of the benchmark: those without a figure are named too. */
  goals?: Record<string, Goal>;
  /** `performance.now()` when it began. */
  begun: number;
  /** The machine's load average before. */
  load: number;
};

/** Ends a benchmark: the table of its medians, its problems, the exit status and one line of JSON. */
export function reportFigures({ about, repeats, problems, goals = {}, begun, load }: FigureRun): void {
  const figures = mergeRepeats(repeats);
  const { bench, ...options } = about;
  console.log(
    `\nMedians of ${about.repeats}, in ${seconds(begun)} s; load of the machine before: ${load.toFixed(1)}\n\n${formatFigures(figures)}\n`,
  );
  for (const sentence of goalSentences(goals, figures)) console.log(sentence);
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
  const head = { bench, at: new Date().toISOString(), machine: { ...machine(), load }, ...options };
  console.log(JSON.stringify({ ...head, figures: figures.map(toRecord), goals: goalRecords(goals, figures), problems }));
}

/** Whole seconds since `performance.now()` was `since`. */
export function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(0);
}

/** One figure a line: medians over the repeats. */
function mergeRepeats(repeats: Figure[][]): Figure[] {
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

/** The table. The columns of goals are there if a figure has one. */
export function formatFigures(figures: Figure[]): string {
  const hasGoals = figures.some(({ goal }) => goal !== undefined);
  const lines = figures.map((figure) => [
    figure.what,
    `${short(figure.value)} ${figure.unit}`,
    floorText(figure),
    { true: 'met', false: 'NOT MET', null: '' }[String(meetsFloor(figure)) as 'true' | 'false' | 'null'],
    ...(hasGoals ? goalCells(figure) : []),
    (figure.beside ?? []).map(({ name, value }) => `${short(figure.value / value)} x ${name} (${short(value)})`).join(', '),
    figure.note ?? '',
  ]);
  const head = ['what', 'figure', 'floor', '', ...(hasGoals ? ['goal', ''] : []), 'beside', 'what limits it'];
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

function goalCells(figure: Figure): string[] {
  if (figure.goal === undefined) return ['', ''];
  const value = goalValue(figure, figure.goal);
  const verdict = meetsGoal(figure, figure.goal) ? 'reached' : `MISSED: ${short(value)}`;
  return [formatGoal(figure.goal), Number.isNaN(value) ? 'not measured' : verdict];
}

/** The figures as the JSON line has them. */
function toRecord(figure: Figure): object {
  const ratios = Object.fromEntries(
    (figure.beside ?? []).map(({ name, value }) => [name, { value: precise(value), ratio: ratio(figure.value, value) }]),
  );
  const { what, unit, value, floor, note } = figure;
  return { what, unit, value: precise(value), floor, met: meetsFloor(figure), beside: ratios, note };
}

function floorText({ floor, beside = [] }: Figure): string {
  const own = floor === undefined ? [] : ['atLeast' in floor ? `${floor.atLeast} or more` : `${floor.atMost} at most`];
  const shares = beside.flatMap(({ name, atLeast, atMost }) => [
    ...(atLeast === undefined ? [] : [`${atLeast} x ${name}`]),
    ...(atMost === undefined ? [] : [`${atMost} x ${name} at most`]),
  ]);
  return [...own, ...shares].join(', ');
}

function middle(values: number[]): number {
  return median(values) ?? Number.NaN;
}

/** Formats with six significant digits, since figures are very small or very large. */
function precise(value: number): number {
  return Number(value.toPrecision(6));
}

function ratio(one: number, other: number): number {
  return Math.round((one / other) * 1_000) / 1_000;
}

function short(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(value < 0.1 ? 1 : 3)));
}
