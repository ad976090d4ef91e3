import { expect, test } from 'vitest';
import { stepCount } from '../../../../rules/run-graph/step-count.ts';

test('D5.02 steps are counted the same everywhere: each round and item, without those that were skipped', () => {
  const steps = (['completed', 'reused', 'completed', 'failed', 'skipped', 'cancelled', 'pending'] as const).map((status) => ({ status }));
  expect(stepCount(steps)).toEqual({ total: 6, done: 3 });
  expect(stepCount([])).toEqual({ total: 0, done: 0 });
});
