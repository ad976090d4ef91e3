import { packed } from './colour.ts';
import { type QuadKind, type QuadMotion, type QuadUnit, quadKind, quadMotion, quadUnit, quadVertexBytes } from './quad-shader.ts';

const wordsPerVertex = quadVertexBytes / 4;
const wordsPerQuad = wordsPerVertex * 4;
/** The mode of nearly all quads of a card. */
const letterMode = mode('glyph', 'text', 'still');

/** A box relative to the writer's anchor. Colours are 0xrrggbb; absent parts are not drawn. */
type ShapeQuad = {
  x: number;
  y: number;
  width: number;
  height: number;
  unit?: QuadUnit;
  kind?: QuadKind;
  motion?: QuadMotion;
  radius?: number;
  fill?: number;
  fillAlpha?: number;
  border?: number;
  stroke?: number;
  strokeAlpha?: number;
  /** Height of the strip along the top, and width of the one along the left edge. */
  bandTop?: number;
  bandLeft?: number;
  band?: number;
  bandAlpha?: number;
};

/** Writes quads for `quad-shader.ts` into one growing buffer, which is reused from tile to tile. */
export class QuadWriter {
  #floats = new Float32Array(wordsPerQuad * 4_096);
  #words = new Uint32Array(this.#floats.buffer);
  #count = 0;
  #anchorX = 0;
  #anchorY = 0;
  /** 0..1, multiplies every alpha: cards that take no part are drawn fainter. */
  alpha = 1;

  get quads(): number {
    return this.#count;
  }

  begin(): void {
    this.#count = 0;
    this.alpha = 1;
  }

  /** World px from which the boxes that follow are measured. */
  anchor(x: number, y: number): void {
    this.#anchorX = x;
    this.#anchorY = y;
  }

  shape(quad: ShapeQuad): void {
    this.#write(
      quad.x,
      quad.y,
      quad.width,
      quad.height,
      quad.radius ?? 0,
      quad.border ?? 0,
      quad.bandTop ?? 0,
      quad.bandLeft ?? 0,
      quad.fill === undefined ? 0 : packed(quad.fill, (quad.fillAlpha ?? 1) * this.alpha),
      quad.stroke === undefined ? 0 : packed(quad.stroke, (quad.strokeAlpha ?? 1) * this.alpha),
      quad.band === undefined ? 0 : packed(quad.band, (quad.bandAlpha ?? 1) * this.alpha),
      mode(quad.kind ?? 'shape', quad.unit ?? 'world', quad.motion ?? 'still'),
    );
  }

  /** A picture from the atlas: `u`, `v` its corner there in texels, `columns` by `rows` texels large; `colour` as `packed` gives it. */
  picture(
    x: number,
    y: number,
    width: number,
    height: number,
    unit: QuadUnit,
    cell: { u: number; v: number; columns: number; rows: number; coloured: boolean },
    colour: number,
    motion: QuadMotion = 'still',
  ): void {
    const letter = unit === 'text' && motion === 'still' && !cell.coloured;
    const bytes = letter ? letterMode : mode(cell.coloured ? 'colourGlyph' : 'glyph', unit, motion);
    this.#write(x, y, width, height, cell.u, cell.v, cell.u + cell.columns, cell.v + cell.rows, colour, 0, 0, bytes);
  }

  /** The vertices written since `begin`; valid until the next `begin`. */
  written(): Float32Array<ArrayBuffer> {
    return this.#floats.subarray(0, this.#count * wordsPerQuad);
  }

  #write(
    x: number,
    y: number,
    width: number,
    height: number,
    a: number,
    b: number,
    c: number,
    d: number,
    fill: number,
    stroke: number,
    band: number,
    modeBytes: number,
  ): void {
    const start = this.#count * wordsPerQuad;
    if (start + wordsPerQuad > this.#floats.length) this.#grow();
    const floats = this.#floats;
    const words = this.#words;
    floats[start] = this.#anchorX;
    floats[start + 1] = this.#anchorY;
    floats[start + 2] = x;
    floats[start + 3] = y;
    floats[start + 4] = width;
    floats[start + 5] = height;
    floats[start + 6] = a;
    floats[start + 7] = b;
    floats[start + 8] = c;
    floats[start + 9] = d;
    words[start + 10] = fill;
    words[start + 11] = stroke;
    words[start + 12] = band;
    words[start + 13] = modeBytes;
    words.copyWithin(start + wordsPerVertex, start, start + wordsPerVertex);
    words.copyWithin(start + 2 * wordsPerVertex, start, start + 2 * wordsPerVertex);
    this.#count++;
  }

  #grow(): void {
    const grown = new Float32Array(this.#floats.length * 2);
    grown.set(this.#floats);
    this.#floats = grown;
    this.#words = new Uint32Array(grown.buffer);
  }
}

function mode(kind: QuadKind, unit: QuadUnit, motion: QuadMotion): number {
  return quadKind[kind] | (quadUnit[unit] << 8) | (quadMotion[motion] << 16);
}
