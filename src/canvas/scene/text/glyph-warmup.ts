import type { GlyphAtlas } from './glyph-atlas.ts';
import type { TextStyle } from './text-style.ts';

/** The styles of small zooms: the first zoom out needs all of their letters within a few frames. */
const styles: readonly TextStyle[] = ['titleCompact', 'titleSmall'];
/** The letters of the page's language, lower case first. Others are drawn, and their fonts loaded, when they are needed. */
const cyrillic = Array.from('абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ');
const latin = Array.from('abcdefghijklmnopqrstuvwxyz0123456789…ABCDEFGHIJKLMNOPQRSTUVWXYZ.,:-()');
/** The letters drawn in one task of a few milliseconds, so that all are drawn before the first document arrives. */
const lettersAtOnce = 24;
/** Above this pixel ratio the atlas is reserved for letters in use. */
const maxScale = 1.5;

/** Draws letters into the atlas before they are needed, a few at a time, while the page loads its document. */
export class GlyphWarmup {
  readonly #atlas: GlyphAtlas;
  readonly #drawn: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `drawn` is called after each task. */
  constructor(atlas: GlyphAtlas, drawn: () => void) {
    this.#atlas = atlas;
    this.#drawn = drawn;
  }

  /** Starts again for a scale in texels per px of text. */
  start(scale: number): void {
    this.stop();
    if (scale > maxScale) return;
    this.#goOn(scale, document.documentElement.lang === 'en' ? latin : [...cyrillic, ...latin]);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #goOn(scale: number, letters: readonly string[]): void {
    this.#timer = setTimeout(() => {
      for (const style of styles) {
        const face = this.#atlas.face(style, scale);
        for (const letter of letters.slice(0, lettersAtOnce)) {
          for (let place = 0; place < face.places; place++) this.#atlas.letter(face, letter, place / face.places);
        }
      }
      this.#drawn();
      if (letters.length > lettersAtOnce) this.#goOn(scale, letters.slice(lettersAtOnce));
    });
  }
}
