import { storableText } from '../database/storable-text.ts';
import { splitThoughts } from './answer-section.ts';
import { emptyFailure } from './classify-failure.ts';
import type { LanguageModel, ModelAdapter, ModelAnswer, ModelOutcome, OnText } from './language-model.ts';
import { conversationOf } from './prompt.ts';
import { withUniqueIds } from './tool-calls.ts';

/**
 * Adapts a provider's model to an agent's turn in a run: converts a turn into messages, and the written text into thoughts and an
 * answer. The provider's own reasoning, where it reports any, becomes the thoughts. The result can be stored: NUL characters and half
 * surrogate pairs, which PostgreSQL refuses, are removed. R46
 */
export function toLanguageModel(adapter: ModelAdapter): LanguageModel {
  const converse: ModelAdapter['converse'] = async (...asked) => storable(await adapter.converse(...asked));
  return {
    ...adapter,
    converse,
    async answer(request, signal, onText, onWait, hold) {
      let latest: 'reasoning' | 'text' | null = null;
      const add = (kind: 'reasoning' | 'text', added: string) => {
        if (added === '') return;
        onText(latest === null || latest === kind ? added : `\n\n${added}`);
        latest = kind;
      };
      const addBoth: OnText = (text, reasoning) => {
        add('reasoning', reasoning);
        add('text', text);
      };
      const outcome = await converse(conversationOf(request), signal, addBoth, onWait, hold);
      if (!outcome.ok) return outcome;
      // The text before calls is no answer yet.
      if (outcome.value.calls) return outcome;
      const { text, thoughts: reasoning } = outcome.value;
      const { thoughts, answer } = splitThoughts(text);
      return {
        ok: true,
        value: { ...outcome.value, text: answer, thoughts: reasoning ?? thoughts, written: { text, thoughts: reasoning } },
      };
    },
  };
}

function storable(outcome: ModelOutcome): ModelOutcome {
  if (!outcome.ok) return outcome;
  const { text, thoughts, calls, usage } = outcome.value;
  const plain: ModelAnswer = {
    ...outcome.value,
    text: storableText(text),
    thoughts: thoughts && storableText(thoughts),
    ...(calls && {
      // Two ids may differ in what cannot be stored.
      calls: withUniqueIds(
        calls.map(({ id, name, arguments: written }) => ({
          id: storableText(id),
          name: storableText(name),
          arguments: storableText(written),
        })),
      ),
    }),
  };
  if (plain.text !== '' || calls) return { ok: true, value: plain };
  return { ok: false, error: { ...emptyFailure, used: { reported: usage, isWhole: true } } };
}
