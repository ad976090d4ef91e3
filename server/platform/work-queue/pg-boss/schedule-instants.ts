import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { PgBoss } from 'pg-boss';

/** Only computes: it is never started, and reaches no database. */
const calculator = new PgBoss({
  db: { executeSql: () => Promise.reject(new Error('The calculator of schedules has no database.')) },
  schedule: false,
});

/** Instants that are computed at once at most: each is found by steps, and a rare one takes milliseconds. */
const maxInstants = 1_000;
/** Instants that an outlook computes before other work of the process goes on. */
const outlookChunk = 32;
/** Outlooks that are remembered. */
const maxOutlooks = 1_000;
/** A gap of a changing clock moves times by so much at most, with a margin (ms). */
const gapMs = 3 * 3_600_000;
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
  const most = Math.min(count, maxInstants);
  const preview = (after: Date, many: number) => calculator.previewSchedule(cron, { tz: zone, from: after, count: many });
  const before = new Date(from.getTime() - gapMs);
  if (offsetOf(zone, before) >= offsetOf(zone, from)) return preview(from, most);
  // From a moment behind a gap the library does not find the times that the gap has moved.
  return preview(before, most + gapMs / 60_000)
    .filter((instant) => instant > from)
    .slice(0, most);
}

/** Returns how far the clocks of a zone are ahead of UTC (minutes). */
function offsetOf(zone: string, at: Date): number {
  const format = offsetFormats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  offsetFormats.set(zone, format);
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(name) ?? [];
  return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
}
const offsetFormats = new LRUCache<string, Intl.DateTimeFormat>({ max: 600 });

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

type Outlook = { next: Date[]; firesADay: number };

/**
 * Returns the next instants of a schedule, and how often it fires on a day, as the mean of the next seven. Throws as `instantsOf` does. A rare schedule takes
 * 25 ms for each instant and a frequent one has a thousand, so other work goes on between them, however many outlooks are asked for at once. What was
 * computed in the same minute is remembered.
 */
export function outlookOf(schedule: Schedule, { from, count }: { from: Date; count: number }): Promise<Outlook> {
  const key = `${schedule.cron} ${schedule.zone} ${count} ${Math.floor(from.getTime() / 60_000)}`;
  const known = outlooks.get(key) ?? computeOutlook(schedule, { from, count });
  outlooks.set(key, known);
  return known;
}
const outlooks = new LRUCache<string, Promise<Outlook>>({ max: maxOutlooks });

/** Resolves in a turn of the event loop in which no other part of an outlook is computed. */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}
let lastTurn = Promise.resolve();

async function computeOutlook(schedule: Schedule, { from, count }: { from: Date; count: number }): Promise<Outlook> {
  const until = new Date(from.getTime() + countedDays * dayMs);
  const instants: Date[] = [];
  for (let last = from; instants.length < count || (last <= until && instants.length < maxInstants); ) {
    await ownTurn();
    // The first ones singly: they may be far apart.
    instants.push(...instantsOf(schedule, { from: last, count: instants.length < count ? 1 : outlookChunk }));
    last = instants.at(-1) ?? until;
  }
  const last = instants.at(-1) ?? until;
  const inTime = instants.filter((instant) => instant <= until).length;
  const firesADay = last <= until ? (instants.length * dayMs) / (last.getTime() - from.getTime()) : inTime / countedDays;
  return { next: instants.slice(0, count), firesADay };
}
