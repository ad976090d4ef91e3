import { expect, test } from 'vitest';
import { cronText } from '../../../contract/trigger.ts';
import { type CronChoice, choiceOf, choiceWith, cronOf, everies, hourSteps, minuteSteps } from '../../../src/app/triggers/cron-choice.ts';
import { forecastSpan } from '../../../src/app/triggers/forecast-span.ts';

const choices: [string, CronChoice][] = [
  ['30 9 * * *', { every: 'day', at: '09:30' }],
  ['0 9 * * 1-5', { every: 'workday', at: '09:00' }],
  ['5 18 * * 0,1,6', { every: 'week', at: '18:05', days: [0, 1, 6] }],
  ['0 0 31 * *', { every: 'month', at: '00:00', day: 31 }],
  ...minuteSteps.map((step): [string, CronChoice] => [`*/${step} * * * *`, { every: 'minutes', step }]),
  ...hourSteps.map((step): [string, CronChoice] => [`7 ${step === 1 ? '*' : `*/${step}`} * * *`, { every: 'hours', step, minute: 7 }]),
];

test.each(choices)('L4.03 a plain choice writes %s, and is read from it', (cron, choice) => {
  expect(cronOf(choice)).toBe(cron);
  expect(choiceOf(cron)).toEqual(choice);
  expect(cronText.safeParse(cron).success).toBe(true);
});

test('L4.03 the order of days and spaces between fields do not matter', () => {
  expect(cronOf({ every: 'week', at: '09:00', days: [6, 0, 3] })).toBe('0 9 * * 0,3,6');
  expect(choiceOf('  0   9 * *  6,3,3 ')).toEqual({ every: 'week', at: '09:00', days: [6, 3] });
});

test.each([
  '',
  '0 9 * *',
  '0 9 * * * *',
  '0 9 1 * 1',
  '0 9 * 2 *',
  '*/7 * * * *',
  '*/15 9 * * *',
  '0 */5 * * *',
  '0 */2 * * 1',
  '60 9 * * *',
  '0 24 * * *',
  '0 9 0 * *',
  '0 9 32 * *',
  '0 9 * * 7',
  '0 9 * * MON',
  '0 9 L * *',
  '0-5 9 * * *',
  '0 9,10 * * *',
  '* * * * *',
  '0 9 * * 1,',
])('L4.03 the fields "%s" stay as they are typed', (cron) => {
  expect(choiceOf(cron)).toBeNull();
});

test.each(everies)('L4.03 the choice "%s" keeps the time of the day of the choice before', (every) => {
  const next = choiceWith(every, { every: 'month', at: '17:45', day: 3 });
  expect(choiceOf(cronOf(next))).toEqual(next);
  if ('at' in next) expect(next.at).toBe('17:45');
  expect(choiceOf(cronOf(choiceWith(every, null)))).not.toBeNull();
});

test.each([
  [24, 'day', 24],
  [5 / 7, 'day', 5 / 7],
  [1 / 7, 'month', 4.35],
  [12 / 365.25, 'month', 1],
  [1 / 365.25, 'year', 1],
  [1 / 1_461, 'year', 0.25],
])('L4.04 a schedule with %d fires on a day has a forecast by %s', (firesADay, name, fires) => {
  expect(forecastSpan(firesADay)).toEqual({ name, fires: expect.closeTo(fires, 2) });
});

test.each([
  ['@daily', '0 0 * * *'],
  [' @Hourly ', '0 * * * *'],
  ['0\t9\t*  * 1-5', '0 9 * * 1-5'],
])('L2.01 the schedule %j is %s', (given, cron) => {
  expect(cronText.parse(given)).toBe(cron);
});

test.each(['@reboot', '@often', '0 9 * *', '0 9 * * * *', 'H 9 * * *'])('L2.02 the schedule %s is refused before it is sent', (cron) => {
  expect(cronText.safeParse(cron).success).toBe(false);
});
