import { expect, test } from 'vitest';
import { compactSteps, type StepRow } from '../../../../server/modules/executions/store/rows.ts';

test('R10.01 rows of steps keep their values, and equal texts of many rows are one text', () => {
  const prompt = (at: number) => ['You are an agent', 'of a team', String(at % 1)].join(' ');
  const rows = Array.from({ length: 3 }, (_, at) => ({ stepId: `step ${at}`, systemPrompt: prompt(at), role: 'qa', provider: null }));
  const compact = compactSteps(rows as unknown as StepRow[]);
  expect(compact).toMatchObject(rows);
  expect(new Set(compact.map(({ systemPrompt }) => systemPrompt)).size).toBe(1);
});
