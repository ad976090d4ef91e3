import { expect, test } from 'vitest';
import { runTimeline } from '../../../../src/app/workspace/console/summary/run-timeline.ts';
import { runActiveMs, runElapsedMs, runFigures, stepElapsedMs } from '../../../../src/app/workspace/run/run-figures.ts';
import { emptyRun, type RunState } from '../../../../src/model/workspace-state.ts';
import { aStep, usage } from '../../../support/engine/a-step.ts';

const run = (changes: Partial<RunState>): RunState => ({ ...emptyRun, ...changes });

test('W2.03 the run figures name the running step by its place', () => {
  const figures = runFigures(
    run({ phase: 'running', steps: [aStep('one', { status: 'completed' }), aStep('two', { status: 'running' }), aStep('three')] }),
  );
  expect(figures).toMatchObject({ total: 3, done: 1, currentNumber: 2 });
  expect(figures.current?.stepId).toBe('two');
  expect(figures.segments.map((segment) => segment.state)).toEqual(['done', 'active', 'waiting']);
});

test('R44.01 a paused run points at the step that comes next', () => {
  const figures = runFigures(run({ phase: 'paused', steps: [aStep('one', { status: 'completed' }), aStep('two')] }));
  expect(figures.current?.stepId).toBe('two');
});

test('W2.03 a failed run points at the step that failed, and what follows counts as skipped', () => {
  const figures = runFigures(
    run({ outcome: 'failed', steps: [aStep('one', { status: 'completed' }), aStep('two', { status: 'failed' }), aStep('three')] }),
  );
  expect(figures.current?.stepId).toBe('two');
  expect(figures.segments.map((segment) => segment.state)).toEqual(['done', 'failed', 'skipped']);
});

test('W2.13 the summary adds up the tokens of all steps', () => {
  const figures = runFigures(
    run({ outcome: 'completed', steps: [aStep('one', { usage: usage(1_120) }), aStep('two', { usage: usage(880) })] }),
  );
  expect(figures.totalTokens).toBe(2_000);
  expect(figures.current).toBeNull();
});

test('R25.01 a run counts as simulated as soon as one shown result is', () => {
  const planned = run({ steps: [aStep('one', { simulated: true })] });
  const written = run({ steps: [aStep('one', { simulated: true, result: 'text' })] });
  expect(runFigures(planned).simulated).toBe(false);
  expect(runFigures(written).simulated).toBe(true);
});

test('W2.03 a run under way is timed to now, an ended one to its end', () => {
  const execution = { startedAt: '2026-01-01T00:00:00.000Z', completedAt: null, failedAt: null } as RunState['execution'];
  const now = Date.parse('2026-01-01T00:01:39.000Z');
  expect(runElapsedMs({ execution }, now)).toBe(99_000);
  expect(runElapsedMs({ execution: execution && { ...execution, failedAt: '2026-01-01T00:00:10.000Z' } }, now)).toBe(10_000);
  expect(runElapsedMs({ execution: null }, now)).toBeNull();
});

test('W2.03 a clock behind the server never shows a negative time', () => {
  expect(stepElapsedMs(aStep('one', { startedAt: '2026-01-01T00:00:05.000Z' }), Date.parse('2026-01-01T00:00:00.000Z'))).toBe(0);
});

test('W2.13 the timeline keeps the real gaps between the steps', () => {
  const timeline = runTimeline(
    [
      aStep('one', { startedAt: '2026-01-01T00:00:02.000Z', completedAt: '2026-01-01T00:00:12.000Z', durationMs: 10_000 }),
      aStep('two', { startedAt: '2026-01-01T00:00:13.000Z' }),
      aStep('three'),
    ],
    '2026-01-01T00:00:00.000Z',
    Date.parse('2026-01-01T00:00:33.000Z'),
  );
  expect(timeline.totalMs).toBe(33_000);
  expect(timeline.lanes.flatMap(({ bars }) => bars).map(({ startMs, durationMs }) => [startMs, durationMs])).toEqual([
    [2_000, 10_000],
    [13_000, 20_000],
    [null, 0],
  ]);
  expect(timeline.ticksMs).toEqual([0, 10_000, 20_000, 30_000]);
});

