import { type Buffer, Container, type WebGLRenderer } from 'pixi.js';
import { palette as paletteOf, type ThemeName } from '../../ui/palette.ts';
import type { Camera, CanvasMoment, MomentKey } from '../canvas-view.ts';
import { type Rect, visibleWorld } from '../geometry/camera.ts';
import { type Glide, onTheWay } from '../geometry/glide.ts';
import { type Touched, touchedAll, touchedBy, touchedNothing } from '../geometry/touched.ts';
import { AnnotationLayer } from './annotation-layer.ts';
import { CardPen } from './cards/card-pen.ts';
import { ElapsedTimes } from './cards/elapsed-times.ts';
import { Lift } from './cards/lift.ts';
import { FrameLoop } from './frame-loop.ts';
import { sendUniforms } from './gpu/frame-uniforms.ts';
import { QuadIndices } from './gpu/quad-indices.ts';
import { createQuadShader, quadAttributes, quadVertexBytes } from './gpu/quad-shader.ts';
import { QuadWriter } from './gpu/quad-writer.ts';
import { GridLayer } from './grid-layer.ts';
import { createLinkShader, linkAttributes, linkVertexBytes } from './links/link-shader.ts';
import { LinkWriter } from './links/link-writer.ts';
import { MomentLayer } from './moment-layer.ts';
import { RunOnCanvas } from './run-on-canvas.ts';
import type { Scene, SceneOptions, SceneStats } from './scene.ts';
import { SearchLayer } from './search-layer.ts';
import type { CardTexts } from './text/card-texts.ts';
import { GlyphAtlas } from './text/glyph-atlas.ts';
import { LetterWarmup } from './text/letter-warmup.ts';
import { TextLayout } from './text/text-layout.ts';
import { LevelInView } from './tiles/level-in-view.ts';
import { TileBuilder } from './tiles/tile-builder.ts';
import { TileWorld } from './tiles/tile-world.ts';

/** What of the moment shows in the marks on cards and links. */
const decorKeys = ['selectedNodes', 'selectedLinks', 'matches', 'resize', 'linkDraft'] as const;

