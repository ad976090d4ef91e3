import fc from 'fast-check';
import { applyPatches, enablePatches, produceWithPatches } from 'immer';
import { expect, test } from 'vitest';
import { applyExecutionEvent, showExecution } from '../../../../src/model/run/apply-execution-event.ts';
import { emptyRun, type RunState } from '../../../../src/model/workspace-state.ts';
import { changeRun } from '../../../../src/workers/engine/replay/change-run.ts';
import { keyframeEvery, Recording } from '../../../../src/workers/engine/replay/recording.ts';
import { recordedRun } from '../../../support/engine/recorded-run.ts';

enablePatches();

/** A run of more than three keyframes. */
const { details, events } = recordedRun(16, 20);
const moments = fc.integer({ min: 0, max: events.length });

/** The run after some events, which were applied one after the other. */
function after(count: number): RunState {
  const run = structuredClone(new Recording(details, null, events).runAt(0));
  for (const event of events.slice(0, count)) applyExecutionEvent(run, event);
  return run;
}

test('G7.01 the run at any moment is the same as after its events one by one, in whatever order moments are shown', () => {
  expect(events.length).toBeGreaterThan(3 * keyframeEvery);
  const recording = new Recording(details, null, events);
  fc.assert(
    fc.property(fc.array(moments, { minLength: 1, maxLength: 6 }), (counts) => {
      for (const count of counts) expect(recording.runAt(count)).toEqual(after(count));
    }),
    { numRuns: 8 },
  );
});

test('G7.01 the last moment is the run as it ended, and the first one has not begun', () => {
  const recording = new Recording(details, null, events);
  const ended = structuredClone(emptyRun);
  showExecution(ended, structuredClone(details));
  expect(recording.runAt(events.length)).toEqual({ ...ended, execution: { ...ended.execution, updatedAt: events.at(-1)?.at } });
  const first = recording.runAt(0);
  expect(first.phase).toBe('starting');
  expect(first.steps.map(({ status }) => status)).toEqual(Array(16).fill('pending'));
});

test('G7.01 a step without an event, as one that another run has done, is there from the start', () => {
  const [done] = details.steps;
  const log = events.filter(({ step }) => step?.stepId !== done?.stepId);
  const recording = new Recording(details, null, log);
  expect(recording.runAt(1).steps.filter(({ status }) => status === 'completed')).toEqual([done]);
});

test('G7.01 a change from one moment to another sends only what differs', () => {
  const recording = new Recording(details, null, events);
  fc.assert(
    fc.property(moments, moments, (left, right) => {
      const [from, to] = [recording.runAt(left), recording.runAt(right)];
      const [, patches] = produceWithPatches(from, (draft) => changeRun(draft as RunState, from, to));
      expect(applyPatches(from, structuredClone(patches))).toEqual(to);
      if (left === right) expect(patches).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

test('G7.04 added events continue the recording, and known ones are left out', () => {
  const recording = new Recording({ ...details, lastSeq: 20, steps: after(20).steps }, null, events.slice(0, 20));
  expect(recording.add(events.slice(10, 30)).length).toBe(recording.lineCount(30) - recording.lineCount(20));
  expect(recording.events).toHaveLength(30);
  expect(recording.runAt(30)).toEqual(after(30));
});
