import type { WishRow } from './tables.ts';

const hourMs = 3_600_000;

/** Returns how long a message has to wait for the end of the quiet hours of a project (ms); 0 outside of them. */
export function quietWaitMs({ quietFrom, quietTo, timeZone }: Pick<WishRow, 'quietFrom' | 'quietTo' | 'timeZone'>, now: Date): number {
  if (quietFrom === null || quietTo === null || timeZone === null || quietFrom === quietTo) return 0;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' });
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  const hour = parts.get('hour') ?? 0;
  const isQuiet = quietFrom < quietTo ? hour >= quietFrom && hour < quietTo : hour >= quietFrom || hour < quietTo;
  if (!isQuiet) return 0;
  const intoHourMs = ((parts.get('minute') ?? 0) * 60 + (parts.get('second') ?? 0)) * 1_000;
  return ((quietTo - hour + 24) % 24) * hourMs - intoHourMs;
}
