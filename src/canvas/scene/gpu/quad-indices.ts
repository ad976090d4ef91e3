import { Buffer, BufferUsage, Geometry, type GeometryDescriptor } from 'pixi.js';

const quadCorners = [0, 1, 2, 0, 2, 3] as const;
const quadsAtFirst = 4_096;

/** The index buffer of all meshes of a scene, with corners 0 1 2, 0 2 3 of each quad. Sent to the GPU once. */
export class QuadIndices {
  readonly #buffer = new Buffer({ data: pattern(quadsAtFirst), usage: BufferUsage.INDEX | BufferUsage.COPY_DST });

  /** A geometry that draws quads. Its index buffer is shared: do not destroy it with the geometry. */
  geometry(attributes: GeometryDescriptor['attributes']): Geometry {
    return new Geometry({ attributes, indexBuffer: this.#buffer, topology: 'triangle-list' });
  }

  /** Makes a geometry of this class draw its first `quads` quads, at least one. */
  draw(geometry: Geometry, quads: number): void {
    if (this.#buffer.data.length < quads * 6) this.#buffer.data = pattern(2 * quads);
    geometry.indexCount = quads * 6;
  }

  destroy(): void {
    this.#buffer.destroy();
  }
}

function pattern(quads: number): Uint32Array<ArrayBuffer> {
  const indices = new Uint32Array(quads * 6);
  for (let quad = 0; quad < quads; quad++) {
    for (let i = 0; i < 6; i++) indices[quad * 6 + i] = quad * 4 + (quadCorners[i] as number);
  }
  return indices;
}
