/** Returns how long the other side wants to be left alone (ms), by seconds or a date in its header (RFC 9110, 10.2.3). Null for none, and for nonsense. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: Date): number | null {
  const told = (headers['retry-after'] ?? '').trim();
  if (/^\d{1,9}$/.test(told)) return Number(told) * 1_000;
  // Only a whole date: the parser of dates also takes a single number.
  const ms = /^[A-Z][a-z]{2,8},? /.test(told) ? Date.parse(told) - now.getTime() : Number.NaN;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
