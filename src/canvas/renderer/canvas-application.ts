import 'pixi.js/unsafe-eval';
import {
  AbstractRenderer,
  BackgroundSystem,
  BlendModePipe,
  Container,
  GCSystem,
  GlBackBufferSystem,
  GlBufferSystem,
  GlColorMaskSystem,
  GlContextSystem,
  GlEncoderSystem,
  GlGeometrySystem,
  GlLimitsSystem,
  GlobalUniformSystem,
  GlRenderTargetSystem,
  GlShaderSystem,
  GlStateSystem,
  GlStencilSystem,
  GlTextureSystem,
  GlUboSystem,
  GlUniformGroupSystem,
  MeshPipe,
  type PipeConstructor,
  RendererType,
  RenderGroupPipe,
  RenderGroupSystem,
  SchedulerSystem,
  type SharedRendererOptions,
  type SystemConstructor,
  Ticker,
  ViewSystem,
  type WebGLRenderer,
} from 'pixi.js';
import { ColorMaskPipe } from './color-mask-pipe.ts';
import { MeshAdaptor } from './mesh-adaptor.ts';
import { NoBatchPipe } from './no-batch-pipe.ts';

/** What a scene draws into: a stage, and the renderer that draws it; null once it was destroyed. */
export type CanvasApplication = {
  readonly stage: Container;
  readonly canvas: HTMLCanvasElement;
  renderer: WebGLRenderer | null;
};

/** In CSS px; `resolution`: px of the canvas for each of them. */
export type SurfaceSize = { width: number; height: number; resolution: number };

/** In the order in which they start. */
const systems = {
  background: BackgroundSystem,
  globalUniforms: GlobalUniformSystem,
  view: ViewSystem,
  renderGroup: RenderGroupSystem,
  gc: GCSystem,
  scheduler: SchedulerSystem,
  ubo: GlUboSystem,
  backBuffer: GlBackBufferSystem,
  context: GlContextSystem,
  limits: GlLimitsSystem,
  buffer: GlBufferSystem,
  texture: GlTextureSystem,
  renderTarget: GlRenderTargetSystem,
  geometry: GlGeometrySystem,
  uniformGroup: GlUniformGroupSystem,
  shader: GlShaderSystem,
  encoder: GlEncoderSystem,
  state: GlStateSystem,
  stencil: GlStencilSystem,
  colorMask: GlColorMaskSystem,
};

const pipes = { blendMode: BlendModePipe, batch: NoBatchPipe, renderGroup: RenderGroupPipe, colorMask: ColorMaskPipe, mesh: MeshPipe };

/** PixiJS's WebGL renderer with the parts that draw meshes, and no others: the page loads what it draws with. */
class MeshRenderer extends AbstractRenderer<Record<string, never>, SharedRendererOptions, HTMLCanvasElement> {
  constructor() {
    super({
      name: 'webgl',
      type: RendererType.WEBGL,
      systems: named<SystemConstructor>(systems),
      renderPipes: named<PipeConstructor>(pipes),
      renderPipeAdaptors: [{ name: 'mesh', value: MeshAdaptor }],
    });
  }
}

/** Constant, whatever is drawn. */
const settings = {
  antialias: false,
  autoDensity: true,
  gcActive: false,
  // Its pointer events, its own accessibility and the like: the canvas has its own.
  skipExtensionImports: true,
} as const;

/** Starts the renderer on a canvas, whose context may be there already. Rejects when the browser cannot draw. */
export async function startApplication(canvas: HTMLCanvasElement, size: SurfaceSize): Promise<CanvasApplication> {
  // Nothing here runs on a clock of Pixi's: the scene draws when something has changed.
  Ticker.system.autoStart = false;
  Ticker.system.stop();
  const renderer = new MeshRenderer();
  await renderer.init({ ...settings, ...size, canvas });
  return { stage: new Container(), canvas, renderer: renderer as unknown as WebGLRenderer };
}

/** Gives the renderer's memory and context back. */
export function destroyApplication(app: CanvasApplication): void {
  const { renderer } = app;
  app.renderer = null;
  app.stage.destroy();
  renderer?.destroy();
}

function named<T>(classes: Record<string, unknown>): { name: string; value: T }[] {
  return Object.entries(classes).map(([name, value]) => ({ name, value: value as T }));
}
