import { LRUCache } from 'lru-cache';

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Whether a time zone exists, as the tables of this process have it. */
export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Returns how far the clocks of a zone are ahead of UTC at an instant (ms). Throws a `RangeError` for an unknown zone. */
export function offsetAt(zone: string, instantMs: number): number {
  const name = formatOf(zone)
    .formatToParts(instantMs)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(name ?? '') ?? [];
  return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * minuteMs;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  return format;
}
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 600 });

/**
 * Returns the instants (ms) at which the clocks of a zone show a time, given as if it were one of UTC (ms). Most times have one instant. A time that comes
 * twice has two, the earlier one first. A time that the clocks leave out has one, which is moved behind the gap: `isMoved`. In Berlin, where 29 March 2026
 * has no 02:30, that is 03:30.
 */
export function instantsAt(zone: string, localMs: number): { instants: number[]; isMoved: boolean } {
  const [before, after] = offsetsAround(zone, Math.floor(localMs / dayMs));
  const [earlier, later] = [localMs - Math.max(before, after), localMs - Math.min(before, after)];
  const instants = (before === after ? [earlier] : [earlier, later]).filter((at) => at + offsetAt(zone, at) === localMs);
  return instants.length > 0 ? { instants, isMoved: false } : { instants: [localMs - before], isMoved: true };
}

/** Returns the offsets of a zone before and after a day (ms). No clock is more than a day away from UTC, and none changes twice within three days. */
function offsetsAround(zone: string, day: number): readonly [number, number] {
  const key = `${zone} ${day}`;
  const known = offsets.get(key) ?? [offsetAt(zone, (day - 1) * dayMs), offsetAt(zone, (day + 2) * dayMs)];
  offsets.set(key, known);
  return known;
}
const offsets = new LRUCache<string, readonly [number, number]>({ max: 2_000 });
