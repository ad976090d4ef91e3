import { ResponseTooLong } from '../egress/egress.ts';
import { createScrubber } from '../egress/scrubber.ts';
import type { Hold, OnText } from './language-model.ts';

/** The longest answer with its reasoning (bytes of UTF-8). */
export const maxAnswerBytes = 1024 * 1024;

/**
 * Collects a model's text piece by piece, and passes each piece to `onText`, without the secrets of `scrubber`, also where one is
 * split over pieces. Appending costs the length of the piece. Throws
 * `AnswerTooLong` past `maxAnswerBytes`, and what `hold` throws.
 */
export function createAnswerText(onText: OnText, hold?: Hold, scrubber = createScrubber([])) {
  let bytes = 0;
  const texts = scrubber.texts();
  const reasonings = scrubber.texts();
  return {
    text: '',
    reasoning: '',
    add(text: string | null | undefined, reasoning: string | null | undefined): void {
      if (!text && !reasoning) return;
      bytes += Buffer.byteLength(text ?? '') + Buffer.byteLength(reasoning ?? '');
      if (bytes > maxAnswerBytes) throw new ResponseTooLong();
      hold?.((text?.length ?? 0) + (reasoning?.length ?? 0));
      // The text follows the whole reasoning.
      const thought = reasonings.push(reasoning ?? '') + (text ? reasonings.end() : '');
      this.tell(texts.push(text ?? ''), thought);
    },
    /** Passes on what was held back, because a secret could begin there. */
    end(): void {
      this.tell(texts.end(), reasonings.end());
    },
    tell(text: string, reasoning: string): void {
      if (text === '' && reasoning === '') return;
      this.text += text;
      this.reasoning += reasoning;
      onText(text, reasoning);
    },
  };
}
