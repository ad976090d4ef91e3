import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { instantsOf, instantsUntil, outlookOf } from '../../../../server/platform/work-queue/pg-boss/schedule-instants.ts';

/** Zones with both changes of the clock within a year, at several hours, and two without any. */
const zones = [
  'Europe/Berlin',
  'Europe/London',
  'Europe/Chisinau',
  'America/New_York',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Havana',
  'Australia/Sydney',
  'Pacific/Auckland',
  'Asia/Jerusalem',
  'Europe/Moscow',
  'Asia/Kathmandu',
  // Their clocks change by half an hour, and at a quarter to three.
  'Australia/Lord_Howe',
  'Pacific/Chatham',
];
const from = new Date('2026-01-01T00:00:00.000Z');
describe.each(zones)('a year in %s', (zone) => {
  const days = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
  const times = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });

  test.each(['30 0 * * *', '30 1 * * *', '30 2 * * *', '30 3 * * *', '0 9 * * *'])('L2.03 %s comes once on each day', (cron) => {
    const instants = instantsOf({ cron, zone }, { from, count: 365 });
    expect(new Set(instants.map((instant) => days.format(instant))).size).toBe(365);
    const [hour, minute] = [cron.split(' ')[1]?.padStart(2, '0'), cron.split(' ')[0]?.padStart(2, '0')];
    const moved = instants.filter((instant) => times.format(instant) !== `${hour}:${minute}`);
    // Only the day on which the clocks go forward over this time moves it.
    expect(moved.length).toBeLessThanOrEqual(1);
  });

  test('L2.03 a quarter of an hour comes at real time through both changes: none is missing and none comes twice', () => {
    const starts = ['2026-03-07', '2026-03-28', '2026-04-04', '2026-09-26', '2026-10-03', '2026-10-24', '2026-10-31'];
    for (const start of starts) {
      const instants = instantsOf({ cron: '*/15 * * * *', zone }, { from: new Date(`${start}T12:00:00Z`), count: 192 });
      const gaps = new Set(instants.slice(1).map((instant, at) => instant.getTime() - (instants[at]?.getTime() ?? 0)));
      expect([...gaps]).toEqual([15 * 60_000]);
    }
  });
});

test('L2.03 a time that does not exist is moved behind the gap; one that exists twice comes once', () => {
  const at = (cron: string, start: string) =>
    instantsOf({ cron, zone: 'Europe/Berlin' }, { from: new Date(start), count: 2 }).map((instant) => instant.toISOString());
  expect(at('30 2 * * *', '2026-03-28T12:00:00Z')).toEqual(['2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z']);
  expect(at('30 2 * * *', '2026-10-24T12:00:00Z')).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
});

test('L2.02 schedules in a zone that is unknown are refused, and the field is named', () => {
  expect(() => instantsOf({ cron: '0 9 * * *', zone: 'Nowhere/Land' }, { from, count: 1 })).toThrow(
    expect.objectContaining({ field: 'zone' }),
  );
});

const next = (cron: string, zone: string, count: number, start = '2026-11-30T12:00:00Z') =>
  instantsOf({ cron, zone }, { from: new Date(start), count }).map((instant) => instant.toISOString().slice(0, 16));

test.each([
  ['30 2 28 * *', 'Europe/Berlin', '2027-03-28T01:30'],
  ['30 2 28 3 *', 'Europe/Berlin', '2027-03-28T01:30'],
  ['30 2 27-29 3 *', 'Europe/Berlin', '2027-03-28T01:30'],
  ['30 2 * 3 0L', 'Europe/Berlin', '2027-03-28T01:30'],
  ['30 2 14 3 *', 'America/New_York', '2027-03-14T07:30'],
  ['30 2 14 * *', 'America/New_York', '2027-03-14T07:30'],
  ['30 1 28 3 *', 'Europe/London', '2027-03-28T01:30'],
  ['0 0 5 9 *', 'America/Santiago', '2027-09-05T04:00'],
  ['30 2 3 10 *', 'Australia/Sydney', '2027-10-02T16:30'],
  ['15 2 3 10 *', 'Australia/Lord_Howe', '2027-10-02T15:45'],
])('L2.03 the schedule %s in %s comes on the day whose clocks leave its time out', (cron, zone, moved) => {
  expect(next(cron, zone, 5)).toContain(moved);
});

test('L2.03 times that the clocks leave out come in the order of their instants, each once', () => {
  const behind = ['2026-03-29T01:00', '2026-03-29T01:45', '2026-03-30T00:00', '2026-03-30T00:45'];
  expect(next('0,45 2-3 * * *', 'Europe/Berlin', 4, '2026-03-28T12:00:00Z')).toEqual(behind);
});

