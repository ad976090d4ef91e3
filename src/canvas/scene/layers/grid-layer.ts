import { type Geometry, GlProgram, Mesh, Shader, UniformGroup } from 'pixi.js';
import { gridStep } from '../../geometry/grid-step.ts';
import { sentOnUpdate } from '../gpu/quad-shader.ts';
import { type Frame, type LayerOptions, SceneLayer } from './scene-layer.ts';

/** CSS px across a dot. */
const dotSize = 2;
/** Dots between the coarser ones fade in over this range of gaps (CSS px). */
const fadeGap = { from: 12, to: 20 };
/** At smaller zooms the grid is hidden. */
const hiddenBelow = 0.15;

const vertex = `#version 300 es
precision highp float;
uniform mat3 uProjectionMatrix;
uniform vec2 uOrigin;
uniform vec2 uFirst;
uniform float uColumns;
uniform float uGap;
uniform float uDot;
uniform float uPixelRatio;
uniform float uFine;
flat out float vAlpha;

void main() {
  vec2 corner = vec2(float((gl_VertexID & 1) ^ ((gl_VertexID >> 1) & 1)), float((gl_VertexID >> 1) & 1));
  int columns = int(uColumns);
  vec2 cell = vec2(float((gl_VertexID >> 2) % columns), float((gl_VertexID >> 2) / columns));
  vec2 index = cell + uFirst;
  vec2 odd = abs(mod(index, 2.0));
  vAlpha = max(odd.x, odd.y) > 0.5 ? uFine : 1.0;
  vec2 centre = floor((uOrigin + cell * uGap) * uPixelRatio + 0.5);
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

/** The dots of the grid: one small quad each, so that only the dots use fill rate. A dot's place follows from its number. */
export class GridLayer extends SceneLayer {
  readonly #uniforms = new UniformGroup(
    {
      uOrigin: { value: new Float32Array(2), type: 'vec2<f32>' },
      uFirst: { value: new Float32Array(2), type: 'vec2<f32>' },
      uColumns: { value: 1, type: 'f32' },
      uGap: { value: 20, type: 'f32' },
      uDot: { value: 2, type: 'f32' },
      uPixelRatio: { value: 1, type: 'f32' },
      uFine: { value: 1, type: 'f32' },
      uColour: { value: new Float32Array(3), type: 'vec3<f32>' },
    },
    sentOnUpdate,
  );
  readonly #shader: Shader;
  readonly #geometry: Geometry;
  #colour = -1;

  constructor(options: LayerOptions) {
    super(options);
    this.#geometry = this.parts.indices.geometry({});
    this.#shader = new Shader({
      glProgram: GlProgram.from({ vertex, fragment, name: 'canvas-grid' }),
      resources: { gridUniforms: this.#uniforms },
    });
    this.addChild(new Mesh({ geometry: this.#geometry, shader: this.#shader }));
  }

  get meshes(): number {
    return this.visible ? 1 : 0;
  }

  draw({ ephemeral: { camera, size }, pixelRatio }: Frame): void {
    this.visible = camera.zoom >= hiddenBelow;
    if (!this.visible) return;
    this.#setColour(this.parts.pen.palette.gridDot);
    const gap = gridStep(camera.zoom) * camera.zoom;
    const columns = Math.ceil(size.width / gap) + 1;
    const rows = Math.ceil(size.height / gap) + 1;
    this.parts.indices.draw(this.#geometry, columns * rows);
    const firstX = Math.ceil(-camera.x / gap);
    const firstY = Math.ceil(-camera.y / gap);
    const { uniforms } = this.#uniforms;
    uniforms.uFirst = new Float32Array([firstX & 1, firstY & 1]);
    uniforms.uOrigin = new Float32Array([camera.x + firstX * gap, camera.y + firstY * gap]);
    uniforms.uColumns = columns;
    uniforms.uGap = gap;
    uniforms.uDot = Math.max(1, Math.round(dotSize * pixelRatio * Math.min(1, 0.4 + 0.6 * camera.zoom)));
    uniforms.uPixelRatio = pixelRatio;
    uniforms.uFine = Math.min(1, Math.max(0, (gap - fadeGap.from) / (fadeGap.to - fadeGap.from)));
    this.#uniforms.update();
  }

  protected free(): void {
    for (const mesh of this.removeChildren()) mesh.destroy();
    this.#geometry.destroy();
    this.#shader.destroy();
  }

  #setColour(colour: number): void {
    if (colour === this.#colour) return;
    this.#colour = colour;
    this.#uniforms.uniforms.uColour = new Float32Array([(colour >> 16) / 255, ((colour >> 8) & 255) / 255, (colour & 255) / 255]);
  }
}
