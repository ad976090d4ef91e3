import type { CardState } from '../../../model/card-view.ts';

/** The side of the square that a sign is drawn in. */
export const glyphGrid = 16;

/** Signs in a 16 x 16 box, each with its own shape: of a card's state, of blocks at small zooms, and of differences. */
export type StateGlyph =
  | CardState
  | 'activeArc'
  | 'check'
  | 'cross'
  | 'bars'
  | 'slash'
  | 'square'
  | 'dots'
  | 'plus'
  | 'minus'
  | 'pencil'
  | 'arrows';

/** A line or area of a sign, as SVG path data. A cut shows what is behind the sign; the other parts have its colour. */
type GlyphPart = { d: string; kind: 'line' | 'area' | 'cut'; width?: number; dash?: readonly number[]; alpha?: number };

const line = (d: string, width = 1.5): GlyphPart => ({ d, kind: 'line', width });
const area = (d: string): GlyphPart => ({ d, kind: 'area' });
const cut = (d: string): GlyphPart => ({ d, kind: 'cut', width: 1.8 });
const circle = (radius: number, x = 8) =>
  `M${x + radius} 8a${radius} ${radius} 0 0 1 ${-2 * radius} 0a${radius} ${radius} 0 0 1 ${2 * radius} 0`;

/** The parts of each sign, in the order in which they are drawn. Canvas and exported picture use them. */
export const glyphParts: Record<StateGlyph, readonly GlyphPart[]> = {
  idle: [line(circle(5.75))],
  waiting: [{ ...line(circle(5.75)), dash: [2.3, 2.215] }, line('M8 5.25V8.2L10 9.4')],
  active: [{ ...line(circle(6), 1.75), alpha: 0.28 }, area(circle(2.25))],
  activeArc: [line('M8 2a6 6 0 0 1 6 6', 1.75)],
  paused: [
    line('M5.25 2.25h5.5a3 3 0 0 1 3 3v5.5a3 3 0 0 1-3 3h-5.5a3 3 0 0 1-3-3v-5.5a3 3 0 0 1 3-3z'),
    line('M6.4 5.75v4.5M9.6 5.75v4.5'),
  ],
  done: [area(circle(7)), cut('M5 8.2l2.2 2.2l4-4.6')],
  failed: [
    area('M14.698 10.774L10.774 14.698H5.226L1.302 10.774V5.226L5.226 1.302h5.548L14.698 5.226z'),
    cut('M5.6 5.6l4.8 4.8M5.6 10.4l4.8-4.8'),
  ],
  stopped: [line(circle(5.75)), area('M6.5 5.5h3a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1v-3a1 1 0 0 1 1-1z')],
  skipped: [line(circle(5.75)), line('M4.1 11.9l7.8-7.8')],
  check: [line('M3 8.4l3.4 3.4l6.6-7.2', 3)],
  cross: [line('M3.4 3.4l9.2 9.2M3.4 12.6l9.2-9.2', 3)],
  bars: [line('M5.2 3.6v8.8M10.8 3.6v8.8', 3)],
  slash: [line('M3.4 12.6l9.2-9.2', 3)],
  square: [area('M3.6 3.6h8.8v8.8h-8.8z')],
  dots: [2.4, 8, 13.6].map((x) => area(circle(1.8, x))),
  plus: [line('M8 2.5v11M2.5 8h11', 2.6)],
  minus: [line('M2.5 8h11', 2.6)],
  pencil: [line('M2.5 13.5L3.4 10L10.8 2.6L13.4 5.2L6 12.6L2.5 13.5', 2)],
  arrows: [line('M2 8h12M10.4 4.4L14 8L10.4 11.6', 2)],
};

/** Draws the glyph in the context's fill and stroke colour. The card shows through its gaps. */
export function drawStateGlyph(pen: CanvasRenderingContext2D, glyph: StateGlyph): void {
  pen.lineJoin = 'round';
  for (const { d, kind, width = 1, dash = [], alpha = 1 } of glyphParts[glyph]) {
    const path = new Path2D(d);
    pen.globalAlpha = alpha;
    pen.globalCompositeOperation = kind === 'cut' ? 'destination-out' : 'source-over';
    pen.lineWidth = width;
    pen.lineCap = dash.length > 0 ? 'butt' : 'round';
    pen.setLineDash([...dash]);
    if (kind === 'area') pen.fill(path);
    else pen.stroke(path);
  }
  pen.globalAlpha = 1;
  pen.globalCompositeOperation = 'source-over';
  pen.setLineDash([]);
}
