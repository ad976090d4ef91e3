/** The longest wait that a server may ask for (s): a wrong time of it must not stop the reading for ever. */
const longestSeconds = 24 * 60 * 60;
/** A figure from here on is an instant in seconds since 1970, and a shorter one a time from now. */
const earliestInstant = 1_000_000_000;

/** How headers of limits begin: GitHub's and Gitea's, and those of GitLab and of the draft of a standard. */
const families = ['x-ratelimit', 'ratelimit'];

/**
 * Returns how long a server that has had too many calls wants to wait; null where it has not refused for that. `seconds` is null where it does not say.
 * GitHub answers 403 as well, for its secondary limits without any header: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api.
 * GitLab counts in `ratelimit-*`: https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/#response-headers.
 */
export function waitOf(
  status: number,
  headers: Record<string, string>,
  { said, now }: { said: string; now: number },
): { seconds: number | null } | null {
  const limits = families.map((name) => ({ remaining: headers[`${name}-remaining`], reset: headers[`${name}-reset`] }));
  const isCounted = limits.some(({ remaining }) => remaining === '0') || headers['retry-after'] !== undefined;
  const isLimit = status === 429 || (status === 403 && (isCounted || /\brate limit|\babuse detection/i.test(said)));
  if (!isLimit) return null;
  // Clocks differ: an instant of the server counts from its own time.
  const serverNow = Date.parse(headers.date ?? '') || now;
  // What is left of another limit says nothing about this one.
  const spent =
    limits.find(({ remaining }) => remaining === '0') ?? limits.find(({ remaining, reset }) => remaining === undefined && reset);
  const seconds = secondsUntil(headers['retry-after'], serverNow) ?? secondsUntil(spent?.reset, serverNow);
  return { seconds: seconds === null ? null : Math.min(Math.max(Math.ceil(seconds), 1), longestSeconds) };
}

/** Reads a time from now, an instant in seconds since 1970, or a date, as headers have them. Returns null for none. */
function secondsUntil(text: string | undefined, now: number): number | null {
  const value = text?.trim() ?? '';
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(value)) {
    const figure = Number(value);
    return figure >= earliestInstant ? figure - now / 1_000 : figure;
  }
  const at = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : (at - now) / 1_000;
}
