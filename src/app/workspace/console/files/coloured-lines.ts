import type { CodeLanguage } from './code-language.ts';
import { type CodePart, type CodeState, colourLine, withHidden } from './colour-code.ts';

/** A longer text is shown without colours (characters). */
const maxColoured = 150_000;

/** The lines of a text. The state at the beginning of each line is computed once, up to the last requested line. */
export class ColouredLines {
  readonly #lines: string[];
  readonly #language: CodeLanguage | null;
  /** The comment or string that is open at the beginning of each line. */
  readonly #states: CodeState[] = [null];

  constructor(text: string, language: CodeLanguage | null) {
    this.#lines = text.split(/\r\n|\n/);
    // The end of the last line does not begin another line.
    if (this.#lines.length > 1 && this.#lines.at(-1) === '') this.#lines.pop();
    this.#language = text.length > maxColoured ? null : language;
  }

  get count(): number {
    return this.#lines.length;
  }

  lengthOf(index: number): number {
    return this.#lines[index]?.length ?? 0;
  }

  /** Returns the parts of a line's first `maxLength` characters. */
  parts(index: number, maxLength: number): CodePart[] {
    const shown = (this.#lines[index] ?? '').slice(0, maxLength);
    if (!this.#language) return withHidden([{ kind: 'plain', text: shown }]);
    for (let at = this.#states.length - 1; at < index; at += 1) {
      this.#states.push(colourLine(this.#lines[at] ?? '', this.#states[at] ?? null, this.#language).state);
    }
    return withHidden(colourLine(shown, this.#states[index] ?? null, this.#language).parts);
  }
}
