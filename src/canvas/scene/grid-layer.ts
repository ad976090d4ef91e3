import { Buffer, BufferUsage, Container, Geometry, GlProgram, Mesh, Shader, UniformGroup } from 'pixi.js';
import type { Camera } from '../canvas-view.ts';
import { gridStep } from '../geometry/grid-step.ts';

/** CSS px across a dot. */
const dotSize = 2;
/** Dots between the coarser ones fade in over this range of gaps (CSS px). */
const fadeGap = { from: 12, to: 20 };
/** From afar the grid says nothing any more. */
const hiddenBelow = 0.15;

const quadCorners = [0, 1, 2, 0, 2, 3] as const;

const vertex = `#version 300 es
precision highp float;
in vec2 aCell;
uniform mat3 uProjectionMatrix;
uniform vec2 uOrigin;
uniform vec2 uFirst;
uniform float uGap;
uniform float uDot;
uniform float uPixelRatio;
uniform float uFine;
flat out float vAlpha;

void main() {
  vec2 corner = vec2(float((gl_VertexID & 1) ^ ((gl_VertexID >> 1) & 1)), float((gl_VertexID >> 1) & 1));
  vec2 index = aCell + uFirst;
  vec2 odd = abs(mod(index, 2.0));
  vAlpha = max(odd.x, odd.y) > 0.5 ? uFine : 1.0;
  vec2 centre = floor((uOrigin + aCell * uGap) * uPixelRatio + 0.5);
  vec2 position = (centre + (corner - 0.5) * uDot) / uPixelRatio;
  gl_Position = vec4((uProjectionMatrix * vec3(position, 1.0)).xy, 0.0, 1.0);
}
`;

const fragment = `#version 300 es
precision mediump float;
flat in float vAlpha;
uniform vec3 uColour;
out vec4 finalColor;
void main() { finalColor = vec4(uColour, 1.0) * vAlpha; }
`;

/** The canvas's dots: one small quad each, so that only the dots themselves cost fill. */
export class GridLayer {
  readonly container = new Container();
  readonly #uniforms = new UniformGroup({
    uOrigin: { value: new Float32Array(2), type: 'vec2<f32>' },
    uFirst: { value: new Float32Array(2), type: 'vec2<f32>' },
    uGap: { value: 20, type: 'f32' },
    uDot: { value: 2, type: 'f32' },
    uPixelRatio: { value: 1, type: 'f32' },
    uFine: { value: 1, type: 'f32' },
    uColour: { value: new Float32Array(3), type: 'vec3<f32>' },
  });
  readonly #shader: Shader;
  #mesh: Mesh<Geometry, Shader> | null = null;
  #columns = 0;
  #rows = 0;

  constructor() {
    this.#shader = new Shader({
      glProgram: GlProgram.from({ vertex, fragment, name: 'canvas-grid' }),
      resources: { gridUniforms: this.#uniforms },
    });
  }

  setColour(colour: number): void {
    this.#uniforms.uniforms.uColour = new Float32Array([(colour >> 16) / 255, ((colour >> 8) & 255) / 255, (colour & 255) / 255]);
  }

  /** Lays the dots out for a view of `size` CSS px. */
  show(camera: Camera, size: { width: number; height: number }, pixelRatio: number): void {
    this.container.visible = camera.zoom >= hiddenBelow;
    if (!this.container.visible) return;
    const gap = gridStep(camera.zoom) * camera.zoom;
    const columns = Math.ceil(size.width / gap) + 1;
    const rows = Math.ceil(size.height / gap) + 1;
    if (columns > this.#columns || rows > this.#rows || !this.#mesh)
      this.#reserve(Math.max(columns, this.#columns), Math.max(rows, this.#rows));
    const firstX = Math.ceil(-camera.x / gap);
    const firstY = Math.ceil(-camera.y / gap);
    const { uniforms } = this.#uniforms;
    uniforms.uFirst = new Float32Array([firstX & 1, firstY & 1]);
    uniforms.uOrigin = new Float32Array([camera.x + firstX * gap, camera.y + firstY * gap]);
    uniforms.uGap = gap;
    uniforms.uDot = Math.max(1, Math.round(dotSize * pixelRatio * Math.min(1, 0.4 + 0.6 * camera.zoom)));
    uniforms.uPixelRatio = pixelRatio;
    uniforms.uFine = Math.min(1, Math.max(0, (gap - fadeGap.from) / (fadeGap.to - fadeGap.from)));
  }

  destroy(): void {
    this.#discard();
    this.container.destroy();
    this.#shader.destroy();
  }

  #reserve(columns: number, rows: number): void {
    this.#discard();
    this.#columns = columns;
    this.#rows = rows;
    const cells = new Float32Array(columns * rows * 8);
    const indices = new Uint32Array(columns * rows * 6);
    for (let dot = 0; dot < columns * rows; dot++) {
      const corner = dot * 4;
      for (let i = 0; i < 4; i++) {
        cells[dot * 8 + 2 * i] = dot % columns;
        cells[dot * 8 + 2 * i + 1] = Math.floor(dot / columns);
      }
      for (let i = 0; i < 6; i++) indices[dot * 6 + i] = corner + (quadCorners[i] as number);
    }
    const geometry = new Geometry({
      attributes: { aCell: { buffer: new Buffer({ data: cells, usage: BufferUsage.VERTEX }), format: 'float32x2' } },
      indexBuffer: new Buffer({ data: indices, usage: BufferUsage.INDEX }),
      topology: 'triangle-list',
    });
    this.#mesh = new Mesh({ geometry, shader: this.#shader });
    this.container.addChild(this.#mesh);
  }

  #discard(): void {
    if (!this.#mesh) return;
    const { geometry } = this.#mesh;
    this.#mesh.destroy();
    geometry.destroy(true);
    this.#mesh = null;
  }
}
