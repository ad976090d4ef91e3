import fc from 'fast-check';
import { applyPatches, enablePatches, produceWithPatches } from 'immer';
import { expect, test } from 'vitest';
import type { StepRun } from '../../../../contract/executions/execution.ts';
import type { ChangedStep, ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import { applyExecutionEvent, showExecution } from '../../../../src/model/run/apply-execution-event.ts';
import { emptyRun, type ReplayState, type RunState } from '../../../../src/model/workspace-state.ts';
import { keyframeEvery, Recording } from '../../../../src/workers/engine/replay/recording.ts';
import { showMoment } from '../../../../src/workers/engine/replay/show-moment.ts';
import { recordedRun } from '../../../support/engine/recorded-run.ts';
import { uuid } from '../../../support/engine/samples.ts';

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

test('G7.01 the kept steps of a fork are there with their results at every moment, as its first event names them', () => {
  const isKept = ({ orderIndex, round = 0 }: StepRun) => orderIndex < 8 || round === 0;
  const kept = details.steps.filter(isKept).map((step): StepRun => {
    const { stepId, result, provider, model, pipelineStepId, round, item } = step;
    const reusedFrom = { executionId: uuid(9, 4), stepId };
    return { ...notBegun(step), ...{ result, provider, model, reusedFrom, pipelineStepId, round, item }, status: 'reused' };
  });
  const changedSteps = kept.map(
    ({ stepId, pipelineStepId = stepId, round = 0, item = 0, status }): ChangedStep => ({ stepId, pipelineStepId, round, item, status }),
  );
  const beginning: ExecutionEvent = { ...(events[0] as ExecutionEvent), type: 'step.reused', status: 'pending', changedSteps };
  const later = events.filter(({ step, changedSteps: added }) => !added && (step === null || !isKept(step)));
  const log = [beginning, ...later].map((event, index) => ({ ...event, seq: index + 1 }));
  const steps = [...kept, ...details.steps.filter((step) => !isKept(step))];
  const recording = new Recording({ ...details, steps, lastSeq: log.length }, null, log);
  for (const count of [1, 2, keyframeEvery + 1, log.length]) {
    const shown = new Map(recording.runAt(count).steps.map((step) => [step.stepId, step]));
    for (const { stepId, status, result, model, reusedFrom } of kept)
      expect(shown.get(stepId)).toMatchObject({ status, result, model, reusedFrom });
    if (count === 1) expect([...shown.values()].filter((step) => !isKept(step) && step.status !== 'pending')).toEqual([]);
  }
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

function notBegun({ stepId, orderIndex, name, agentId, nodeId, role }: StepRun): StepRun {
  return {
    ...{ stepId, orderIndex, name, agentId, nodeId, role, status: 'pending', attempts: 0, startedAt: null, completedAt: null },
    ...{ durationMs: null, provider: null, model: null, simulated: false, usage: null, result: null, error: null },
  };
}
