import { BrowserAdapter, DOMAdapter, GlContextSystem } from 'pixi.js';

/*
 * Reduces the WebGL calls that PixiJS makes before it draws. Each query waits for the GPU process, 20 ms and more with software
 * rendering. One shared context answers the queries of PixiJS's probe contexts, and only the extensions in use are requested.
 */

/** The shared context for queries; undefined until the first. */
let queryContext: WebGL2RenderingContext | null | undefined;

DOMAdapter.set({
  ...BrowserAdapter,
  createCanvas(width, height) {
    const canvas = BrowserAdapter.createCanvas(width, height);
    const getContext = canvas.getContext.bind(canvas) as (kind: string, options?: unknown) => RenderingContext | null;
    return Object.assign(canvas, {
      getContext: (kind: string, options?: unknown) => (kind === 'webgl' ? getQueryContext() : getContext(kind, options)),
    });
  },
});

/** A WebGL 2 context, which the shaders need. Without one PixiJS finds no WebGL. */
function getQueryContext(): WebGL2RenderingContext | null {
  if (queryContext === null || (queryContext && !queryContext.isContextLost())) return queryContext;
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  queryContext = canvas.getContext('webgl2', { stencil: true });
  // PixiJS ends each of its probe contexts through an extension; the shared one must stay.
  if (queryContext) queryContext.getExtension = () => null;
  return queryContext;
}

Object.assign(GlContextSystem.prototype, {
  getExtensions(this: GlContextSystem) {
    this.extensions = { loseContext: this.gl.getExtension('WEBGL_lose_context') } as GlContextSystem['extensions'];
    // Takes flat values from the first vertex; some GPUs convert at a cost if they take the last.
    const provoking = this.gl.getExtension('WEBGL_provoking_vertex');
    provoking?.provokingVertexWEBGL(provoking.FIRST_VERTEX_CONVENTION_WEBGL);
  },
});

/** The attributes that PixiJS uses; the first call of getContext decides. */
const attributes: WebGLContextAttributes = {
  alpha: false,
  premultipliedAlpha: true,
  antialias: false,
  stencil: true,
  powerPreference: 'default',
};

/**
 * Creates the canvas's context in its size (CSS px) early: a later call would wait until the page is drawn. PixiJS gets
 * the same context. Returns whether the browser provides one.
 */
export function createWebGlContext(
  canvas: HTMLCanvasElement,
  { width, height, resolution }: { width: number; height: number; resolution: number },
): boolean {
  canvas.width = Math.round(width * resolution);
  canvas.height = Math.round(height * resolution);
  const drawing = canvas.getContext('webgl2', attributes);
  drawing?.getExtension('WEBGL_lose_context');
  drawing?.getExtension('WEBGL_provoking_vertex');
  return drawing !== null;
}