test('G1.01 G1.04 the timeline has a lane for each card; runs of one card that overlap are on different lines of it', () => {
  const at = (seconds: number) => `2026-01-01T00:00:${String(seconds).padStart(2, '0')}.000Z`;
  const ran = (id: string, nodeId: string, from: number, to: number, more: object = {}) =>
    aStep(id, { nodeId, startedAt: at(from), completedAt: at(to), durationMs: (to - from) * 1_000, ...more });
  const { lanes } = runTimeline(
    [
      ran('a', 'one', 0, 4),
      ran('b', 'two', 1, 5, { item: 1 }),
      ran('b2', 'two', 2, 4, { item: 2 }),
      ran('b3', 'two', 5, 9, { item: 3 }),
      ran('a2', 'one', 9, 10, { round: 1 }),
    ],
    at(0),
    Date.parse(at(30)),
  );
  expect(lanes.map(({ id, lines, bars }) => [id, lines, bars.map(({ step, line }) => [step.stepId, line])])).toEqual([
    [
      'one',
      1,
      [
        ['a', 0],
        ['a2', 0],
      ],
    ],
    [
      'two',
      2,
      [
        ['b', 0],
        ['b2', 1],
        ['b3', 0],
      ],
    ],
  ]);
});

test('W2.03 after a stop the figures tell the cut-off step from the steps that were not reached', () => {
  const figures = runFigures(
    run({ outcome: 'cancelled', steps: [aStep('one', { status: 'completed' }), aStep('two', { status: 'cancelled' }), aStep('three')] }),
  );
  expect(figures.segments.map((segment) => segment.state)).toEqual(['done', 'stopped', 'skipped']);
});

test('W2.13 the time at work leaves out the pauses that the elapsed time has', () => {
  const execution = {
    startedAt: '2026-01-01T00:00:00.000Z',
    completedAt: '2026-01-01T00:10:00.000Z',
    failedAt: null,
  } as RunState['execution'];
  const steps = [aStep('one', { durationMs: 4_000 }), aStep('two', { durationMs: 6_000 }), aStep('three')];
  expect([runActiveMs({ execution, steps }, 0), runElapsedMs({ execution }, 0)]).toEqual([10_000, 600_000]);
  expect(runActiveMs({ execution: null, steps }, 0)).toBeNull();
});

test('G1.01 G2.07 the working time of parallel branches is not added up, and waiting for a person is no work', () => {
  const at = (seconds: number) => `2026-01-01T00:00:${String(seconds).padStart(2, '0')}.000Z`;
  const ran = (id: string, from: number, to: number, more: object = {}) =>
    aStep(id, { status: 'completed', startedAt: at(from), completedAt: at(to), durationMs: (to - from) * 1_000, ...more });
  const execution = { startedAt: at(0), completedAt: null, failedAt: null } as RunState['execution'];
  const branches = [ran('one', 0, 4), ran('two', 1, 5), ran('three', 2, 3), ran('join', 7, 9)];
  expect(runActiveMs({ execution, steps: branches }, Date.parse(at(30)))).toBe(7_000);
  const asked = [ran('ann', 9, 20, { kind: 'person' }), aStep('bob', { kind: 'person', status: 'waiting', startedAt: at(9) })];
  const working = aStep('last', { status: 'running', startedAt: at(20) });
  expect(runActiveMs({ execution, steps: [...branches, ...asked, working] }, Date.parse(at(30)))).toBe(17_000);
});

test('W2.03 the run figures count the steps that run at the same time, and leave out steps that no link leads to', () => {
  const statuses = ['completed', 'running', 'running', 'skipped', 'pending'] as const;
  const steps = statuses.map((status, at) => aStep(`s${at}`, { status }));
  expect(runFigures(run({ phase: 'running', steps }))).toMatchObject({ total: 4, done: 1, atWork: 2, currentNumber: 2 });
});

test('W2.03 a run of thousands of steps has at most 100 segments, and one that is at work shows in them', () => {
  const steps = Array.from({ length: 10_000 }, (_, at) => aStep(`s${at}`, { status: at === 4_321 ? 'running' : 'completed' }));
  const { segments } = runFigures(run({ phase: 'running', steps }));
  expect(segments).toHaveLength(100);
  expect(segments.map(({ state }) => state).filter((state) => state === 'active')).toHaveLength(1);
  expect(segments[43]).toMatchObject({ state: 'active', title: 's4300 – s4399' });
});

test('M2.27 a finished run says how many of its results are cut off or lack their files', () => {
  const steps = [
    aStep('one', { status: 'completed', marks: ['cut', 'noFile'] }),
    aStep('two', { status: 'reused', marks: ['cut', 'shortened'] }),
    aStep('three', { status: 'failed', marks: ['cut'] }),
    aStep('four', { status: 'completed', marks: ['fallback'] }),
  ];
  expect(runFigures(run({ outcome: 'completed', steps })).lacks).toEqual([
    { mark: 'cut', count: 2 },
    { mark: 'noFile', count: 1 },
  ]);
  expect(runFigures(run({ outcome: 'completed', steps: [aStep('four', { status: 'completed' })] })).lacks).toEqual([]);
});
