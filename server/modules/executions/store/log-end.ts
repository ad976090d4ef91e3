/** The end of a log that prompts and results of tools have (UTF-16 units). */
export const maxLogEnd = 16 * 1024;

/** Returns the end of a log, from the beginning of a line where there is one. */
export function endOfLog(log: string): string {
  if (log.length <= maxLogEnd) return log;
  const end = log.slice(-maxLogEnd);
  const line = end.indexOf('\n');
  return (line < 0 ? end : end.slice(line + 1) || end).toWellFormed();
}
