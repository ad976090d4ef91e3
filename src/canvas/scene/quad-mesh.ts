import { Buffer, BufferUsage, Geometry, Mesh, type Shader, type VertexFormat } from 'pixi.js';

/** How the vertices of a mesh are laid out and drawn. */
export type MeshKind = {
  shader: Shader;
  vertexBytes: number;
  attributes: Record<string, { format: VertexFormat; offset: number }>;
  /** Sends a buffer's data to the GPU at once. */
  upload: (buffer: Buffer) => void;
};

/**
 * A mesh of quads whose vertices can be set anew; draws nothing while it has none. Vertices go to the GPU when they are
 * set and are not kept here: they may lie in a buffer that is written over next, and after a loss of the context they are
 * to be set again.
 */
export class QuadMesh {
  readonly mesh: Mesh<Geometry, Shader>;
  readonly #vertices: Buffer;
  readonly #indices: Buffer;
  readonly #kind: MeshKind;
  quads = 0;

  constructor(kind: MeshKind, vertices: Float32Array<ArrayBuffer> = new Float32Array(0)) {
    this.#kind = kind;
    this.#vertices = new Buffer({ data: new Float32Array(0), usage: BufferUsage.VERTEX | BufferUsage.COPY_DST });
    this.#indices = new Buffer({ data: quadIndices(1), usage: BufferUsage.INDEX | BufferUsage.COPY_DST });
    const attributes = Object.fromEntries(
      Object.entries(kind.attributes).map(([name, { format, offset }]) => [
        name,
        { buffer: this.#vertices, format, offset, stride: kind.vertexBytes },
      ]),
    );
    const geometry = new Geometry({ attributes, indexBuffer: this.#indices, topology: 'triangle-list' });
    this.mesh = new Mesh({ geometry, shader: kind.shader });
    this.set(vertices);
  }

  set(vertices: Float32Array<ArrayBuffer>): void {
    const quads = vertices.byteLength / (4 * this.#kind.vertexBytes);
    this.mesh.visible = quads > 0;
    if (quads > 0) {
      this.#vertices.data = vertices;
      this.#kind.upload(this.#vertices);
      if (quads !== this.quads) this.#indices.data = quadIndices(quads);
    }
    this.quads = quads;
  }

  destroy(): void {
    const { geometry } = this.mesh;
    this.mesh.destroy();
    geometry.destroy(true);
  }
}

const quadCorners = [0, 1, 2, 0, 2, 3] as const;
const quadsBelow16Bit = 16_384;
let small: Uint16Array<ArrayBuffer> = indexPattern(new Uint16Array(6 * 1_024));
let large: Uint32Array<ArrayBuffer> = indexPattern(new Uint32Array(6));

/** Corners 0 1 2, 0 2 3 of each quad: a view of one pattern that all meshes share. */
function quadIndices(quads: number): Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> {
  if (quads <= quadsBelow16Bit) {
    if (small.length < quads * 6) small = indexPattern(new Uint16Array(6 * Math.min(quadsBelow16Bit, 2 * quads)));
    return small.subarray(0, quads * 6);
  }
  if (large.length < quads * 6) large = indexPattern(new Uint32Array(6 * Math.ceil(quads * 1.25)));
  return large.subarray(0, quads * 6);
}

function indexPattern<T extends Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(indices: T): T {
  for (let quad = 0; quad < indices.length / 6; quad++) {
    const corner = quad * 4;
    for (let i = 0; i < 6; i++) indices[quad * 6 + i] = corner + (quadCorners[i] as number);
  }
  return indices;
}
