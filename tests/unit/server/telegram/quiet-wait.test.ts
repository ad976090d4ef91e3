import { expect, test } from 'vitest';
import { quietWaitMs } from '../../../../server/modules/telegram/quiet-wait.ts';

const minutes = (count: number) => count * 60_000;
const at = (time: string) => new Date(`2026-01-15T${time}Z`);
const night = { quietFrom: 22, quietTo: 8, timeZone: 'UTC' };

test.each([
  ['before the night', night, '21:59:59', 0],
  ['at its beginning', night, '22:00:00', minutes(600)],
  ['after midnight', night, '00:30:00', minutes(450)],
  ['a minute before its end', night, '07:59:00', minutes(1)],
  ['at its end', night, '08:00:00', 0],
  ['in another zone', { ...night, timeZone: 'Europe/Moscow' }, '19:15:00', minutes(585)],
  ['at noon of a day', { quietFrom: 12, quietTo: 14, timeZone: 'UTC' }, '13:00:00', minutes(60)],
  ['without hours', { quietFrom: null, quietTo: null, timeZone: null }, '23:00:00', 0],
  ['with an empty night', { ...night, quietTo: 22 }, '22:30:00', 0],
])('K7.06 a message waits for the end of the quiet hours: %s', (_when, hours, time, expected) => {
  expect(quietWaitMs(hours, at(time))).toBe(expected);
});
