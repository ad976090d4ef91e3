import { expect, test } from 'vitest';
import type { StepRun } from '../../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import {
  lacksFinalAnswer,
  stepWithoutAnswer,
  withAnswer,
  withoutAnswer,
} from '../../../../server/modules/executions/store/stored-events.ts';

const step: StepRun = {
  ...{ stepId: 's', orderIndex: 0, name: 'QA', agentId: 'a', nodeId: null, role: 'QA', status: 'completed', attempts: 1 },
  ...{ startedAt: null, completedAt: null, durationMs: 5, provider: null, model: null, simulated: true, usage: null },
  ...{ result: 'The answer', error: null },
};
const base = { executionId: 'e', seq: 1, at: '2026-11-20T12:00:00.000Z', status: 'running', pauseRequested: false, progress: 0 } as const;
const stepCompleted: ExecutionEvent = { ...base, type: 'step.completed', step, text: null, error: null };
const completed: ExecutionEvent = { ...base, type: 'execution.completed', step: null, text: 'The answer', error: null };
const added: ExecutionEvent = { ...base, type: 'context.added', step: null, text: 'More', error: null };
const answers = { ofSteps: new Map([['s', 'The answer']]), final: 'The answer' };

test('W7.06 an event is stored without its answer, and gets the answer of its step or execution when it is read', () => {
  for (const event of [stepCompleted, completed]) {
    expect(JSON.stringify(withoutAnswer(event))).not.toContain('The answer');
    expect(withAnswer(withoutAnswer(event), answers)).toEqual(event);
  }
  expect(stepWithoutAnswer(withoutAnswer(stepCompleted))).toBe('s');
  expect(lacksFinalAnswer(withoutAnswer(completed))).toBe(true);
});

test('W7.06 an event of an earlier version keeps the answer that is stored in it, and other events keep their text', () => {
  const others = { ofSteps: new Map([['s', 'Another']]), final: 'Another' };
  for (const event of [stepCompleted, completed, added]) expect(withAnswer(event, others)).toEqual(event);
  expect(withoutAnswer(added)).toEqual(added);
  expect([stepWithoutAnswer(stepCompleted), lacksFinalAnswer(completed), lacksFinalAnswer(added)]).toEqual([null, false, false]);
});
