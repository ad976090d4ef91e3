import { clusters } from '../cards/clusters.ts';
import { measuredAs, type TextStyle, textStyles } from './text-style.ts';

/** One line: its parts and where each begins, in the style's px from the line's start. */
export type TextLine = { parts: readonly string[]; starts: readonly number[]; width: number };

/** Returns the width in px of a short text in a style, with kerning between its letters. */
export type Measure = (style: TextStyle, text: string) => number;

/** Measures of a style by part and by the part that follows. Two lookups are faster than joining the two strings to a key. */
type Design = { style: TextStyle; advances: Map<string, Map<string, number>> };

/** Laid out texts that are cached; a canvas shows far fewer at a time. */
const textsKept = 20_000;

const emptyLine: TextLine = { parts: [], starts: [], width: 0 };

/** Breaks text into lines and cuts what does not fit. Caches its results, since the same titles recur. */
export class TextLayout {
  readonly #measure: Measure;
  readonly #designs = new Map<TextStyle, Design>();
  readonly #set = new Map<TextStyle, Map<string, TextLine>>();
  #count = 0;

  constructor(measure: Measure) {
    this.#measure = measure;
  }

  /**
   * At most `maxLines` lines, broken for `maxWidth` (px of the style); the last one ends in an ellipsis when text is left over. Lines are cut
   * at `cutWidth`, if that is another one.
   */
  lines(style: TextStyle, text: string, maxWidth: number, maxLines: number, cutWidth = maxWidth): readonly TextLine[] {
    const whole = this.#whole(style, text);
    if (whole.parts.length === 0) return [];
    const lines: TextLine[] = [];
    let from = 0;
    while (from < whole.parts.length && lines.length < maxLines) {
      const isLast = lines.length === maxLines - 1;
      const to = isLast ? whole.parts.length : lineEnd(whole, from, maxWidth);
      const line = slice(whole, from, to);
      lines.push(line.width <= cutWidth ? line : this.#cut(style, line, cutWidth));
      from = to;
      while (whole.parts[from] === ' ') from++;
    }
    return lines;
  }

  line(style: TextStyle, text: string, maxWidth = Number.POSITIVE_INFINITY): TextLine {
    const whole = this.#whole(style, text);
    return whole.width <= maxWidth ? whole : this.#cut(style, whole, maxWidth);
  }

  /** Clears the cache. Call it when a font has loaded that was measured by its fallback. */
  forget(): void {
    this.#designs.clear();
    this.#set.clear();
    this.#count = 0;
  }

  /** The text on one line, however long. */
  #whole(style: TextStyle, text: string): TextLine {
    let ofStyle = this.#set.get(style);
    let line = ofStyle?.get(text);
    if (line) return line;
    if (++this.#count > textsKept) {
      this.#set.clear();
      this.#count = 1;
      ofStyle = undefined;
    }
    if (!ofStyle) {
      ofStyle = new Map();
      this.#set.set(style, ofStyle);
    }
    const source = measuredAs(style).style;
    if (source !== style && !textStyles[style].tabular) line = resized(this.#whole(source, text), source, style);
    else {
      const words = text.trim().replace(/\s+/gu, ' ');
      line = words === '' ? emptyLine : this.#place(style, clusters(words));
    }
    ofStyle.set(text, line);
    return line;
  }

  #cut(style: TextStyle, line: TextLine, maxWidth: number): TextLine {
    const room = maxWidth - this.#width(style, '…');
    let kept = line.parts.length;
    while (kept > 0 && endOf(line, kept) > room) kept--;
    while (kept > 0 && line.parts[kept - 1] === ' ') kept--;
    const end = kept > 0 ? endOf(line, kept) : 0;
    const parts = line.parts.slice(0, kept);
    const starts = line.starts.slice(0, kept);
    parts.push('…');
    starts.push(end);
    return { parts, starts, width: end + this.#width(style, '…') };
  }

  #place(style: TextStyle, parts: readonly string[]): TextLine {
    const { tracking, tabular } = textStyles[style];
    const { factor } = measuredAs(style);
    const design = this.#design(style);
    const starts: number[] = [];
    let x = 0;
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i] as string;
      if (tabular && isDigit(part)) {
        const cell = this.#width(style, '0');
        starts.push(x + (cell - this.#width(style, part)) / 2);
        x += cell;
      } else {
        starts.push(x);
        x += this.#advance(design, part, parts[i + 1] ?? '') * factor + tracking;
      }
    }
    return { parts, starts, width: x };
  }

  #width(style: TextStyle, text: string): number {
    return this.#advance(this.#design(style), text, '') * measuredAs(style).factor;
  }

  /** Returns the advance of the pen after a part, before `next` or at the end of the text; in px of the measured style. */
  #advance(design: Design, part: string, next: string): number {
    let known = design.advances.get(part);
    if (!known) {
      known = new Map();
      design.advances.set(part, known);
    }
    let advance = known.get(next);
    if (advance === undefined) {
      advance =
        next === '' ? this.#measure(design.style, part) : this.#measure(design.style, part + next) - this.#advance(design, next, '');
      known.set(next, advance);
    }
    return advance;
  }

  #design(style: TextStyle): Design {
    const source = measuredAs(style).style;
    let design = this.#designs.get(source);
    if (!design) {
      design = { style: source, advances: new Map() };
      this.#designs.set(source, design);
    }
    return design;
  }
}

/** A line set in the style that another is measured by, in that other style. */
function resized({ parts, starts, width }: TextLine, from: TextStyle, to: TextStyle): TextLine {
  const { factor } = measuredAs(to);
  const tracking = textStyles[to].tracking - textStyles[from].tracking * factor;
  return { parts, starts: starts.map((start, i) => start * factor + i * tracking), width: width * factor + parts.length * tracking };
}

/** Returns the end of the line that begins at `from`: after the last word that fits, or after the first when none fits. */
function lineEnd(line: TextLine, from: number, maxWidth: number): number {
  const limit = (line.starts[from] as number) + maxWidth;
  let end = line.parts.length;
  if (line.width <= limit) return end;
  let found = false;
  for (let i = from; i < line.parts.length; i++) {
    if (line.parts[i] !== ' ') continue;
    if ((line.starts[i] as number) > limit && found) return end;
    end = i;
    found = true;
    if ((line.starts[i] as number) > limit) return end;
  }
  return found ? end : line.parts.length;
}

function slice(line: TextLine, from: number, to: number): TextLine {
  if (from === 0 && to === line.parts.length) return line;
  const start = line.starts[from] as number;
  return { parts: line.parts.slice(from, to), starts: line.starts.slice(from, to).map((x) => x - start), width: endOf(line, to) - start };
}

function endOf(line: TextLine, parts: number): number {
  return parts < line.starts.length ? (line.starts[parts] as number) : line.width;
}

function isDigit(part: string): boolean {
  return part.length === 1 && part >= '0' && part <= '9';
}
