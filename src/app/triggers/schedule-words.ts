import type { TFunction } from 'i18next';
import { type CronChoice, choiceOf } from './cron-choice.ts';

/** Returns a schedule in plain words: "On working days, 09:00". Five fields that no choice writes stay as they are. */
export function scheduleWords(cron: string, t: TFunction<'triggers'>, language: string): string {
  const choice = choiceOf(cron);
  return choice === null ? cron : choiceWords(choice, t, language);
}

function choiceWords(choice: CronChoice, t: TFunction<'triggers'>, language: string): string {
  switch (choice.every) {
    case 'minutes':
      return t('schedule.minutes', { count: choice.step });
    case 'hours':
      return `${t('schedule.hours', { count: choice.step })}, :${String(choice.minute).padStart(2, '0')}`;
    case 'day':
    case 'workday':
      return `${t(`schedule.everies.${choice.every}`)}, ${choice.at}`;
    case 'week':
      return `${choice.days.map((day) => weekdayName(day, 'short', language)).join(', ')}, ${choice.at}`;
    case 'month':
      return `${t('schedule.dayOfMonth', { day: choice.day })}, ${choice.at}`;
  }
}

/** Returns the name of a day of the week, which counts from Sunday. */
export function weekdayName(day: number, weekday: 'short' | 'long', language: string): string {
  // 4 January 1970 was a Sunday.
  return new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }).format(new Date(Date.UTC(1970, 0, 4 + day)));
}
