import type { Rect } from '../geometry/camera.ts';

/** A piece of a picture of the canvas, measured in world px; colours are 0xrrggbb. What a picture is made of, whatever it is saved as. */
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
    }
  /** A line of text, its baseline from (x, y); `width` is what it takes in its own typeface. */
  | { kind: 'text'; x: number; y: number; width: number; text: string; size: number; weight: number; tracking: number; colour: number };

/** What one thing is drawn with, and how far that reaches, so that a part of the picture needs no others. */
export type MarkGroup = { box: Rect; marks: Mark[] };

export type Sketch = { bounds: Rect; background: number; groups: MarkGroup[] };

export const fontFamily = "'Inter Variable', Inter, system-ui, sans-serif";

export function cssColour(colour: number): string {
  return `#${colour.toString(16).padStart(6, '0')}`;
}
