/**
 * Returns the later version of a file with the line ends of the earlier one, where all of those are CRLF. Files of answers have LF, and
 * each line would count as changed.
 */
export function keepLineEnds(before: string | null, after: string): string {
  if (before === null || after.includes('\r') || !/\r\n/.test(before) || /(?<!\r)\n/.test(before)) return after;
  return after.replaceAll('\n', '\r\n');
}
