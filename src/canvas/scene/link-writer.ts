import type { LinkPath } from '../geometry/link-path.ts';
import { packed } from './colour.ts';
import { type LinkLine, linkLine, linkVertexBytes } from './link-shader.ts';

const wordsPerVertex = linkVertexBytes / 4;

/** How one link looks. Widths in world px, colours 0xrrggbb. */
export type LinkLook = { line: LinkLine; width: number; colour: number; alpha: number };

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

  /** What was written since `begin`; good until the next `begin`. */
  written(): Float32Array<ArrayBuffer> {
    return this.#floats.subarray(0, this.#quads * 4 * wordsPerVertex);
  }

  link(path: LinkPath, look: LinkLook): void {
    const { points, along, length } = path;
    const colour = packed(look.colour, look.alpha);
    const half = Math.min(255, Math.round((look.width / 2) * 16));
    const line = linkLine[look.line] | (half << 8);
    let normal = legNormal(points, 1);
    let startX = normal.x;
    let startY = normal.y;
    for (let leg = 1; leg < along.length; leg++) {
      const next = leg + 1 < along.length ? legNormal(points, leg + 1) : normal;
      // Where two legs meet, both end on the bisector, so that the strip keeps its width and does not overlap itself.
      const share = 1 / Math.max(0.25, 1 + normal.x * next.x + normal.y * next.y);
      const endX = (normal.x + next.x) * share;
      const endY = (normal.y + next.y) * share;
      this.#leg(points, along, length, leg, startX, startY, endX, endY, colour, line);
      startX = endX;
      startY = endY;
      normal = next;
    }
  }

  #leg(
    points: readonly number[],
    along: readonly number[],
    length: number,
    leg: number,
    startX: number,
    startY: number,
    endX: number,
    endY: number,
    colour: number,
    line: number,
  ): void {
    const at = this.#quads * 4 * wordsPerVertex;
    if (at + 4 * wordsPerVertex > this.#floats.length) this.#grow();
    const from = leg - 1;
    this.#vertex(at, points, along, length, from, startX, startY, colour, line);
    this.#vertex(at + wordsPerVertex, points, along, length, leg, endX, endY, colour, line);
    this.#vertex(at + 2 * wordsPerVertex, points, along, length, leg, endX, endY, colour, line | (255 << 16));
    this.#vertex(at + 3 * wordsPerVertex, points, along, length, from, startX, startY, colour, line | (255 << 16));
    this.#quads++;
  }

  #vertex(
    at: number,
    points: readonly number[],
    along: readonly number[],
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

function legNormal(points: readonly number[], leg: number): { x: number; y: number } {
  const dx = (points[2 * leg] as number) - (points[2 * leg - 2] as number);
  const dy = (points[2 * leg + 1] as number) - (points[2 * leg - 1] as number);
  const length = Math.hypot(dx, dy) || 1;
  return { x: -dy / length, y: dx / length };
}
