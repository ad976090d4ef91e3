import { AnswerTooLong } from '../egress/egress.ts';
import type { OnText } from './language-model.ts';

/** An answer with its reasoning (bytes of UTF-8). */
export const maxAnswerBytes = 1024 * 1024;

/**
 * Collects what a model writes piece by piece, and hands each one to `onText`. Appending costs the piece, not the whole. Throws
 * `AnswerTooLong` past `maxAnswerBytes`.
 */
export function createAnswerText(onText: OnText) {
  let bytes = 0;
  return {
    text: '',
    reasoning: '',
    add(text: string | null | undefined, reasoning: string | null | undefined): void {
      if (!text && !reasoning) return;
      bytes += Buffer.byteLength(text ?? '') + Buffer.byteLength(reasoning ?? '');
      if (bytes > maxAnswerBytes) throw new AnswerTooLong();
      this.text += text ?? '';
      this.reasoning += reasoning ?? '';
      onText(text ?? '', reasoning ?? '');
    },
  };
}
