import { expect, test } from 'vitest';
import type { StepRun } from '../../../../contract/executions/execution.ts';
import { namesAtWork } from '../../../../src/app/workspace/run/names-at-work.ts';

const step = (name: string, status: StepRun['status'] = 'running') => ({ name, status }) as StepRun;

test('D9.03 cards at work are read out by name, each once, and beyond four by the number of names', () => {
  expect(namesAtWork([step('Ann'), step('Bob', 'pending'), step('Cid')])).toBe('Ann, Cid');
  const items = ['Ann', 'Bob', 'Cid', 'Dan', 'Eve', 'Eve', 'Eve', 'Fay'].map((name) => step(name));
  expect(namesAtWork(items)).toBe('Ann, Bob, Cid, Dan, +2');
});
