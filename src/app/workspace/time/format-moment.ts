/** Formats the clock time of an ISO 8601 time, with seconds, in the user's time zone. */
export function formatClock(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(
    new Date(iso),
  );
}

type Day = { kind: 'today' | 'yesterday'; time: string } | { kind: 'date'; text: string };

/** Returns the relative day: today and yesterday with the time, earlier days by date. `now` in ms since the epoch. */
export function describeDay(iso: string, now: number, language: string): Day {
  const at = new Date(iso);
  const today = new Date(now);
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
  if (at.toDateString() === today.toDateString()) return { kind: 'today', time };
  if (at.toDateString() === yesterday.toDateString()) return { kind: 'yesterday', time };
  const sameYear = at.getFullYear() === today.getFullYear();
  return {
    kind: 'date',
    text: new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', ...(sameYear ? {} : { year: 'numeric' }) }).format(at),
  };
}

/** Formats the day and time of an ISO 8601 time in the user's time zone, as briefly as possible. */
export function formatDate(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    new Date(iso),
  );
}
