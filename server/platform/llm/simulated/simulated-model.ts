import { setTimeout as wait } from 'node:timers/promises';
import type { Conversation, ModelAdapter, ModelRequest } from '../language-model.ts';
import { composeAnswer } from './compose-answer.ts';

export type SimulatedOptions = {
  /** How long an answer streams (ms). Long enough to be watched, short enough to wait for. */
  durationMs: number;
};

const pieces = 12;
/** A rough measure that needs no tokenizer. */
const charactersPerToken = 4;

/** Answers without a model: offline, the same every time, and marked as simulated wherever its words are shown. */
export function simulatedModel({ durationMs }: SimulatedOptions): ModelAdapter {
  return {
    provider: 'simulated',
    model: 'simulated',
    simulated: true,
    host: null,
    async converse(conversation, signal, onText) {
      const text = composeAnswer(conversation.turn ?? turnOf(conversation));
      try {
        for (let piece = 1; piece <= pieces; piece += 1) {
          await wait(durationMs / pieces, undefined, { signal });
          onText(text.slice(0, Math.ceil((text.length * piece) / pieces)), '');
        }
      } catch {
        return { ok: false, error: { code: 'aborted', transient: false } };
      }
      const read = conversation.messages.reduce((sum, { content }) => sum + content.length, 0);
      const promptTokens = Math.ceil(read / charactersPerToken);
      const completionTokens = Math.ceil(text.length / charactersPerToken);
      const usage = { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
      return { ok: true, value: { text, thoughts: null, finish: 'stop', usage } };
    },
  };
}

/** A free conversation, taken as a turn whose task is the last thing that was said to the agent. */
function turnOf({ messages, speaker, temperature, maxTokens, idempotencyKey }: Conversation): ModelRequest {
  const said = (role: string) => messages.filter((message) => message.role === role).map(({ content }) => content);
  return {
    ...speaker,
    systemPrompt: said('system').join('\n\n'),
    task: said('user').at(-1) ?? '',
    earlier: [],
    contexts: [],
    temperature,
    maxTokens,
    idempotencyKey,
  };
}
