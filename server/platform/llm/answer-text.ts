import { ResponseTooLong } from '../egress/egress.ts';
import type { Hold, OnText } from './language-model.ts';

/** The longest answer with its reasoning (bytes of UTF-8). */
export const maxAnswerBytes = 1024 * 1024;

/**
 * Collects a model's text piece by piece, and passes each piece to `onText`. Appending costs the length of the piece. Throws
 * `AnswerTooLong` past `maxAnswerBytes`, and what `hold` throws.
 */
export function createAnswerText(onText: OnText, hold?: Hold) {
  let bytes = 0;
  return {
    text: '',
    reasoning: '',
    add(text: string | null | undefined, reasoning: string | null | undefined): void {
      if (!text && !reasoning) return;
      bytes += Buffer.byteLength(text ?? '') + Buffer.byteLength(reasoning ?? '');
      if (bytes > maxAnswerBytes) throw new ResponseTooLong();
      hold?.((text?.length ?? 0) + (reasoning?.length ?? 0));
      this.text += text ?? '';
      this.reasoning += reasoning ?? '';
      onText(text ?? '', reasoning ?? '');
    },
  };
}
