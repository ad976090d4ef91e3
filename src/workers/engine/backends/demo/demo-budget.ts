import type { Budget } from '../../../../../contract/budget.ts';
import type { DemoRun } from './demo-run.ts';

/** The tokens that a run of the canvas with a review may use: a little more than its script needs. */
const tokenLimit = 11_000;

/** The hard limit of a run, with what its steps have used. */
export function demoBudget({ execution, steps }: DemoRun): Budget {
  const tokens = steps.reduce((sum, { usage }) => sum + (usage?.totalTokens ?? 0), 0);
  const calls = steps.filter(({ usage }) => usage !== null).length;
  return {
    id: `demo-budget-${execution.id}`,
    scope: 'run',
    span: 'run',
    tokens: tokenLimit,
    atLimit: 'ask',
    warnAt: 80,
    used: { micros: 0, tokens, calls, activeMs: 0, reservedMicros: 0, reservedTokens: 0 },
    updatedAt: execution.updatedAt,
  };
}