test.each([
  ['0 14 */10 * 1-5', 'a day of both fields, since one begins with a star', ['2026-12-01T14:00', '2026-12-11T14:00', '2026-12-21T14:00']],
  ['0 14 1 * */6', 'a day of both fields, since one begins with a star', ['2027-05-01T14:00', '2027-08-01T14:00', '2028-01-01T14:00']],
  ['0 10 10-20 * 1', 'a day of one of both fields', ['2026-12-07T10:00', '2026-12-10T10:00', '2026-12-11T10:00']],
  ['0 9 1 * *', 'a day of the only field', ['2026-12-01T09:00', '2027-01-01T09:00', '2027-02-01T09:00']],
])('L2.02 the schedule %s comes on %s', (cron, _, instants) => {
  expect(next(cron, 'UTC', 3)).toEqual(instants);
});

test.each([
  ['5/20 * * * *', ['12:05', '12:25', '12:45']],
  ['*/90 * * * *', ['13:00', '14:00', '15:00']],
  ['0 0 * * 1/2', ['00:00', '00:00', '00:00']],
])('L2.02 the steps of %s are read, as those of stored schedules', (cron, times) => {
  expect(next(cron, 'UTC', 3).map((at) => at.slice(11))).toEqual(times);
});
test('L2.02 steps from a weekday on end with Sunday', () => {
  expect(next('0 0 * * MON/2', 'UTC', 4)).toEqual(['2026-12-02T00:00', '2026-12-04T00:00', '2026-12-06T00:00', '2026-12-07T00:00']);
});

test('L2.05 the late instants of a schedule end with the moment that is given', () => {
  const found = instantsUntil({ cron: '30 2 28 * *', zone: 'Europe/Berlin' }, { from, until: new Date('2027-03-28T01:30:00Z'), most: 500 });
  expect(found).toHaveLength(15);
  expect(found.at(-1)).toEqual(new Date('2027-03-28T01:30:00Z'));
});

test('L2.04 the fires of a day are counted, also for rare and for frequent schedules', async () => {
  const count = async (cron: string) => (await outlookOf({ cron, zone: 'UTC' }, { from, count: 5 })).firesADay;
  expect(await count('* * * * *')).toBeCloseTo(1_440, 0);
  expect(await count('0 * * * *')).toBeCloseTo(24, 0);
  expect(await count('0 9 * * 1-5')).toBeCloseTo(5 / 7, 2);
  expect(await count('0 9 1 * *')).toBeCloseTo(12 / 365, 3);
  expect(await count('0 9 1 1 *')).toBeCloseTo(1 / 365, 4);
  expect(await count('0 0 29 2 *')).toBeCloseTo(1 / 1_461, 5);
  expect(await count('0 0 29 2 1#5')).toBeGreaterThan(0);
  expect(await count('*/10 * 1 * *')).toBeCloseTo((144 * 12) / 365, 1);
});

test('L2.04 while the outlook of a rare or a frequent schedule is computed, other work goes on, and a second one is remembered', async () => {
  for (const cron of ['0 0 * 2 1#5', '0 0 30 2 1#5', '* * * * *']) {
    const schedule = { cron, zone: 'America/St_Johns' };
    let turns = 0;
    let isOver = false;
    const others = (async () => {
      for (; !isOver; turns += 1) await nextTurn();
    })();
    const outlook = await outlookOf(schedule, { from, count: 5 });
    isOver = true;
    await others;
    expect(turns, cron).toBeGreaterThanOrEqual(5);
    expect(outlook.next).toEqual(instantsOf(schedule, { from, count: 5 }));
    expect(await outlookOf(schedule, { from, count: 5 })).toBe(outlook);
  }
});

test('L2.04 R19.01 of twenty outlooks at once one instant is computed in a turn of the event loop, so that other work comes between', async () => {
  const [outlooks, instants] = [20, 5];
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns += 1) await nextTurn();
  })();
  const schedules = Array.from({ length: outlooks }, (_, at) => ({ cron: `${at + 1} 0 * 2 1#5`, zone: 'America/St_Johns' }));
  await Promise.all(schedules.map((schedule) => outlookOf(schedule, { from, count: instants })));
  isOver = true;
  await others;
  expect(turns).toBeGreaterThanOrEqual(outlooks * instants);
});

test.each(['Europe/Berlin', 'America/St_Johns', 'Pacific/Auckland'])(
  'L2.03 in %s each instant leads to the one that a preview shows after it',
  (zone) => {
    const [cron, starts] = ['*/30 2 * * *', ['2026-03-05', '2026-03-26', '2026-09-23', '2026-10-22', '2026-10-29']];
    for (const start of starts) {
      const shown = instantsOf({ cron, zone }, { from: new Date(`${start}T12:00:00Z`), count: 12 });
      const fired = shown.slice(0, -1).map((at) => instantsOf({ cron, zone }, { from: at, count: 1 })[0]);
      expect(fired).toEqual(shown.slice(1));
    }
  },
);

test.each(['0 0 31 2 *', '99 9 * * 1', '0 9 * *', 'nonsense'])('L2.02 the schedule %s is refused', (cron) => {
  expect(() => instantsOf({ cron, zone: 'UTC' }, { from, count: 1 })).toThrow();
});
