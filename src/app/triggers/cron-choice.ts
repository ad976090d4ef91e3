/** A schedule in plain words. `at` is a time of the day as `09:30`; days of the week count from Sunday, which is 0. */
export type CronChoice =
  | { every: 'minutes'; step: number }
  | { every: 'hours'; step: number; minute: number }
  | { every: 'day'; at: string }
  | { every: 'workday'; at: string }
  | { every: 'week'; at: string; days: readonly number[] }
  | { every: 'month'; at: string; day: number };
export type Every = CronChoice['every'];

export const everies = ['day', 'workday', 'week', 'month', 'hours', 'minutes'] as const satisfies readonly Every[];
/** The steps that divide an hour, or a day: others would not be even. */
export const minuteSteps = [5, 10, 15, 20, 30] as const;
export const hourSteps = [1, 2, 3, 4, 6, 8, 12] as const;
/** The days of the week as they are shown. */
export const weekDays = [1, 2, 3, 4, 5, 6, 0] as const;

/** Writes a choice as five fields: `cronOf({ every: 'workday', at: '09:00' })` is `0 9 * * 1-5`. */
export function cronOf(choice: CronChoice): string {
  switch (choice.every) {
    case 'minutes':
      return `*/${choice.step} * * * *`;
    case 'hours':
      return `${choice.minute} ${choice.step === 1 ? '*' : `*/${choice.step}`} * * *`;
    case 'day':
      return `${clockOf(choice.at)} * * *`;
    case 'workday':
      return `${clockOf(choice.at)} * * 1-5`;
    case 'week':
      return `${clockOf(choice.at)} * * ${[...choice.days].sort((one, other) => one - other).join(',')}`;
    case 'month':
      return `${clockOf(choice.at)} ${choice.day} * *`;
  }
}

/** Returns the choice that five fields stand for; null for fields that none writes. `cronOf` of it means the same. */
export function choiceOf(cron: string): CronChoice | null {
  const [minute = '', hour = '', day = '', month, week = '', ...more] = cron.trim().split(/ +/);
  if (month !== '*' || more.length > 0) return null;
  const everyDay = day === '*' && week === '*';
  const step = stepOf(minute);
  if (step !== null) return everyDay && hour === '*' && minuteSteps.some((one) => one === step) ? { every: 'minutes', step } : null;
  const atMinute = numberIn(minute, 0, 59);
  if (atMinute === null) return null;
  const hours = hour === '*' ? 1 : stepOf(hour);
  if (hours !== null) return everyDay && hourSteps.some((one) => one === hours) ? { every: 'hours', step: hours, minute: atMinute } : null;
  const atHour = numberIn(hour, 0, 23);
  if (atHour === null) return null;
  const at = `${String(atHour).padStart(2, '0')}:${String(atMinute).padStart(2, '0')}`;
  if (everyDay) return { every: 'day', at };
  if (week === '*') {
    const inMonth = numberIn(day, 1, 31);
    return inMonth === null ? null : { every: 'month', at, day: inMonth };
  }
  if (day !== '*') return null;
  if (week === '1-5') return { every: 'workday', at };
  const days = week.split(',').map((one) => numberIn(one, 0, 6));
  return days.every((one) => one !== null) ? { every: 'week', at, days: [...new Set(days)] } : null;
}

/** Returns a choice of another kind, which keeps the time of the day of the one before. */
export function choiceWith(every: Every, before: CronChoice | null): CronChoice {
  const at = before !== null && 'at' in before ? before.at : '09:00';
  switch (every) {
    case 'minutes':
      return { every, step: 15 };
    case 'hours':
      return { every, step: 1, minute: 0 };
    case 'day':
    case 'workday':
      return { every, at };
    case 'week':
      return { every, at, days: [1] };
    case 'month':
      return { every, at, day: 1 };
  }
}

function clockOf(at: string): string {
  const [hour, minute] = at.split(':');
  return `${Number(minute)} ${Number(hour)}`;
}

function stepOf(field: string): number | null {
  return field.startsWith('*/') ? numberIn(field.slice(2), 1, 59) : null;
}

function numberIn(text: string, least: number, most: number): number | null {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}
