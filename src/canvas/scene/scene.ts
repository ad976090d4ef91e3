import { type Application, type Buffer, Container, type WebGLRenderer } from 'pixi.js';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { palette as paletteOf, type ThemeName } from '../../ui/palette.ts';
import type { Camera, CanvasMoment, CanvasView, MomentKey } from '../canvas-view.ts';
import { type Rect, visibleWorld } from '../geometry/camera.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import { type DetailLevel, detailLevel } from '../geometry/level-of-detail.ts';
import { type Touched, touchedAll, touchedBy } from '../geometry/touched.ts';
import { AnnotationLayer } from './annotation-layer.ts';
import { CardPen } from './card-pen.ts';
import type { CardTexts } from './card-texts.ts';
import { ElapsedTimes } from './elapsed-times.ts';
import { FrameLoop } from './frame-loop.ts';
import { GlyphAtlas } from './glyph-atlas.ts';
import { GridLayer } from './grid-layer.ts';
import { LetterWarmup } from './letter-warmup.ts';
import { Lift } from './lift.ts';
import { createLinkShader, linkAttributes, linkVertexBytes } from './link-shader.ts';
import { LinkWriter } from './link-writer.ts';
import { MomentLayer } from './moment-layer.ts';
import { QuadIndices } from './quad-indices.ts';
import { createQuadShader, quadAttributes, quadVertexBytes } from './quad-shader.ts';
import { QuadWriter } from './quad-writer.ts';
import { RunOnCanvas } from './run-on-canvas.ts';
import { TextLayout } from './text-layout.ts';
import { TextZoom } from './text-zoom.ts';
import { TileBuilder } from './tile-builder.ts';
import { TileWorld } from './tile-world.ts';
import { ZoomRest } from './zoom-rest.ts';

const pulseSeconds = 2.4;
const spinSeconds = 1.2;
/** What of the moment shows in the marks on cards and links. */
const decorKeys = ['selectedNodes', 'selectedLinks', 'hover', 'matches', 'resize', 'linkDraft'] as const;

export type SceneStats = { nodesDrawn: number; nodesTotal: number; drawCalls: number; frames: number };

export type Scene = {
  stats(): SceneStats;
  /** Has a listener told, in ms, what each frame took to draw; null for nobody. */
  watch(listener: ((ms: number) => void) | null): void;
  setTheme(theme: ThemeName): void;
  setTexts(texts: CardTexts): void;
  /** Mobile draws no ports. */
  setPorts(shown: boolean): void;
  /** To be called when fonts have arrived or the pixel ratio has changed: measures and draws all text anew. */
  textChanged(): void;
  /** To be called when the drawing surface has lost and regained its context: everything goes to the GPU again. */
  restore(): void;
  /** Draws the next frame. */
  redraw(): void;
  dispose(): void;
};

export type SceneOptions = {
  app: Application;
  store: WorkspaceStore;
  view: CanvasView;
  /** Kept up to date by the scene, for hit tests of others. */
  index: DocumentIndex;
  theme: ThemeName;
  texts: CardTexts;
  ports: boolean;
  /** No pulse, no travel: the dot stands at the middle of its link. */
  stillMotion: () => boolean;
};

/** Draws the store's document and the view's moment into the application's stage, from patches, when something changed. */
export function createScene(options: SceneOptions): Scene {
  return new PixiScene(options);
}

