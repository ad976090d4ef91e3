import { splitThoughts } from './answer-section.ts';
import type { LanguageModel, ModelAdapter } from './language-model.ts';
import { conversationOf } from './prompt.ts';

/**
 * Lets a provider's model take an agent's turn in a run: the one place where a turn becomes messages, and what was written
 * becomes thoughts and an answer. The provider's own reasoning, where it gives any, is the thoughts. R46
 */
export function withTurns(adapter: ModelAdapter): LanguageModel {
  return {
    ...adapter,
    async answer(request, signal, onText) {
      const outcome = await adapter.converse(conversationOf(request), signal, (text, reasoning) =>
        onText([reasoning, text].filter((part) => part !== '').join('\n\n')),
      );
      if (!outcome.ok) return outcome;
      const { thoughts, answer } = splitThoughts(outcome.value.text);
      return { ok: true, value: { ...outcome.value, text: answer, thoughts: outcome.value.thoughts ?? thoughts } };
    },
  };
}
