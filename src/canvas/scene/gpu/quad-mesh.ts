import { Buffer, BufferUsage, type Geometry, Mesh, type Shader, type VertexFormat } from 'pixi.js';
import type { QuadIndices } from './quad-indices.ts';

/** How the vertices of a mesh are laid out and drawn. */
export type MeshKind = {
  shader: Shader;
  vertexBytes: number;
  attributes: Record<string, { format: VertexFormat; offset: number }>;
  indices: QuadIndices;
  /** Sends a buffer's data to the GPU immediately. */
  upload: (buffer: Buffer) => void;
};

const noVertices = new Float32Array(0);

/**
 * A mesh of quads with replaceable vertices; draws nothing while it has none. `set` sends the vertices to the GPU and keeps no
 * copy: the caller may overwrite its buffer. After a loss of the context the caller must set them again.
 */
export class QuadMesh {
  readonly mesh: Mesh<Geometry, Shader>;
  readonly #vertices: Buffer;
  readonly #kind: MeshKind;
  quads = 0;

  constructor(kind: MeshKind, vertices: Float32Array<ArrayBuffer> = noVertices) {
    this.#kind = kind;
    this.#vertices = new Buffer({ data: noVertices, usage: BufferUsage.VERTEX | BufferUsage.COPY_DST });
    const attributes = Object.fromEntries(
      Object.entries(kind.attributes).map(([name, { format, offset }]) => [
        name,
        { buffer: this.#vertices, format, offset, stride: kind.vertexBytes },
      ]),
    );
    this.mesh = new Mesh({ geometry: kind.indices.geometry(attributes), shader: kind.shader });
    this.set(vertices);
  }

  set(vertices: Float32Array<ArrayBuffer>): void {
    const quads = vertices.byteLength / (4 * this.#kind.vertexBytes);
    this.mesh.visible = quads > 0;
    if (quads > 0) {
      this.#vertices.data = vertices;
      this.#kind.upload(this.#vertices);
      if (quads !== this.quads) this.#kind.indices.draw(this.mesh.geometry, quads);
    }
    this.quads = quads;
  }

  destroy(): void {
    const { geometry } = this.mesh;
    this.mesh.destroy();
    geometry.destroy();
    this.#vertices.destroy();
  }
}
