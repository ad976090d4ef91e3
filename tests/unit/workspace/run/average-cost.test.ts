import { expect, test } from 'vitest';
import { averageCost } from '../../../../src/app/workspace/budgets/average-cost.ts';

const dollars = (micros: number) => ({ currency: 'USD', micros });

test('D4.03 what a run costs is the mean of its last runs, to two digits', () => {
  expect(averageCost({ runs: 3, total: { amounts: [dollars(1_214_000)] } }, 'en')).toBe('$0.40');
  expect(averageCost({ runs: 1, total: { amounts: [dollars(12_345)] } }, 'en')).toBe('$0.012');
  expect(averageCost({ runs: 2, total: { amounts: [dollars(24_680_000), { currency: 'RUB', micros: 7 }] } }, 'en')).toBe(
    '$12.00 + ₽0.000004',
  );
});

test('D4.03 nothing is said of a team without runs, of runs that cost nothing, and where a price is not known', () => {
  expect(averageCost({ runs: 0, total: { amounts: [] } }, 'en')).toBe(null);
  expect(averageCost({ runs: 2, total: { amounts: [] } }, 'en')).toBe(null);
  expect(averageCost({ runs: 2, total: { amounts: [dollars(400_000)], isUnknown: true } }, 'en')).toBe(null);
});
