import { expect, test } from 'vitest';
import type { StepRun } from '../../../../contract/executions/execution.ts';
import { firstSentence } from '../../../../src/app/workspace/markdown/excerpt.ts';
import { newestResult } from '../../../../src/app/workspace/run/newest-result.ts';

const step = (name: string, completedAt: string | null, result: string | null) =>
  ({ name, status: completedAt === null ? 'running' : 'completed', completedAt, result }) as StepRun;

test('D9.03 the newest result is announced by its first sentence, under the name of its card', () => {
  const steps = [step('B', '2026-01-01T00:00:02Z', 'Second.'), step('A', '2026-01-01T00:00:01Z', 'First.'), step('C', null, null)];
  expect(newestResult(steps)).toEqual({ name: 'B', result: 'Second.' });
  expect(newestResult([])).toBeNull();
  expect(firstSentence('## Plan\n\n**Bake** the bread at 9.30. Then sell it.')).toBe('Bake the bread at 9.30.');
  expect(firstSentence('No end')).toBe('No end');
});
