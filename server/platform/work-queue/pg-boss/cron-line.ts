import { Cron } from 'croner';

/** A line of cron that has been read. `isEveryHour`: it names no hours. */
export type CronLine = {
  /** Returns the first time after another, both as if they were of UTC (ms); null for a line that never comes again. */
  next: (localMs: number) => number | null;
  isEveryHour: boolean;
  /** The days on which it comes, as a line that comes at midnight. */
  days: string;
  /** The times at which it comes on such a day, as a line that comes on all days. */
  times: string;
};

/** The number of values, and the last value, of the five fields. */
const fields = [
  { values: 60, last: 59 },
  { values: 24, last: 23 },
  { values: 31, last: 31 },
  { values: 12, last: 12 },
  { values: 7, last: 7 },
] as const;
/** Offered instead of the time zone: the library then computes with UTC, and its own rules for changes of the clock do not apply. */
const inUtc = { utcOffset: 0, mode: '5-part', paused: true } as const;

/**
 * Reads five fields of cron. Returns null for a malformed line. A day has to fit both fields of days where one of them begins with a star, and else one of
 * them, as cron of Linux has it: `0 9 1 * 1` is the 1st and each Monday, `0 9 1-31/2 * 1` odd days and each Monday, and with a star for `1-31` the Mondays
 * among the odd days.
 */
export function readCron(cron: string): CronLine | null {
  const parts = cron.trim().split(/\s+/);
  const [minute, hour, day, month, weekday] = parts.map(explicitSteps);
  if (parts.length !== fields.length || day === undefined || weekday === undefined) return null;
  const domAndDow = day.startsWith('*') || weekday.startsWith('*');
  const line = parse([minute, hour, day, month, weekday].join(' '), domAndDow);
  if (!line) return null;
  return {
    next: (localMs) => line.nextRun(new Date(localMs))?.getTime() ?? null,
    isEveryHour: /^(?:\*|0-23)(?:\/1)?$/.test(hour ?? ''),
    days: `0 0 ${day} ${month} ${weekday}`,
    times: `${minute} ${hour} * * *`,
  };
}

function parse(pattern: string, domAndDow: boolean): Cron | null {
  try {
    return new Cron(pattern, { ...inUtc, domAndDow });
  } catch (error) {
    // The library throws both for what it cannot read.
    if (error instanceof TypeError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Writes out what the library leaves to its caller: `5/15` are steps from 5 on, and a step beyond the last value is one value. */
function explicitSteps(field: string, at: number): string {
  const { values, last } = fields[at] ?? fields[0];
  const parts = field.split(',').map((part) => {
    const [from = '', step, ...more] = part.split('/');
    if (step === undefined || more.length > 0 || !/^\d+$/.test(step)) return part;
    return `${/^\w+$/.test(from) ? `${from}-${last}` : from}/${Math.min(Number(step), values)}`;
  });
  return parts.join(',');
}
