import { BrowserAdapter, DOMAdapter, GlContextSystem } from 'pixi.js';

/*
 * What Pixi asks of WebGL before it draws. Each question waits for the process that draws, which takes 20 ms and more where the
 * processor does that too: so one context answers what Pixi asks contexts of its own, and only extensions that are used are asked for.
 */

/** For questions alone; undefined until the first. */
let answering: WebGL2RenderingContext | null | undefined;

DOMAdapter.set({
  ...BrowserAdapter,
  createCanvas(width, height) {
    const canvas = BrowserAdapter.createCanvas(width, height);
    const getContext = canvas.getContext.bind(canvas) as (kind: string, options?: unknown) => RenderingContext | null;
    return Object.assign(canvas, {
      getContext: (kind: string, options?: unknown) => (kind === 'webgl' ? answeringContext() : getContext(kind, options)),
    });
  },
});

/** Of the second version, which the shaders are written for: where there is none, Pixi finds no WebGL. */
function answeringContext(): WebGL2RenderingContext | null {
  if (answering === null || (answering && !answering.isContextLost())) return answering;
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  answering = canvas.getContext('webgl2', { stencil: true });
  // Pixi ends each context of its own by this.
  if (answering) answering.getExtension = () => null;
  return answering;
}

Object.assign(GlContextSystem.prototype, {
  getExtensions(this: GlContextSystem) {
    this.extensions = { loseContext: this.gl.getExtension('WEBGL_lose_context') } as GlContextSystem['extensions'];
    // Where a graphics card takes the last vertex for what is flat, it would have to be made to take the other.
    const provoking = this.gl.getExtension('WEBGL_provoking_vertex');
    provoking?.provokingVertexWEBGL(provoking.FIRST_VERTEX_CONVENTION_WEBGL);
  },
});

/** As PixiJS asks for its context; the first to ask decides. */
const attributes: WebGLContextAttributes = {
  ...{ alpha: false, premultipliedAlpha: true, antialias: false, stencil: true },
  powerPreference: 'default',
};

/**
 * Takes the canvas's context, in its size (CSS px), at once: later it would wait for all that the page is drawing by then. PixiJS, which
 * makes more of it, gets the same one. Tells whether the browser gives one.
 */
export function beginDrawing(
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
