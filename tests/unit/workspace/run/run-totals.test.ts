import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StepRun } from '../../../../contract/executions/execution.ts';
import { countSteps, runTotals } from '../../../../src/app/workspace/run/run-totals.ts';
import { aStep, usage } from '../../../support/engine/a-step.ts';

const statuses: StepRun['status'][] = ['pending', 'waiting', 'running', 'completed', 'failed', 'cancelled', 'skipped'];

const change = fc.record({
  at: fc.nat(999),
  status: fc.constantFrom(...statuses),
  tokens: fc.nat(50),
  durationMs: fc.option(fc.nat(1_000)),
  begun: fc.boolean(),
  simulated: fc.boolean(),
});

test('W2.03 the figures of a run that changes step by step are those of its steps read anew', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(0, 1, 7, 100, 101, 1_000),
      fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 12 }),
      (length, rounds) => {
        let steps = Array.from({ length }, (_, at) => aStep(`s${at}`));
        expect(runTotals(steps)).toEqual(countSteps(steps));
        for (const changes of rounds) {
          steps = [...steps];
          for (const { at, status, tokens, durationMs, begun, simulated } of length > 0 ? changes : []) {
            const startedAt = begun ? '2026-01-01T00:00:00.000Z' : null;
            steps[at % length] = aStep(`s${at % length}`, { status, usage: usage(tokens), durationMs, startedAt, simulated, result: 'x' });
          }
          expect(runTotals(steps)).toEqual(countSteps(steps));
        }
      },
    ),
  );
});