class PixiScene implements Scene {
  readonly #options: SceneOptions;
  readonly #renderer: WebGLRenderer;
  readonly #atlas = new GlyphAtlas();
  readonly #warmup = new LetterWarmup(this.#atlas, () => this.#options.app.renderer && this.#atlas.upload(this.#renderer));
  readonly #layout: TextLayout;
  readonly #pen: CardPen;
  readonly #quads: ReturnType<typeof createQuadShader>;
  readonly #lines = createLinkShader();
  readonly #run = new RunOnCanvas();
  readonly #lift = new Lift();
  readonly #builder: TileBuilder;
  readonly #tiles: TileWorld;
  readonly #annotations: AnnotationLayer;
  readonly #moment: MomentLayer;
  readonly #indices = new QuadIndices();
  readonly #grid = new GridLayer(this.#indices);
  readonly #world = new Container({ isRenderGroup: true });
  readonly #lifted = new Container();
  readonly #textZoom = new TextZoom();
  readonly #zoomRest = new ZoomRest(() => this.#onZoomRest());
  readonly #loop = new FrameLoop(() => this.#drawFrame());
  readonly #stopListening: (() => void)[];
  #theme: ThemeName;
  #level: DetailLevel = 'full';
  /** The zoom that text at the level in view is set for, and which setting of that level this is. */
  #text = { zoom: 1, version: 0 };
  readonly #elapsed = new ElapsedTimes(this.#run);
  #frames = 0;
  #watcher: ((ms: number) => void) | null = null;

