import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';

const border = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * Marks the borders up to which Anthropic keeps a prompt: the end of tools and system prompt, that of the user's files (`stable` characters of the
 * first message), and the ends of the last two turns. A later request of the step finds the beginning up to one of them, however many calls a turn has.
 */
export function withCacheBreakpoints(prompt: LanguageModelV4Prompt, stable: number): LanguageModelV4Prompt {
  const system = prompt.findLastIndex(({ role }) => role === 'system');
  const asking = prompt.findIndex(({ role }) => role === 'user');
  const ends = prompt.flatMap((_message, at) => (isEndOfTurn(prompt, at) ? [at] : []));
  const marked = new Set([system, ...ends.slice(-2)]);
  return prompt.map((message, at) => {
    const split = at === asking && stable > 0 ? withStableBorder(message, stable) : message;
    return marked.has(at) ? { ...split, providerOptions: { ...split.providerOptions, ...border } } : split;
  });
}

function isEndOfTurn(prompt: LanguageModelV4Prompt, at: number): boolean {
  const role = prompt[at]?.role;
  const next = prompt[at + 1]?.role;
  return (role === 'user' || role === 'tool') && (next === undefined || next === 'assistant');
}

/** Splits the text behind the files. Their images follow them, so that they are kept as well. */
function withStableBorder(message: LanguageModelV4Message, stable: number): LanguageModelV4Message {
  if (message.role !== 'user') return message;
  const [first, ...images] = message.content;
  if (first?.type !== 'text') return message;
  const files = [{ ...first, text: first.text.slice(0, stable) }, ...images];
  const last = files.pop();
  if (!last) return message;
  return {
    ...message,
    content: [...files, { ...last, providerOptions: border }, { ...first, text: first.text.slice(stable) }],
  };
}
