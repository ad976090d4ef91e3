import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { scheduleWords } from '../../../src/app/triggers/schedule-words.ts';
import { translate } from '../../support/browser/translate.ts';

/** The texts of triggers, with the form of English and Russian for many. */
const textsOf = (language: 'ru' | 'en') =>
  ((key: string, values: Record<string, number> = {}) => {
    const { count } = values;
    const form =
      count === undefined ? '' : count === 1 ? '_one' : language === 'ru' && count > 4 ? '_many' : language === 'ru' ? '_few' : '_other';
    return translate(language, 'triggers', `${key}${form}`, values);
  }) as unknown as TFunction<'triggers'>;

test.each([
  ['0 9 * * 1-5', 'On working days, 09:00', 'По рабочим дням, 09:00'],
  ['30 8 * * *', 'Every day, 08:30', 'Каждый день, 08:30'],
  ['0 9 * * 1,3', 'Mon, Wed, 09:00', 'пн, ср, 09:00'],
  ['0 9 5 * *', 'Day 5 of the month, 09:00', '5-го числа месяца, 09:00'],
  ['15 */2 * * *', 'Every 2 hours, :15', 'Каждые 2 часа, :15'],
  ['*/15 * * * *', 'Every 15 minutes', 'Каждые 15 минут'],
  ['0 0 30 2 *', '0 0 30 2 *', '0 0 30 2 *'],
])('D9.07 L4.02 the schedule %s is shown as “%s”', (cron, en, ru) => {
  expect(scheduleWords(cron, textsOf('en'), 'en')).toBe(en);
  expect(scheduleWords(cron, textsOf('ru'), 'ru')).toBe(ru);
});
