import type { Effort } from '../../../../contract/agent.ts';

/** Room for the thoughts of an answer (tokens), by effort. Providers count them as output, within the limit of the answer. */
const roomForThoughts = { none: 0, low: 4_000, medium: 16_000, high: 32_000 } as const satisfies Record<Effort, number>;
const usualThoughts = roomForThoughts.medium;

/** The longest answer that is asked for (tokens). */
const maxLimit = 128_000;
/** Thoughts leave three quarters of a known window to the prompt. */
const partOfWindow = 4;

/**
 * Names of models that think without being asked to, at whichever address: of OpenAI, Google, DeepSeek, xAI, Mistral, Alibaba, Moonshot, Z.ai and MiniMax. Claude
 * thinks where it is given an effort.
 */
const thinking =
  /(?:^|[/:])(?:o[1-9](?:-|$)|gpt-(?:[5-9]|oss)|gemini-(?:2\.5|[3-9])|deepseek-(?:r|v4|flash)|grok-(?:3-mini|[4-9])|magistral|qwq|qwen-?3|kimi-k2-thinking|kimi-k[3-9]|glm-(?:4\.[5-9]|[5-9])|minimax-m)|reason(?:er|ing)|thinking/i;
const notThinking = /non-reasoning|non-thinking|-chat(?:-|$)|instruct|coder/i;

/** Returns the limit of an answer for a model (tokens) that leaves an agent's own length to its text: thoughts have room of their own. Null for none. */
export function answerLimit({
  model,
  effort,
  maxTokens,
  window = null,
}: {
  model: string;
  effort: Effort | null;
  maxTokens: number | null;
  /** Of the model (tokens); null where it is not known. */
  window?: number | null;
}): number | null {
  if (maxTokens === null) return null;
  const thinks = thinking.test(model) && !notThinking.test(model);
  const thoughts = effort === null ? (thinks ? usualThoughts : 0) : roomForThoughts[effort];
  const most = window === null ? maxLimit : Math.min(maxLimit, Math.floor(window / partOfWindow));
  return Math.min(maxTokens + thoughts, Math.max(most, maxTokens));
}
