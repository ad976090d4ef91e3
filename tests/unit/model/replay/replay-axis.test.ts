import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cost } from '../../../../contract/cost.ts';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import { maxIdleMs, ReplayAxis } from '../../../../src/model/replay/replay-axis.ts';
import { replayMarks, spentAlong } from '../../../../src/model/replay/replay-marks.ts';
import { recordedRun } from '../../../support/engine/recorded-run.ts';

const begin = Date.parse('2026-11-20T10:00:00.000Z');
/** Times of events, which may also go back: clocks of two nodes differ. */
const times = fc.array(fc.integer({ min: -2_000, max: 100_000 }), { minLength: 1, maxLength: 40 }).map((pauses) => {
  let time = begin;
  return pauses.map((pause) => {
    time += pause;
    return { at: new Date(time).toISOString() };
  });
});

test('G7.02 an event never lies before an earlier one on the axis, and counts as happened from its position on', () => {
  fc.assert(
    fc.property(times, fc.boolean(), (events, cutsIdle) => {
      const axis = new ReplayAxis(events, cutsIdle);
      expect(axis.eventsAt(-1)).toBe(0);
      expect(axis.eventsAt(axis.durationMs)).toBe(events.length);
      for (let event = 1; event <= events.length; event += 1) {
        expect(axis.placeOf(event)).toBeGreaterThanOrEqual(axis.placeOf(event - 1));
        expect(axis.eventsAt(axis.placeOf(event))).toBeGreaterThanOrEqual(event);
        if (axis.placeOf(event) > axis.placeOf(event - 1)) expect(axis.eventsAt(axis.placeOf(event) - 0.5)).toBeLessThan(event);
      }
    }),
  );
});

test('G7.02 without idle time no pause is longer than a second, and the time that is shown stays the real one', () => {
  fc.assert(
    fc.property(times, (events) => {
      const [whole, cut] = [new ReplayAxis(events, false), new ReplayAxis(events, true)];
      expect(cut.durationMs).toBeLessThanOrEqual(whole.durationMs);
      for (let event = 1; event <= events.length; event += 1) {
        expect(cut.placeOf(event) - cut.placeOf(event - 1)).toBeLessThanOrEqual(maxIdleMs);
        expect(cut.timeAt(cut.placeOf(event))).toBeLessThanOrEqual(whole.timeAt(whole.durationMs));
      }
      expect(cut.timeAt(cut.durationMs)).toBe(whole.timeAt(whole.durationMs));
    }),
  );
});

test('G7.02 the time that is shown runs on between two events, and goes to the next event where a pause is cut', () => {
  const axis = new ReplayAxis([{ at: new Date(begin).toISOString() }, { at: new Date(begin + 60_000).toISOString() }], false);
  expect(axis.timeAt(0)).toBe(begin);
  expect(axis.timeAt(12_345)).toBe(begin + 12_345);
  const cut = new ReplayAxis([{ at: new Date(begin).toISOString() }, { at: new Date(begin + 60_000).toISOString() }], true);
  expect(cut.timeAt(999)).toBe(begin + 999);
  expect(cut.timeAt(1_000)).toBe(begin + 60_000);
});

test('G7.03 failures, questions, edits and the most expensive step are marked, close ones of a kind together', () => {
  const { events } = recordedRun(5, 1);
  const question = { title: 'Approve' } as ExecutionEvent['question'];
  const log = events.map((event, at): ExecutionEvent => {
    if (at === 3) return { ...event, type: 'question.opened', question };
    if (at === 4) return { ...event, type: 'question.answered', question, step: event.step && { ...event.step, isEdited: true } };
    if (at === 5 || at === 7) return { ...event, type: 'step.failed' };
    return event;
  });
  const axis = new ReplayAxis(log, false);
  expect(replayMarks(log, axis).map(({ kind, event, count }) => [kind, event, count])).toEqual([
    ['question', 4, 1],
    ['edit', 5, 1],
    ['failure', 6, 1],
    ['failure', 8, 1],
    ['cost', 11, 1],
  ]);
  const close = new ReplayAxis(
    log.map((event, at) => ({ ...event, at: new Date(begin + (at === 10 ? 100_000 : at)).toISOString() })),
    false,
  );
  expect(replayMarks(log, close).find(({ kind }) => kind === 'failure')).toMatchObject({ event: 6, count: 2 });
});

