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
  const thinking = splitThinking();
  return {
    text: '',
    reasoning: '',
    add(text: string | null | undefined, reasoning: string | null | undefined): void {
      if (!text && !reasoning) return;
      bytes += Buffer.byteLength(text ?? '') + Buffer.byteLength(reasoning ?? '');
      if (bytes > maxAnswerBytes) throw new ResponseTooLong();
      hold?.((text?.length ?? 0) + (reasoning?.length ?? 0));
      // Most pieces: a pair for each of them would take more memory than its text.
      if (thinking.isPast()) this.pushText(text ?? '', reasoning ?? '');
      else this.push(thinking.push(text ?? ''), reasoning ?? '');
    },
    push([text, thought]: Split, reasoning: string): void {
      this.pushText(text, reasoning + thought);
    },
    pushText(text: string, reasoning: string): void {
      // The text follows the whole reasoning.
      this.tell(texts.push(text), reasonings.push(reasoning) + (text === '' ? '' : reasonings.end()));
    },
    /** Passes on what was held back, because a secret or a tag could begin there. `isCut`: a limit has ended the answer. */
    end(isCut: boolean): void {
      const isOpen = thinking.isOpen();
      this.push(thinking.end(), '');
      this.tell(texts.end(), reasonings.end());
      // A model that ends its answer in a block has not closed it: R46 takes the whole text then.
      if (isOpen && !isCut && this.text === '') {
        this.text = this.reasoning;
        this.reasoning = '';
        return;
      }
      const close = this.text.indexOf(tags.close);
      // A server whose prompt opens the block sends its end alone.
      const before = close < 0 || this.reasoning !== '' ? '' : this.text.slice(0, close);
      const after = this.text.slice(close + tags.close.length).trimStart();
      if (before.trim() === '' || after === '' || before.includes('`') || before.includes(tags.open)) return;
      this.reasoning = before;
      this.text = after;
    },
    tell(text: string, reasoning: string): void {
      if (text === '' && reasoning === '') return;
      this.text += text;
      this.reasoning += reasoning;
      onText(text, reasoning);
    },
  };
}

const tags = { open: '<think>', close: '</think>' };

type Split = [text: string, thought: string];

/** Takes a leading `<think>` block out of a text that comes in pieces: a model without a field for its thoughts writes them there. */
function splitThinking() {
  let state: 'start' | 'inside' | 'gap' | 'text' = 'start';
  let held = '';
  return {
    push(piece: string): Split {
      if (state === 'text' || piece === '') return [piece, ''];
      held += piece;
      let thought = '';
      if (state === 'start') {
        const begun = held.trimStart();
        if (begun.startsWith(tags.open)) {
          state = 'inside';
          held = begun.slice(tags.open.length);
        } else if (!tags.open.startsWith(begun)) state = 'text';
      }
      if (state === 'inside') {
        const close = held.indexOf(tags.close);
        const known = close < 0 ? held.length - lengthOfBeginning(held, tags.close) : close;
        thought = held.slice(0, known);
        held = held.slice(close < 0 ? known : close + tags.close.length);
        if (close >= 0) state = 'gap';
      }
      if (state === 'gap') {
        held = held.trimStart();
        if (held !== '') state = 'text';
      }
      return [state === 'text' ? this.take() : '', thought];
    },
    isOpen: () => state === 'inside',
    isPast: () => state === 'text',
    end(): Split {
      return state === 'inside' ? ['', this.take()] : [this.take(), ''];
    },
    take(): string {
      const taken = held;
      held = '';
      return taken;
    },
  };
}

/** Returns how many characters at the end of a text may begin the tag. */
function lengthOfBeginning(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) if (text.endsWith(tag.slice(0, length))) return length;
  return 0;
}
