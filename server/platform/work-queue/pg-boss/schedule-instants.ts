import { PgBoss } from 'pg-boss';

/** Only computes: it is never started, and reaches no database. */
const calculator = new PgBoss({
  db: { executeSql: () => Promise.reject(new Error('The calculator of schedules has no database.')) },
  schedule: false,
});

/** Instants that are computed at once at most: each is found by steps, and a rare one takes milliseconds. */
const maxInstants = 1_000;
const dayMs = 86_400_000;
/** The days over which the frequency of a schedule is counted. */
const countedDays = 7;
/**
 * Zones whose clocks change by half an hour, or at a quarter to three. The library searches there for seconds, finds nothing, or goes back: the other 128 zones
 * with changes in 2026 were compared with real time.
 */
const unreadZones: ReadonlySet<string> = new Set(['Australia/Lord_Howe', 'Australia/LHI', 'Pacific/Chatham', 'NZ-CHAT']);

/** A schedule: five fields of cron, and the name of a time zone. */
export type Schedule = { cron: string; zone: string };

/**
 * Returns the next instants of a schedule in order, strictly after `from`. A time that does not exist because the clocks go forward is moved behind the gap; one
 * that exists twice is taken once. Throws for a malformed expression, for one that never comes, and for a zone that is unknown or that the library cannot read.
 */
export function instantsOf({ cron, zone }: Schedule, { from, count }: { from: Date; count: number }): Date[] {
  if (cron.split(/ +/).length !== 5) throw new RangeError('A schedule has five fields.');
  if (!isReadZone(zone)) throw new RangeError(`Schedules cannot be computed in the zone ${zone}.`);
  return calculator.previewSchedule(cron, { tz: zone, from, count: Math.min(count, maxInstants) });
}

/** Whether schedules are computed in a zone: it exists, and the library reads its changes of the clock. */
export function isReadZone(zone: string): boolean {
  try {
    return !unreadZones.has(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone);
  } catch {
    return false;
  }
}

/** Returns the instants of a schedule until a moment, `most` at most. A rare schedule has few, and each is slow to find. */
export function instantsUntil(schedule: Schedule, { from, until, most }: { from: Date; until: Date; most: number }): Date[] {
  for (let count = 1; ; count = Math.min(count * 8, most)) {
    const instants = instantsOf(schedule, { from, count });
    const last = instants.at(-1);
    if (last === undefined || last > until || instants.length < count || count === most) return instants.filter((at) => at <= until);
  }
}

/** Returns how often a schedule fires on a day, as the mean of the next seven. */
export function firesADay(schedule: Schedule, from: Date): number {
  const until = new Date(from.getTime() + countedDays * dayMs);
  const instants = instantsUntil(schedule, { from, until, most: maxInstants });
  const last = instants.at(-1);
  return last !== undefined && instants.length === maxInstants
    ? (maxInstants * dayMs) / (last.getTime() - from.getTime())
    : instants.length / countedDays;
}
