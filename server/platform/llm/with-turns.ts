import type { LanguageModel, ModelAdapter } from './language-model.ts';
import { conversationOf } from './prompt.ts';

/** Lets a provider's model take an agent's turn in a run: the one place where a turn becomes messages, and words an answer. */
export function withTurns(adapter: ModelAdapter): LanguageModel {
  return {
    ...adapter,
    answer: (request, signal, onText) =>
      adapter.converse(conversationOf(request), signal, (text, reasoning) =>
        onText([reasoning, text].filter((part) => part !== '').join('\n\n')),
      ),
  };
}
