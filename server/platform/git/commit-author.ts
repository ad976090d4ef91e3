/** The author of the commits of runs. `.invalid` is a name that no host has (RFC 2606). */
export function authorOf(seconds: number) {
  return { name: 'Artel', email: 'artel@artel.invalid', timestamp: seconds, timezoneOffset: 0 };
}
