import type { LinkPath } from '../../geometry/link-path.ts';
import { packed } from '../gpu/colour.ts';
import { dashedLine, type LinkLine, linkLine, linkVertexBytes } from './link-shader.ts';

const wordsPerVertex = linkVertexBytes / 4;

/** How one link looks. Widths in world px, but never less than `minWidth` CSS px; colours 0xrrggbb. */
export type LinkLook = { line: LinkLine; isDashed?: boolean; width: number; minWidth?: number; colour: number; alpha: number };

/** Writes links for `link-shader.ts` as strips of quads into one growing buffer, which is reused from tile to tile. */
export class LinkWriter {
  #floats = new Float32Array(wordsPerVertex * 8_192);
  #words = new Uint32Array(this.#floats.buffer);
  #quads = 0;

  get quads(): number {
    return this.#quads;
  }

  begin(): void {
    this.#quads = 0;
  }

  /** The vertices written since `begin`; valid until the next `begin`. */
  written(): Float32Array<ArrayBuffer> {
    return this.#floats.subarray(0, this.#quads * 4 * wordsPerVertex);
  }

  link(path: LinkPath, look: LinkLook): void {
    const { points, along, count, length } = path;
    const colour = packed(look.colour, look.alpha);
    const line =
      (linkLine[look.line] + (look.isDashed ? dashedLine : 0)) | (halfWidth(look.width) << 8) | (halfWidth(look.minWidth ?? 0) << 24);
    let normalX = 0;
    let normalY = 0;
    let startX = 0;
    let startY = 0;
    for (let point = 0; point < count; point++) {
      // The direction of the segment after this point; the last point keeps the direction of its segment.
      const goesOn = point + 1 < count;
      const reach = goesOn ? (along[point + 1] as number) - (along[point] as number) || 1 : 1;
      const nextX = goesOn ? ((points[2 * point + 1] as number) - (points[2 * point + 3] as number)) / reach : normalX;
      const nextY = goesOn ? ((points[2 * point + 2] as number) - (points[2 * point] as number)) / reach : normalY;
      if (point === 0) {
        startX = nextX;
        startY = nextY;
      } else {
        // Where two segments meet, both end on the bisector, so that the strip keeps its width and does not overlap itself.
        const share = 1 / Math.max(0.25, 1 + normalX * nextX + normalY * nextY);
        const endX = (normalX + nextX) * share;
        const endY = (normalY + nextY) * share;
        this.#segment(points, along, length, point, startX, startY, endX, endY, colour, line);
        startX = endX;
        startY = endY;
      }
      normalX = nextX;
      normalY = nextY;
    }
  }

  #segment(
    points: ArrayLike<number>,
    along: ArrayLike<number>,
    length: number,
    segment: number,
    startX: number,
    startY: number,
    endX: number,
    endY: number,
    colour: number,
    line: number,
  ): void {
    const at = this.#quads * 4 * wordsPerVertex;
    if (at + 4 * wordsPerVertex > this.#floats.length) this.#grow();
    const from = segment - 1;
    this.#vertex(at, points, along, length, from, startX, startY, colour, line);
    this.#vertex(at + wordsPerVertex, points, along, length, segment, endX, endY, colour, line);
    this.#vertex(at + 2 * wordsPerVertex, points, along, length, segment, endX, endY, colour, line | (255 << 16));
    this.#vertex(at + 3 * wordsPerVertex, points, along, length, from, startX, startY, colour, line | (255 << 16));
    this.#quads++;
  }

  #vertex(
    at: number,
    points: ArrayLike<number>,
    along: ArrayLike<number>,
    length: number,
    point: number,
    normalX: number,
    normalY: number,
    colour: number,
    line: number,
  ): void {
    const floats = this.#floats;
    floats[at] = points[2 * point] as number;
    floats[at + 1] = points[2 * point + 1] as number;
    floats[at + 2] = normalX;
    floats[at + 3] = normalY;
    floats[at + 4] = along[point] as number;
    floats[at + 5] = length;
    this.#words[at + 6] = colour;
    this.#words[at + 7] = line;
  }

  #grow(): void {
    const grown = new Float32Array(this.#floats.length * 2);
    grown.set(this.#floats);
    this.#floats = grown;
    this.#words = new Uint32Array(grown.buffer);
  }
}

/** Sixteenths of a px, in a byte. */
function halfWidth(width: number): number {
  return Math.min(255, Math.round((width / 2) * 16));
}
