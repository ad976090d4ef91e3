import type { CodeLanguage } from './code-language.ts';
import { type CodePart, type CodeState, colourLine, withHidden } from './colour-code.ts';

/** Characters beyond which a text is shown without colours. */
const mostColoured = 150_000;

/** The lines of a text. What a line's colours need to know of those above it is worked out once, as far as somebody has looked. */
export class ColouredLines {
  readonly #lines: string[];
  readonly #language: CodeLanguage | null;
  /** What each line begins inside of. */
  readonly #states: CodeState[] = [null];

  constructor(text: string, language: CodeLanguage | null) {
    this.#lines = text.split(/\r\n|\n/);
    // The end of the last line is no line of its own.
    if (this.#lines.length > 1 && this.#lines.at(-1) === '') this.#lines.pop();
    this.#language = text.length > mostColoured ? null : language;
  }

  get count(): number {
    return this.#lines.length;
  }

  lengthOf(index: number): number {
    return this.#lines[index]?.length ?? 0;
  }

  /** A line's parts, of its first `most` characters. */
  parts(index: number, most: number): CodePart[] {
    const shown = (this.#lines[index] ?? '').slice(0, most);
    if (!this.#language) return withHidden([{ kind: 'plain', text: shown }]);
    for (let at = this.#states.length - 1; at < index; at += 1) {
      this.#states.push(colourLine(this.#lines[at] ?? '', this.#states[at] ?? null, this.#language).state);
    }
    return withHidden(colourLine(shown, this.#states[index] ?? null, this.#language).parts);
  }
}
