import type { Rect } from '../geometry/camera.ts';

/** A shape or text of a picture of the canvas, in world px; colours are 0xrrggbb. All file formats are written from marks. */
export type Mark =
  | {
      kind: 'box';
      x: number;
      y: number;
      width: number;
      height: number;
      radius: number;
      fill?: number;
      fillAlpha?: number;
      stroke?: number;
      strokeAlpha?: number;
      line?: number;
      dash?: readonly number[];
    }
  /** SVG path data from (x, y), `scale` times as large. */
  | {
      kind: 'path';
      d: string;
      x: number;
      y: number;
      scale: number;
      fill?: number;
      stroke?: number;
      alpha?: number;
      line?: number;
      dash?: readonly number[];
      /** The ends of lines and dashes; round if absent. */
      cap?: 'butt';
    }
  /** A line of text, its baseline from (x, y); `width` is its width in its own typeface. */
  | { kind: 'text'; x: number; y: number; width: number; text: string; size: number; weight: number; tracking: number; colour: number };

/** The marks of one thing and their bounds, so that a strip of the picture skips things outside it. */
export type MarkGroup = { box: Rect; marks: Mark[] };

export type Sketch = { bounds: Rect; background: number; groups: MarkGroup[] };

export const fontFamily = "'Inter Variable', Inter, system-ui, sans-serif";

export function cssColour(colour: number): string {
  return `#${colour.toString(16).padStart(6, '0')}`;
}
