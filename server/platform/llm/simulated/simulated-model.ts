import { setTimeout as wait } from 'node:timers/promises';
import type { LanguageModel } from '../language-model.ts';
import { composeAnswer } from './compose-answer.ts';

export type SimulatedOptions = {
  /** How long an answer streams (ms). Long enough to be watched, short enough to wait for. */
  durationMs: number;
};

const pieces = 12;
/** A rough measure that needs no tokenizer. */
const charactersPerToken = 4;

/** Answers without a model: offline, the same every time, and marked as simulated wherever its words are shown. */
export function simulatedModel({ durationMs }: SimulatedOptions): LanguageModel {
  return {
    provider: 'simulated',
    model: 'simulated',
    simulated: true,
    host: null,
    async answer(request, signal, onText) {
      const text = composeAnswer(request);
      try {
        for (let piece = 1; piece <= pieces; piece += 1) {
          await wait(durationMs / pieces, undefined, { signal });
          onText(text.slice(0, Math.ceil((text.length * piece) / pieces)));
        }
      } catch {
        return { ok: false, error: { code: 'aborted', transient: false } };
      }
      const read =
        request.systemPrompt.length + request.task.length + request.earlier.reduce((sum, earlier) => sum + earlier.text.length, 0);
      const promptTokens = Math.ceil(read / charactersPerToken);
      const completionTokens = Math.ceil(text.length / charactersPerToken);
      return { ok: true, value: { text, usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens } } };
    },
  };
}
