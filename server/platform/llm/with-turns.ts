import { splitThoughts } from './answer-section.ts';
import type { LanguageModel, ModelAdapter, ModelAnswer, ModelOutcome } from './language-model.ts';
import { conversationOf } from './prompt.ts';

/**
 * Lets a provider's model take an agent's turn in a run: the one place where a turn becomes messages, and what was written
 * becomes thoughts and an answer. The provider's own reasoning, where it gives any, is the thoughts. What comes out can be stored:
 * models write anything, and PostgreSQL keeps neither NUL characters nor halves of characters. R46
 */
export function withTurns(adapter: ModelAdapter): LanguageModel {
  const converse: ModelAdapter['converse'] = async (...asked) => storable(await adapter.converse(...asked));
  return {
    ...adapter,
    converse,
    async answer(request, signal, onText) {
      let latest: 'reasoning' | 'text' | null = null;
      const add = (kind: 'reasoning' | 'text', added: string) => {
        if (added === '') return;
        onText(latest === null || latest === kind ? added : `\n\n${added}`);
        latest = kind;
      };
      const outcome = await converse(conversationOf(request), signal, (text, reasoning) => {
        add('reasoning', reasoning);
        add('text', text);
      });
      if (!outcome.ok) return outcome;
      const { thoughts, answer } = splitThoughts(outcome.value.text);
      return { ok: true, value: { ...outcome.value, text: answer, thoughts: outcome.value.thoughts ?? thoughts } };
    },
  };
}

function storable(outcome: ModelOutcome): ModelOutcome {
  if (!outcome.ok) return outcome;
  const { text, thoughts } = outcome.value;
  const plain: ModelAnswer = { ...outcome.value, text: plainText(text), thoughts: thoughts && plainText(thoughts) };
  return plain.text === '' ? { ok: false, error: { code: 'model_empty_answer', transient: false } } : { ok: true, value: plain };
}

function plainText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