  constructor(options: SceneOptions) {
    const { app, store, view, index, theme, texts, ports } = options;
    this.#options = options;
    this.#theme = theme;
    this.#renderer = app.renderer as WebGLRenderer;
    this.#layout = new TextLayout((style, text) => this.#atlas.measure(style, text));
    this.#pen = new CardPen(new QuadWriter(), this.#layout, this.#atlas, paletteOf(theme));
    this.#quads = createQuadShader(this.#atlas.source);
    const upload = (buffer: Buffer) => void this.#renderer.buffer.updateBuffer(buffer);
    const indices = this.#indices;
    const kinds = {
      cards: { shader: this.#quads.shader, vertexBytes: quadVertexBytes, attributes: quadAttributes, indices, upload },
      links: { shader: this.#lines.shader, vertexBytes: linkVertexBytes, attributes: linkAttributes, indices, upload },
    };
    const sources = { index, run: this.#run, lift: this.#lift, pen: this.#pen, linkWriter: new LinkWriter() };
    this.#builder = new TileBuilder(sources, texts);
    this.#builder.ports = ports;
    this.#tiles = new TileWorld(index, this.#builder, kinds);
    this.#annotations = new AnnotationLayer({ ...sources, kind: kinds.cards, texts: () => this.#builder.texts });
    this.#moment = new MomentLayer({ ...sources, builder: this.#builder, kinds });
    this.#compose();
    this.#tiles.enter(this.#level);
    this.#applyTheme();
    this.#takeIn(touchedAll);
    this.#follow(view.moment, new Set<MomentKey>(['drag']));
    this.#stopListening = [
      store.subscribe((_state, patches) => this.#takeIn(patches ? touchedBy(patches) : touchedAll)),
      view.subscribe((moment, changed) => this.#follow(moment, changed)),
    ];
  }

  stats(): SceneStats {
    const { nodes, meshes } = this.#tiles.drawn;
    return {
      nodesDrawn: nodes,
      nodesTotal: this.#options.index.nodes.size,
      drawCalls: meshes + this.#moment.meshes + (this.#grid.container.visible ? 1 : 0),
      frames: this.#frames,
    };
  }

  watch(listener: ((ms: number) => void) | null): void {
    this.#watcher = listener;
  }

  setTheme(theme: ThemeName): void {
    if (theme === this.#theme) return;
    this.#theme = theme;
    this.#applyTheme();
  }

  setTexts(texts: CardTexts): void {
    this.#builder.texts = texts;
    this.#annotations.outdate();
    this.#tiles.outdate('cards');
    this.#loop.request();
  }

  setPorts(shown: boolean): void {
    if (this.#builder.ports === shown) return;
    this.#builder.ports = shown;
    this.#tiles.outdate('cards');
    this.#loop.request();
  }

  textChanged(): void {
    this.#layout.forget();
    this.#drawTextAnew();
  }

  restore(): void {
    this.#annotations.outdate();
    this.#tiles.outdate('cards');
    this.#tiles.outdate('links');
    this.#moment.outdate('all');
    this.#loop.request();
  }

  redraw(): void {
    this.#loop.request();
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
    this.#loop.stop();
    this.#warmup.stop();
    this.#zoomRest.cancel();
    this.#tiles.destroy();
    this.#annotations.destroy();
    this.#moment.destroy();
    this.#grid.destroy();
    this.#world.destroy({ children: true });
    this.#indices.destroy();
    this.#quads.shader.destroy();
    this.#lines.shader.destroy();
    this.#atlas.source.destroy();
  }

  #compose(): void {
    const { stage } = this.#options.app;
    const { links, cards, liftedLinks, liftedCards } = this.#tiles;
    const { decor, liftedDecor, linkDecor, looseLinks, draft, dots, hand } = this.#moment;
    stage.eventMode = 'none';
    stage.interactiveChildren = false;
    const { groups, notes, liftedGroups, liftedNotes } = this.#annotations;
    this.#lifted.addChild(liftedGroups, liftedLinks, liftedNotes, liftedCards, liftedDecor.container);
    this.#world.addChild(
      groups,
      links,
      looseLinks.mesh,
      linkDecor.mesh,
      dots.mesh,
      notes,
      cards,
      decor.container,
      this.#lifted,
      draft.mesh,
      hand.mesh,
    );
    stage.addChild(this.#grid.container, this.#world);
  }

  #applyTheme(): void {
    const palette = paletteOf(this.#theme);
    this.#pen.palette = palette;
    this.#pen.isDark = this.#theme === 'dark';
    this.#renderer.background.color = palette.canvas;
    this.#grid.setColour(palette.gridDot);
    this.#tiles.outdate('links');
    this.#moment.outdate('all');
    this.#drawTextAnew();
  }

  /** Empties the atlas; everything that was built from it is built anew. */
  #drawTextAnew(grow = false): void {
    this.#atlas.reset({ dark: this.#theme === 'dark', grow });
    this.#warmup.start(this.#renderer.resolution);
    this.#annotations.outdate();
    this.#tiles.outdate('cards');
    this.#loop.request();
  }

  /** Takes in a change of the store: marks the tiles that show something of it. */
  #takeIn(touched: Touched): void {
    const state = this.#options.store.getState();
    const { index } = this.#options;
    const changed = this.#tiles.takeIn(state.document, touched);
    this.#annotations.takeIn(changed);
    if (touched.agents) {
      this.#builder.agents = state.agents.byId;
      // A canvas that lives in the browser alone has no team to miss anybody of.
      this.#builder.knowsAgents = state.agents.status === 'ready' && state.agents.order.length > 0;
      this.#tiles.outdate('cards');
    }
    if (touched.run) this.#tiles.touchNodes(this.#run.update(state.run));
    for (const id of this.#lift.settle(changed, (nodeId) => index.nodes.get(nodeId))) this.#tiles.touchNode(id, false);
    this.#moment.outdate('all');
    this.#loop.request();
  }

  #follow(moment: CanvasMoment, changed: ReadonlySet<MomentKey>): void {
    if (changed.has('drag')) {
      const touched = this.#lift.follow(moment.drag, this.#options.index);
      for (const id of touched) this.#tiles.touchNode(id, false);
      if (touched.length > 0) this.#annotations.outdate();
      this.#moment.outdate(touched.length > 0 ? 'all' : 'looseLinks');
    }
    if (changed.has('resize')) this.#annotations.outdate();
    if (decorKeys.some((key) => changed.has(key))) this.#moment.outdate('decor');
    if (changed.has('camera') && !this.#lift.isEmpty) this.#moment.outdate('looseLinks');
    this.#loop.request();
  }

  #drawFrame(): void {
    const from = this.#watcher ? performance.now() : 0;
    this.#frame();
    this.#watcher?.(performance.now() - from);
  }

  #frame(): void {
    const { app, view } = this.#options;
    const { camera, size } = view.moment;
    // The renderer goes when the page takes the canvas down, at times before the scene.
    if (!app.renderer || size.width === 0 || size.height === 0) return;
    const pixelRatio = this.#renderer.resolution;
    const seconds = performance.now() / 1_000;
    // Nothing moves without a run that goes on.
    const still = this.#options.stillMotion() || this.#run.active.length === 0;
    const shown = visibleWorld(camera, size);
    this.#chooseLevel(camera.zoom, pixelRatio, seconds * 1_000);
    this.#placeCamera(camera, pixelRatio);
    this.#grid.show(camera, size, pixelRatio);
    if (this.#level === 'full') {
      for (const id of this.#elapsed.outdated(Date.now(), (nodeId) => this.#moment.isNodeIn(nodeId, shown))) this.#tiles.touchCard(id);
    }
    this.#showWorld(shown);
    if (this.#atlas.isFull) {
      this.#drawTextAnew(true);
      this.#showWorld(shown);
    }
    this.#moment.draw(view.moment, this.#level, shown);
    const moves = this.#moment.animate(this.#level, shown, seconds, still);
    this.#atlas.upload(this.#renderer);
    this.#setUniforms(pixelRatio, camera.zoom, seconds, still);
    this.#renderer.render({ container: app.stage });
    this.#frames++;
    if (moves) this.#loop.requestLater();
    else if (this.#run.active.some((id) => this.#moment.isNodeIn(id, shown))) this.#loop.requestLater(1_000);
  }

  #showWorld(shown: Rect): void {
    this.#annotations.draw({ view: shown, level: this.#level, text: this.#text, resize: this.#options.view.moment.resize });
    this.#tiles.show(shown, this.#lift, this.#text.version);
  }

  #chooseLevel(zoom: number, pixelRatio: number, now: number): void {
    const level = detailLevel(zoom);
    if (level !== this.#level) {
      this.#level = level;
      this.#tiles.enter(level);
      this.#moment.outdate('all');
    }
    this.#zoomRest.follow(zoom, now);
    this.#text = this.#textZoom.inMotion(level, zoom);
    this.#builder.fitZoom = this.#text.zoom;
    this.#pen.scale = level === 'full' ? this.#text.zoom * pixelRatio : pixelRatio;
  }

  #onZoomRest(): void {
    const { zoom } = this.#options.view.moment.camera;
    if (this.#textZoom.atRest(detailLevel(zoom), zoom)) this.#loop.request();
  }

  /** Whether text is drawn pixel for pixel now, and not stretched from another zoom. */
  #isExact(zoom: number): boolean {
    return this.#level !== 'full' || this.#text.zoom === zoom;
  }

  #placeCamera({ x, y, zoom }: Camera, pixelRatio: number): void {
    const whole = (value: number) => Math.round(value * pixelRatio) / pixelRatio;
    if (this.#isExact(zoom)) this.#world.position.set(whole(x), whole(y));
    else this.#world.position.set(x, y);
    this.#world.scale.set(zoom);
    this.#lifted.position.set(this.#lift.dx, this.#lift.dy);
  }

  #setUniforms(pixelRatio: number, zoom: number, seconds: number, still: boolean): void {
    const quads = this.#quads.uniforms.uniforms;
    quads.uPixelRatio = pixelRatio;
    quads.uTextScale = this.#level === 'full' ? zoom / (this.#text.zoom * pixelRatio) : 1 / pixelRatio;
    quads.uSnap = this.#isExact(zoom) ? 1 : 0;
    quads.uPulse = still ? 1 : 0.5 - 0.5 * Math.cos((seconds / pulseSeconds) * 2 * Math.PI);
    quads.uSpin = still ? 0 : ((seconds / spinSeconds) % 1) * 2 * Math.PI;
    quads.uAtlasSize = new Float32Array([this.#atlas.size, this.#atlas.size]);
    const lines = this.#lines.uniforms.uniforms;
    lines.uPixelRatio = pixelRatio;
    lines.uTime = still ? -1 : seconds;
    this.#quads.uniforms.update();
    this.#lines.uniforms.update();
  }
}
