import fc from 'fast-check';
import { applyPatches, enablePatches, produceWithPatches } from 'immer';
import { expect, test } from 'vitest';
import { applyExecutionEvent, showExecution } from '../../../../src/model/run/apply-execution-event.ts';
import { emptyRun, type ReplayState, type RunState } from '../../../../src/model/workspace-state.ts';
import { keyframeEvery, Recording } from '../../../../src/workers/engine/replay/recording.ts';
import { showMoment } from '../../../../src/workers/engine/replay/show-moment.ts';
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

test('G7.01 the run at any moment is the same as after its events one by one, in any order of moments', () => {
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

test('G7.01 a change from one moment to another sends only what differs, and each version of a step once in the whole replay', () => {
  fc.assert(
    fc.property(fc.array(moments, { minLength: 2, maxLength: 8 }), (counts) => {
      const recording = new Recording(details, null, events);
      const { added, ...first } = recording.momentAt(events.length);
      let engine: Pick<ReplayState, 'run' | 'steps' | 'versions'> = { ...first, versions: added };
      let page = structuredClone(engine);
      let shown = events.length;
      for (const count of counts) {
        const to = recording.momentAt(count);
        const from = engine;
        const [next, patches] = produceWithPatches(from, (draft) => showMoment(draft, from, to));
        engine = next;
        page = applyPatches(page, structuredClone(patches));
        const { run, steps, versions } = page;
        expect({ ...run, steps: steps.map((place) => versions[place]) }).toEqual(after(count));
        if (count === shown) expect(patches).toEqual([]);
        shown = count;
      }
      const known = page.versions.map((step) => JSON.stringify(step));
      expect(new Set(known).size).toBe(known.length);
    }),
    { numRuns: 10 },
  );
});

test('G7.04 added events continue the recording, and known ones are left out', () => {
  const recording = new Recording({ ...details, lastSeq: 20, steps: after(20).steps }, null, events.slice(0, 20));
  expect(recording.add(events.slice(10, 30)).length).toBe(recording.lineCount(30) - recording.lineCount(20));
  expect(recording.events).toHaveLength(30);
  expect(recording.runAt(30)).toEqual(after(30));
});
