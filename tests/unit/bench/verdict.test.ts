import { expect, test } from 'vitest';
import type { SystemName } from '../../../bench/canvas/options.ts';
import type { Row } from '../../../bench/canvas/report.ts';
import { formatVerdict, verdictOf } from '../../../bench/canvas/verdict.ts';

test('figures are scaled to the machine of the limits before they are compared, and those of memory are not', () => {
  const { machine, limits } = verdictOf([
    row('floor', 10_000, { pan: 1.6 }),
    row('artel', 10_000, { pan: 3.6, 'idle/s': 3, 'heap MB': 29 }),
  ]);
  expect(machine).toBe(2);
  expect(limits).toEqual([
    { name: 'pan', figure: 3.6, scaled: 1.8, limit: 2 },
    { name: 'idle/s', figure: 3, scaled: 1.5, limit: 1 },
    { name: 'heap MB', figure: 29, scaled: 29, limit: 30 },
  ]);
  const said = formatVerdict({ machine, limits, slopes: [], timesCheaper: [] });
  expect(said).toContain('pan 3.6 (1.8 there), limit 2: within');
  expect(said).toContain('idle/s 3 (1.5 there), limit 1: OVER');
});

test('growth is the slope of the logarithms, and a peer is compared at the same size', () => {
  const { slopes, timesCheaper } = verdictOf([
    row('artel', 20_000, { pan: 4, far: 2 }),
    row('artel', 10_000, { pan: 2, far: 2 }),
    row('litegraph', 10_000, { pan: 20, far: 100 }),
  ]);
  expect(slopes).toEqual([
    { name: 'pan', slope: 1, limit: 0.1 },
    { name: 'far', slope: 0, limit: 0.3 },
  ]);
  expect(timesCheaper).toEqual([{ n: 10_000, than: 'litegraph', figures: { pan: 10, far: 50 } }]);
});

function row(system: SystemName, n: number, figures: Row['figures']): Row {
  return { system, n, repeats: 1, figures, frames: {}, withoutEffect: [] };
}
