import { clusters } from './clusters.ts';
import { type TextStyle, textStyles } from './text-style.ts';

/** One line: its parts and where each begins, in the style's px from the line's start. */
export type TextLine = { parts: readonly string[]; starts: readonly number[]; width: number };

/** Width in px of a short text in a style; kerning between its letters included. */
export type Measure = (style: TextStyle, text: string) => number;

const layoutsKept = 20_000;

/** Breaks text into lines and cuts what does not fit. Remembers what it has set, since the same titles come back again and again. */
export class TextLayout {
  readonly #measure: Measure;
  readonly #widths = new Map<string, number>();
  readonly #lines = new Map<string, readonly TextLine[]>();

  constructor(measure: Measure) {
    this.#measure = measure;
  }

  /** At most `maxLines` lines no wider than `maxWidth` (px of the style); the last one ends in an ellipsis when text is left over. */
  lines(style: TextStyle, text: string, maxWidth: number, maxLines: number): readonly TextLine[] {
    const key = `${style}|${maxWidth}|${maxLines}|${text}`;
    const known = this.#lines.get(key);
    if (known) return known;
    if (this.#lines.size > layoutsKept) this.#lines.clear();
    const lines = this.#set(style, text, maxWidth, maxLines);
    this.#lines.set(key, lines);
    return lines;
  }

  line(style: TextStyle, text: string, maxWidth = Number.POSITIVE_INFINITY): TextLine {
    return this.lines(style, text, maxWidth, 1)[0] ?? emptyLine;
  }

  /** To be called when a font has arrived that was measured by its stand-in. */
  forget(): void {
    this.#widths.clear();
    this.#lines.clear();
  }

  #set(style: TextStyle, text: string, maxWidth: number, maxLines: number): TextLine[] {
    const lines: TextLine[] = [];
    let rest = text.trim().split(/\s+/u).filter(Boolean);
    while (rest.length > 0 && lines.length < maxLines) {
      const isLast = lines.length === maxLines - 1;
      const fitting = isLast ? rest.length : this.#wordsThatFit(style, rest, maxWidth);
      const line = this.#place(style, clusters(rest.slice(0, fitting).join(' ')));
      lines.push(line.width <= maxWidth ? line : this.#cut(style, line, maxWidth));
      rest = rest.slice(fitting);
    }
    return lines;
  }

  /** How many of the words go on one line; at least one. */
  #wordsThatFit(style: TextStyle, words: readonly string[], maxWidth: number): number {
    let width = 0;
    const space = this.#width(style, ' ');
    for (let i = 0; i < words.length; i++) {
      width += this.#place(style, clusters(words[i] as string)).width + (i > 0 ? space : 0);
      if (width > maxWidth) return Math.max(1, i);
    }
    return words.length;
  }

  #cut(style: TextStyle, line: TextLine, maxWidth: number): TextLine {
    const room = maxWidth - this.#width(style, '…');
    let kept = line.parts.length;
    while (kept > 0 && endOf(line, kept) > room) kept--;
    while (kept > 0 && line.parts[kept - 1] === ' ') kept--;
    return this.#place(style, [...line.parts.slice(0, kept), '…']);
  }

  #place(style: TextStyle, parts: readonly string[]): TextLine {
    const { tracking, tabular } = textStyles[style];
    const starts: number[] = [];
    let x = 0;
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i] as string;
      const next = parts[i + 1];
      if (tabular && isDigit(part)) {
        const cell = this.#width(style, '0');
        starts.push(x + (cell - this.#width(style, part)) / 2);
        x += cell;
      } else {
        starts.push(x);
        x += next === undefined ? this.#width(style, part) : this.#width(style, part + next) - this.#width(style, next);
        x += tracking;
      }
    }
    return { parts, starts, width: x };
  }

  #width(style: TextStyle, text: string): number {
    const key = `${style}|${text}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      width = this.#measure(style, text);
      this.#widths.set(key, width);
    }
    return width;
  }
}

const emptyLine: TextLine = { parts: [], starts: [], width: 0 };

function endOf(line: TextLine, parts: number): number {
  return parts < line.starts.length ? (line.starts[parts] as number) : line.width;
}

function isDigit(part: string): boolean {
  return part.length === 1 && part >= '0' && part <= '9';
}
