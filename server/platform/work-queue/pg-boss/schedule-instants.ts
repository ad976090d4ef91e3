import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type CronLine, readCron } from './cron-line.ts';
import { instantsAt, isZone, offsetAt } from './zone-clock.ts';

/** Instants that are computed at once at most. */
const maxInstants = 1_000;
/** Times that an outlook counts before other work of the process goes on. */
const countedAtOnce = 32;
/** Outlooks that are remembered. */
const maxOutlooks = 1_000;
/** A change of the clock moves times by so much at most, with a margin (ms). */
const maxShiftMs = 3 * 3_600_000;
const dayMs = 86_400_000;
/** The days over which the frequency of a schedule is counted: four years, so that a leap day is one of them. */
const countedDays = 1_461;

/** A schedule: five fields of cron, and the name of a time zone. */
export type Schedule = { cron: string; zone: string };

/** Thrown for a schedule that is wrong: a malformed line, one that never comes (both `cron`), or an unknown zone. Anything else that is thrown is a bug. */
export class WrongSchedule extends RangeError {
  readonly field: 'cron' | 'zone';

  constructor({ cron, zone }: Schedule, field: 'cron' | 'zone') {
    super(field === 'cron' ? `The schedule ${cron} never comes, or is none.` : `The time zone ${zone} is unknown.`);
    this.field = field;
  }
}

/**
 * Returns the next instants of a schedule in order, strictly after `from`. A time that does not exist because the clocks go forward is moved behind the gap; one
 * that exists twice is taken once, unless the schedule comes in every hour. Throws `WrongSchedule`.
 */
export function instantsOf(schedule: Schedule, { from, count }: { from: Date; count: number }): Date[] {
  return [...take(instantsAfter(schedule, from), Math.min(count, maxInstants))];
}

/** Returns the instants of a schedule until a moment, `most` at most. Throws `WrongSchedule`. */
export function instantsUntil(schedule: Schedule, { from, until, most }: { from: Date; until: Date; most: number }): Date[] {
  const found: Date[] = [];
  for (const instant of take(instantsAfter(schedule, from), most)) {
    if (instant > until) break;
    found.push(instant);
  }
  return found;
}

function* take<T>(values: Iterable<T>, most: number): Generator<T> {
  let left = most;
  if (left <= 0) return;
  for (const value of values) {
    yield value;
    left -= 1;
    if (left <= 0) return;
  }
}

/** Yields the instants of a schedule. Each is computed when it is asked for. */
function* instantsAfter(schedule: Schedule, from: Date): Generator<Date> {
  const line = readSchedule(schedule);
  let last = from.getTime();
  for (const instant of inOrder(schedule.zone, line, from.getTime())) {
    // Two times may be moved to the same instant.
    if (instant <= last) continue;
    last = instant;
    yield new Date(instant);
  }
  if (last === from.getTime()) throw new WrongSchedule(schedule, 'cron');
}

function readSchedule(schedule: Schedule): CronLine {
  if (!isZone(schedule.zone)) throw new WrongSchedule(schedule, 'zone');
  const line = readCron(schedule.cron);
  if (!line) throw new WrongSchedule(schedule, 'cron');
  return line;
}

/** Yields the instants of a line in order (ms), from some time before `from`. Those that a change of the clock has put off wait for those before them. */
function* inOrder(zone: string, line: CronLine, from: number): Generator<number> {
  const putOff: number[] = [];
  for (let local = line.next(startOf(zone, from)); local !== null; local = line.next(local)) {
    const { instants, isMoved } = instantsAt(zone, local);
    const [first = local, second] = instants;
    // A later time may still come before those that the same change has moved.
    const settled = isMoved ? first - maxShiftMs : first;
    while ((putOff[0] ?? settled) < settled) yield putOff.shift() as number;
    if (isMoved) {
      putOff.push(first);
      continue;
    }
    yield first;
    if (second !== undefined && line.isEveryHour) putOff.push(second);
  }
  yield* putOff;
}

/** Returns a local time from which all instants after `from` are found (ms): those that a change of the clock puts off have an earlier local time. */
function startOf(zone: string, from: number): number {
  const local = from + offsetAt(zone, from);
  const isNearChange = offsetAt(zone, from - maxShiftMs) !== offsetAt(zone, from + maxShiftMs);
  return isNearChange ? local - maxShiftMs : local;
}

type Outlook = { next: Date[]; firesADay: number };

/**
 * Returns the next instants of a schedule, and how often it fires on a day, as the mean of four years. Throws as `instantsOf` does. Other work goes on
 * between the instants, however many outlooks are asked for at once. What was computed in the same minute is remembered.
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
  const next: Date[] = [];
  const instants = take(instantsAfter(schedule, from), count);
  for (await ownTurn(); ; await ownTurn()) {
    const { done, value } = instants.next();
    if (done) break;
    next.push(value);
  }
  const { days, times } = readSchedule(schedule);
  const [ofYears, ofDay] = [await countTimes(days, { from, days: countedDays }), await countTimes(times, { from, days: 1 })];
  const [first, last] = [next[0] ?? from, next.at(-1) ?? from];
  // A day that no four years have comes with each instant that is shown.
  const perDay = ofYears > 0 ? ofYears / countedDays : ((next.length - 1) * dayMs) / Math.max(last.getTime() - first.getTime(), dayMs);
  return { next, firesADay: perDay * (ofYears > 0 ? ofDay : 1) };
}

/** Counts how often a line comes within so many days, by clocks that never change. */
async function countTimes(cron: string, { from, days }: { from: Date; days: number }): Promise<number> {
  // On all days, which most schedules do.
  if (cron === '0 0 * * *') return days;
  const line = readCron(cron);
  const start = Math.floor(from.getTime() / dayMs) * dayMs - 1;
  let counted = 0;
  for (let at = line?.next(start) ?? null; at !== null && at <= start + days * dayMs; at = line?.next(at) ?? null) {
    counted += 1;
    if (counted % countedAtOnce === 0) await ownTurn();
  }
  return counted;
}
