/** Whether a value is a command id: a text that is not empty, and not an object converted to text by mistake. W5.06 */
export function isCommandId(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/^\[object \w+\]$/.test(value.trim());
}

/** Finds the id in an answer about a command: `id`, `commandId`, or inside `data`, `result` or `response`; null without one. */
export function commandIdOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { id, commandId, data, result, response } = answer as Record<string, unknown>;
  const own = [id, commandId].find(isCommandId);
  if (own !== undefined) return own;
  for (const inner of [data, result, response]) {
    const found = commandIdOf(inner);
    if (found !== null) return found;
  }
  return null;
}