/** Draws the store's document and the view's moment into the application's stage, from patches, when something changed. */
export class PixiScene implements Scene {
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
  readonly #search: SearchLayer;
  readonly #moment: MomentLayer;
  readonly #indices = new QuadIndices();
  readonly #grid = new GridLayer(this.#indices);
  readonly #world = new Container({ isRenderGroup: true });
  readonly #lifted = new Container();
  readonly #loop = new FrameLoop(() => this.#drawFrame());
  readonly #seen = new LevelInView(
    () => this.#options.view.moment.camera.zoom,
    () => this.#loop.request(),
  );
  readonly #stopListening: (() => void)[];
  #theme: ThemeName;
  readonly #elapsed = new ElapsedTimes(this.#run);
  #frames = 0;
  #gliding: ReadonlySet<string> = new Set();
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
    this.#search = new SearchLayer({ ...sources, builder: this.#builder, kind: kinds.cards });
    this.#moment = new MomentLayer({ ...sources, builder: this.#builder, kinds });
    this.#compose();
    this.#tiles.enter(this.#seen.level);
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
      drawCalls: meshes + this.#annotations.meshes + this.#search.meshes + this.#moment.meshes + (this.#grid.container.visible ? 1 : 0),
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
    this.#outdateNodes();
    this.#loop.request();
  }

  setPorts(shown: boolean): void {
    if (this.#builder.ports === shown) return;
    this.#builder.ports = shown;
    this.#outdateNodes();
    this.#loop.request();
  }

  textChanged(): void {
    this.#layout.forget();
    this.#drawTextAnew();
  }

  restore(): void {
    this.#outdateNodes();
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
    this.#seen.cancel();
    this.#tiles.destroy();
    this.#annotations.destroy();
    this.#search.destroy();
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
    const { decor, liftedDecor, linkDecor, hoveredLink, looseLinks, draft, dots, hand } = this.#moment;
    stage.eventMode = 'none';
    stage.interactiveChildren = false;
    const { groups, notes, liftedGroups, liftedNotes } = this.#annotations;
    this.#lifted.addChild(liftedGroups, liftedLinks, liftedNotes, liftedCards, liftedDecor.container);
    this.#world.addChild(
      groups,
      links,
      looseLinks.mesh,
      linkDecor.mesh,
      hoveredLink.mesh,
      dots.mesh,
      notes,
      cards,
      this.#search.container,
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
  #drawTextAnew(): void {
    this.#emptyAtlas(false);
    this.#warmup.start(this.#renderer.resolution);
    this.#loop.request();
  }

  #emptyAtlas(grow: boolean): void {
    this.#atlas.reset({ dark: this.#theme === 'dark', grow });
    this.#outdateNodes();
  }

  #outdateNodes(): void {
    this.#annotations.outdate();
    this.#search.outdate();
    this.#tiles.outdate('cards');
  }

  /** Takes in a change of the store: marks the tiles that show something of it. */
  #takeIn(touched: Touched): void {
    const state = this.#options.store.getState();
    const { index } = this.#options;
    const changed = this.#tiles.takeIn(state.document, touched);
    this.#annotations.takeIn(changed);
    this.#search.outdate();
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
    if (changed.has('glide')) this.#showGlide(moment.glide);
    if (changed.has('resize')) {
      this.#annotations.outdate();
      this.#search.outdate();
    }
    if (decorKeys.some((key) => changed.has(key))) this.#moment.outdate('decor');
    if (changed.has('hover')) this.#moment.outdate('hover');
    if (changed.has('camera') && !this.#lift.isEmpty) this.#moment.outdate('looseLinks');
    this.#loop.request();
  }

  /** Puts what glides where it is by now, and what has glided where the document has it. */
  #showGlide(glide: Glide | null): void {
    const { document } = this.#options.store.getState();
    const moved = new Set([...this.#gliding, ...(glide?.way.keys() ?? [])]);
    this.#gliding = new Set(glide?.way.keys());
    const changed = this.#tiles.takeIn(glide ? onTheWay(document, glide) : document, { ...touchedNothing, nodes: moved });
    this.#annotations.takeIn(changed);
    this.#search.outdate();
    this.#moment.outdate('all');
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
    if (this.#seen.level === 'full') {
      for (const id of this.#elapsed.outdated(Date.now(), (nodeId) => this.#moment.isNodeIn(nodeId, shown))) {
        this.#tiles.touchCard(id);
        this.#search.outdate();
      }
    }
    this.#showWorld(shown);
    if (this.#atlas.isFull) {
      const { size } = this.#atlas;
      this.#emptyAtlas(true);
      this.#showWorld(shown);
      // What finds no room in the largest one is not waited for: the next frame would find it full again.
      if (this.#atlas.size > size) this.#loop.request();
    }
    this.#moment.draw(view.moment, this.#seen.level, shown);
    const moves = this.#moment.animate(this.#seen.level, shown, seconds, still);
    this.#atlas.upload(this.#renderer);
    sendUniforms(this.#quads.uniforms, this.#lines.uniforms, {
      pixelRatio,
      zoom: camera.zoom,
      textZoom: this.#seen.stretchedFrom,
      isExact: this.#seen.isExact(camera.zoom),
      atlasSize: this.#atlas.size,
      seconds,
      still,
    });
    this.#renderer.render({ container: app.stage });
    this.#frames++;
    if (moves) this.#loop.requestLater();
    else if (this.#run.active.some((id) => this.#moment.isNodeIn(id, shown))) this.#loop.requestLater(1_000);
  }

  #showWorld(shown: Rect): void {
    const { level, text } = this.#seen;
    const { resize, matches } = this.#options.view.moment;
    this.#annotations.draw({ view: shown, level, text, resize });
    this.#tiles.show(shown, this.#lift, text.version);
    this.#search.draw({ view: shown, level, text, matches });
  }

  #chooseLevel(zoom: number, pixelRatio: number, now: number): void {
    if (this.#seen.follow(zoom, now)) {
      this.#tiles.enter(this.#seen.level);
      this.#moment.outdate('all');
    }
    this.#builder.fitZoom = this.#seen.text.zoom;
    this.#pen.scale = this.#seen.texels(pixelRatio);
  }

  #placeCamera({ x, y, zoom }: Camera, pixelRatio: number): void {
    const whole = (value: number) => Math.round(value * pixelRatio) / pixelRatio;
    if (this.#seen.isExact(zoom)) this.#world.position.set(whole(x), whole(y));
    else this.#world.position.set(x, y);
    this.#world.scale.set(zoom);
    this.#lifted.position.set(this.#lift.dx, this.#lift.dy);
  }
}