test('G7.03 the curve of costs rises along the axis to the sum of all steps, with 121 points at most', () => {
  const { events } = recordedRun(200, 3);
  const axis = new ReplayAxis(events, false);
  const points = spentAlong(events, axis);
  expect(points.length).toBeLessThanOrEqual(121);
  expect(points.at(-1)?.amount).toBe(3 * (200 * 100 + (199 * 200) / 2));
  for (const [at, { amount }] of points.entries()) expect(amount).toBeGreaterThan(points[at - 1]?.amount ?? 0);
});

test('G7.03 the most expensive step is the one that has cost most; by tokens where some price is not known', () => {
  const { events } = recordedRun(5, 1);
  const withCosts = (costOf: (at: number) => Cost) =>
    events.map((event, at): ExecutionEvent => (event.step?.usage ? { ...event, step: { ...event.step, cost: costOf(at) } } : event));
  const ended = events.flatMap((event, at) => (event.step?.usage ? at : []));
  const dearestOf = (log: ExecutionEvent[]) => replayMarks(log, new ReplayAxis(log, false)).find(({ kind }) => kind === 'cost')?.event;
  const micros = (at: number) => (at === ended[0] ? 900 : 10);
  const priced = withCosts((at) => ({ amounts: [{ currency: 'USD', micros: micros(at) }] }));
  expect(dearestOf(priced)).toBe((ended[0] ?? 0) + 1);
  expect(spentAlong(priced, new ReplayAxis(priced, false)).at(-1)?.amount).toBe(900 + 10 * (ended.length - 1));
  const unknown = withCosts((at) =>
    at === ended[1] ? { amounts: [], isUnknown: true } : { amounts: [{ currency: 'USD', micros: micros(at) }] },
  );
  expect(dearestOf(unknown)).toBe((ended.at(-1) ?? 0) + 1);
});

test('G7.03 spend counts failed steps, later drafts and cut-off steps, whose cost is known after the end', () => {
  const { events } = recordedRun(4, 1);
  const [first, second, third, fourth] = events.filter(({ type }) => type === 'step.completed') as [
    ExecutionEvent,
    ExecutionEvent,
    ExecutionEvent,
    ExecutionEvent,
  ];
  const ended = (of: ExecutionEvent, type: ExecutionEvent['type'], micros: number | null, tokens: number | null): ExecutionEvent => {
    const cost = micros === null ? undefined : { amounts: [{ currency: 'USD', micros }] };
    const usage = tokens === null ? null : { promptTokens: tokens, completionTokens: 0, totalTokens: tokens };
    return { ...of, type, step: of.step && { ...of.step, usage, cost } };
  };
  const log = [
    ended(first, 'step.failed', 50, null),
    // A draft and the answer after it: the cost of a step counts its drafts, its tokens do not.
    ended(second, 'step.completed', 100, 10),
    ended(second, 'step.completed', 150, 15),
    ended(third, 'step.cancelled', 20, 2),
    ended(fourth, 'step.cancelled', null, null),
    ended(third, 'step.charged', 90, 9),
    ended(fourth, 'step.charged', 60, 6),
  ].map((event, at) => ({ ...event, seq: at + 1, at: new Date(begin + at * 1_000).toISOString() }));
  const axis = new ReplayAxis(log, false);
  expect(spentAlong(log, axis).map(({ amount }) => amount)).toEqual([50, 150, 200, 220, 290, 350]);
  expect(replayMarks(log, axis).find(({ kind }) => kind === 'cost')).toMatchObject({ event: 3 });
  const unknown = log.map((event) => ({
    ...event,
    step: event.step && { ...event.step, cost: { amounts: [], isUnknown: true as const } },
  }));
  expect(spentAlong(unknown, axis).map(({ amount }) => amount)).toEqual([10, 25, 27, 34, 40]);
});
