import { rounded } from '../statistics.ts';
import type { Row } from './report.ts';

/** The product's limits at 10,000 nodes, on a machine on which a step over the empty canvas costs `floorPan`. */
const limits: Record<string, number> = {
  pan: 2,
  zoom: 4.5,
  drag: 3.5,
  far: 3.5,
  move: 5,
  'idle/s': 1,
  paint: 600,
  'heap MB': 30,
  'worker MB': 60,
  'pulse/s': 60,
  'run/s': 40,
  'run frame': 8,
  fold: 100,
  open: 100,
};
const limitedSize = 10_000;
const floorPan = 0.8;
/** Limits of growth: the slope of the cost's logarithm over that of the number of nodes. */
const slopeLimits: Record<string, number> = { pan: 0.1, zoom: 0.1, drag: 0.1, far: 0.3 };

export type Verdict = {
  /** How much slower than the one of the limits this machine is, by the empty canvas of the same run; null without it. */
  machine: number | null;
  /** Figures at 10,000 nodes with their limits; `scaled` to the machine of the limits. */
  limits: { name: string; figure: number; scaled: number | null; limit: number }[];
  slopes: { name: string; slope: number; limit: number }[];
  /** How many times the product's cost the peers cost. */
  timesCheaper: { n: number; than: string; figures: Record<string, number> }[];
};

/** Compares the product's rows with their limits and with the peers. */
export function verdictOf(rows: Row[]): Verdict {
  const ours = rows.filter(({ system }) => system === 'artel').toSorted((a, b) => a.n - b.n);
  const limited = ours.find(({ n }) => n === limitedSize);
  const floor = rows.find(({ system, n }) => system === 'floor' && n === limitedSize)?.figures.pan ?? null;
  const machine = floor === null ? null : floor / floorPan;
  return {
    machine: machine && rounded(machine),
    limits: Object.entries(limits).flatMap(([name, limit]) => {
      const figure = limited?.figures[name];
      if (figure === null || figure === undefined) return [];
      const isTime = !name.endsWith('MB');
      return { name, figure, scaled: machine === null ? null : rounded(isTime ? figure / machine : figure), limit };
    }),
    slopes: Object.entries(slopeLimits).flatMap(([name, limit]) => {
      const slope = slopeOf(ours.map(({ n, figures }) => [n, figures[name] ?? null]));
      return slope === null ? [] : { name, slope: rounded(slope), limit };
    }),
    timesCheaper: ours.flatMap(({ n, figures }) =>
      rows
        .filter((row) => row.n === n && row.system !== 'artel' && row.system !== 'floor')
        .map(({ system, figures: theirs }) => ({ n, than: system, figures: ratios(theirs, figures) })),
    ),
  };
}

export function formatVerdict({ machine, limits: held, slopes, timesCheaper }: Verdict): string {
  const mark = (value: number, limit: number) => (value <= limit ? 'within' : 'OVER');
  return [
    ...(machine === null ? [] : [`This machine takes ${machine} times what that of the limits takes (empty canvas, ms a step).`]),
    ...held.map(({ name, figure, scaled, limit }) => {
      const beside = scaled === null || scaled === figure ? '' : ` (${scaled} there)`;
      return `artel at 10000: ${name} ${figure}${beside}, limit ${limit}: ${mark(scaled ?? figure, limit)}`;
    }),
    ...slopes.map(({ name, slope, limit }) => `artel: ${name} grows with slope ${slope}, limit ${limit}: ${mark(slope, limit)}`),
    ...timesCheaper.map(({ n, than, figures }) => {
      const each = Object.entries(figures).map(([name, times]) => `${name} ${times}x`);
      return `artel at ${n} beside ${than}: ${each.join(', ')}`;
    }),
  ].join('\n');
}

/** The slope of a straight line through the logarithms; null for fewer than two sizes. */
function slopeOf(points: [number, number | null][]): number | null {
  const logs = points.flatMap(([n, value]) => (value ? [[Math.log(n), Math.log(value)] as const] : []));
  if (logs.length < 2) return null;
  const middle = (at: 0 | 1) => logs.reduce((sum, point) => sum + point[at], 0) / logs.length;
  const [x, y] = [middle(0), middle(1)];
  const spread = logs.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return logs.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread;
}

function ratios(theirs: Row['figures'], ours: Row['figures']): Record<string, number> {
  const names = ['pan', 'zoom', 'drag', 'far', 'move', 'paint'];
  return Object.fromEntries(
    names.flatMap((name) => (theirs[name] && ours[name] ? [[name, Math.round((theirs[name] / ours[name]) * 10) / 10]] : [])),
  );
}
