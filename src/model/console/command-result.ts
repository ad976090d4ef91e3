/**
 * Finds the text of an answer about a command: `result`, `response` or `data`, or the first choice of a conversation, at the top level
 * or inside one of these; null without one. W7.03
 */
export function commandResultOf(answer: unknown): string | null {
  if (typeof answer === 'string') return answer;
  if (typeof answer !== 'object' || answer === null) return null;
  const { result, response, data, choices } = answer as Record<string, unknown>;
  for (const inner of [result, response, data]) {
    const found = commandResultOf(inner);
    if (found !== null) return found;
  }
  const [first] = Array.isArray(choices) ? (choices as { message?: { content?: unknown } }[]) : [];
  const content = first?.message?.content;
  return typeof content === 'string' ? content : null;
}
