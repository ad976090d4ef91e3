import type { Container, WebGLRenderer } from 'pixi.js';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import { ObservableValue } from '../../state/observable.ts';
import { isDark, type Palette } from '../../ui/palette.ts';
import type { EphemeralKey, EphemeralState } from '../canvas-view.ts';
import { type Camera, type Rect, visibleWorld } from '../geometry/camera.ts';
import { documentInTween, type LayoutTween } from '../geometry/layout-tween.ts';
import { loadRouting, routing } from '../geometry/routes/routing.ts';
import { type Touched, touchedAll, touchedBy, touchedNothing } from '../geometry/touched.ts';
import { ElapsedTimes } from './cards/elapsed-times.ts';
import { FrameLoop } from './frame-loop.ts';
import { sendUniforms } from './gpu/frame-uniforms.ts';
import { createQuadShader } from './gpu/quad-shader.ts';
import { LayerStack } from './layer-stack.ts';
import type { Frame } from './layers/scene-layer.ts';
import { createLinkShader } from './links/link-shader.ts';
import type { RunChange } from './run-on-canvas.ts';
import type { Scene, SceneOptions, SceneStats } from './scene.ts';
import { createSceneParts, type SceneParts } from './scene-parts.ts';
import { firstVersions, markVersions, nodeVersions, type VersionKey } from './scene-versions.ts';
import type { CardTexts } from './text/card-texts.ts';
import { GlyphAtlas } from './text/glyph-atlas.ts';
import { GlyphWarmup } from './text/glyph-warmup.ts';
import { TextLayout } from './text/text-layout.ts';
import { LevelInView } from './tiles/level-in-view.ts';

/** The parts of the page's state that the marks on cards and links show. */
const selectionKeys = ['selectedNodes', 'selectedLinks', 'matches', 'tints', 'resize', 'linkDraft'] as const;

/**
 * Follows the store and the view, decides what is outdated, and has the mounted layers draw a frame when something has changed. Which layers
 * there are, and their order, is defined in `SceneTree`.
 */
export class PixiScene implements Scene {
  readonly parts: SceneParts;
  readonly layers = new LayerStack(() => this.#loop.request());
  /** Whether the canvas has been compared with an earlier version since it was opened. */
  readonly isCompared = new ObservableValue(false);
  readonly #options: SceneOptions;
  readonly #renderer: WebGLRenderer;
  readonly #atlas = new GlyphAtlas();
  readonly #warmup = new GlyphWarmup(this.#atlas, () => this.#options.app.renderer && this.#atlas.upload(this.#renderer));
  readonly #layout = new TextLayout((style, text) => this.#atlas.measure(style, text));
  readonly #quads = createQuadShader(this.#atlas.source);
  readonly #lines = createLinkShader();
  readonly #loop = new FrameLoop(() => this.#drawFrame());
  readonly #levelInView = new LevelInView(
    () => this.#options.view.ephemeral.camera.zoom,
    () => this.#loop.request(),
  );
  readonly #elapsed: ElapsedTimes;
  readonly #stopListening: (() => void)[];
  readonly #versions = { ...firstVersions };
  #world: Container | null = null;
  #lifted: Container | null = null;
  #palette: Palette;
  #frames = 0;
  #tweened: ReadonlySet<string> = new Set();
  #watcher: ((ms: number) => void) | null = null;

  constructor(options: SceneOptions) {
    const { app, store, view, palette, texts, ports } = options;
    this.#options = options;
    this.#palette = palette;
    this.#renderer = app.renderer as WebGLRenderer;
    this.parts = createSceneParts({
      shown: store,
      index: options.index,
      texts,
      palette,
      layout: this.#layout,
      atlas: this.#atlas,
      quads: this.#quads.shader,
      lines: this.#lines.shader,
      renderer: this.#renderer,
    });
    this.parts.builder.ports = ports;
    this.#elapsed = new ElapsedTimes(this.parts.run);
    this.#applyPalette();
    this.#followStore(touchedAll);
    this.#followView(view.ephemeral, new Set<EphemeralKey>(['drag']));
    this.#stopListening = [
      store.subscribe((_state, patches) => this.#guard(() => this.#followStore(patches ? touchedBy(patches) : touchedAll))),
      view.subscribe((ephemeral, changed) => this.#guard(() => this.#followView(ephemeral, changed))),
      routing.subscribe(() => options.index.routes.isProvisional && this.#invalidate('links', ...markVersions)),
    ];
  }

  /** Takes the container that the camera moves. */
  readonly setWorld = (container: Container | null): void => {
    this.#world = container;
  };

  /** Takes the container that a drag moves. */
  readonly setLifted = (container: Container | null): void => {
    this.#lifted = container;
  };

  stats(): SceneStats {
    return {
      nodesDrawn: this.layers.cards,
      nodesTotal: this.#options.index.nodes.size,
      drawCalls: this.layers.meshes,
      frames: this.#frames,
      visits: this.layers.visits,
      uploads: this.parts.uploads.count,
      isAtRest: this.#levelInView.isAtRest(this.#options.view.ephemeral.camera.zoom),
    };
  }

  watch(listener: ((ms: number) => void) | null): void {
    this.#watcher = listener;
  }

  setPalette(palette: Palette): void {
    if (palette === this.#palette) return;
    this.#palette = palette;
    this.#applyPalette();
  }

  setTexts(texts: CardTexts): void {
    this.parts.builder.texts = texts;
    this.#invalidate(...nodeVersions);
  }

  setPorts(shown: boolean): void {
    if (this.parts.builder.ports === shown) return;
    this.parts.builder.ports = shown;
    this.#invalidate(...nodeVersions);
  }

  textChanged(): void {
    this.#layout.forget();
    this.#drawTextAgain();
  }

  restore(): void {
    this.#invalidate(...nodeVersions, 'links', ...markVersions);
  }

  redraw(): void {
    this.#loop.request();
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
    this.#loop.stop();
    this.#warmup.stop();
    this.#levelInView.cancel();
    this.parts.indices.destroy();
    this.#quads.shader.destroy();
    this.#lines.shader.destroy();
    this.#atlas.source.destroy();
  }

  #invalidate(...keys: VersionKey[]): void {
    this.#raise(keys);
    this.#loop.request();
  }

  #raise(keys: readonly VersionKey[]): void {
    for (const key of keys) this.#versions[key]++;
  }

  #applyPalette(): void {
    const palette = this.#palette;
    this.parts.pen.palette = palette;
    this.parts.pen.isDark = isDark(palette);
    this.#renderer.background.color = palette.canvas;
    this.#invalidate('links', ...markVersions);
    this.#drawTextAgain();
  }

  /** Empties the atlas and invalidates everything that was built from it. */
  #drawTextAgain(): void {
    this.#emptyAtlas(false);
    this.#warmup.start(this.#renderer.resolution);
    this.#loop.request();
  }

  #emptyAtlas(grow: boolean): void {
    this.#atlas.reset({ dark: isDark(this.#palette), grow });
    this.#raise(nodeVersions);
  }

  /** Applies a change of the store: invalidates what shows the changed parts. */
  #followStore(touched: Touched): void {
    const state = this.#options.store.getState();
    const { index } = this.#options;
    const { cells, builder, run, dragged } = this.parts;
    const changed = this.#applyDocument(state.document, touched);
    if (touched.agents) {
      builder.agents = state.agents.byId;
      // A canvas without a server has no agent list, so no agent is missing from it.
      builder.knowsAgents = state.agents.status === 'ready' && state.agents.order.length > 0;
      this.#invalidate('cards');
    }
    if (touched.run) this.#showRun(run.update(state.run, state.participation));
    for (const id of dragged.settle(changed, (nodeId) => index.nodes.get(nodeId))) cells.touchNode(id, false);
  }

  #showRun(change: RunChange): void {
    if (change.lists) this.#invalidate('annotations');
    if (!this.parts.cells.touchRun(change)) this.#invalidate('cards', 'links');
  }

  /** Outdates what shows these nodes, or all nodes. */
  #invalidateChanged(changed: ReadonlySet<string> | 'all'): void {
    const { annotations, index, run } = this.parts;
    if (annotations.update(changed, index)) this.#invalidate('annotations');
    if (run.followFolds() || changed === 'all') this.#invalidate('cards', 'links');
    this.#invalidate('search', ...markVersions);
  }

  #followView(ephemeral: EphemeralState, changed: ReadonlySet<EphemeralKey>): void {
    const { dragged, cells } = this.parts;
    if (ephemeral.comparison) this.isCompared.set(true);
    if (changed.has('drag')) {
      const touched = dragged.follow(ephemeral.drag, this.#options.index);
      for (const id of touched) cells.touchNode(id, false);
      if (touched.length > 0) this.#invalidate('annotations', ...markVersions);
      else this.#invalidate('looseLinks');
    }
    if (changed.has('layoutTween')) this.#showLayoutTween(ephemeral.layoutTween);
    if (changed.has('resize')) this.#invalidate('annotations', 'search');
    if (selectionKeys.some((key) => changed.has(key))) this.#invalidate('selection', 'hover');
    if (changed.has('hover')) this.#invalidate('hover');
    if (changed.has('camera') && !dragged.isEmpty) this.#invalidate('looseLinks');
    this.#loop.request();
  }

  /** Shows the nodes of a layout tween at their current places, and those of an ended tween at their places in the document. */
  #showLayoutTween(layoutTween: LayoutTween | null): void {
    const { document } = this.#options.store.getState();
    const moved = new Set([...this.#tweened, ...(layoutTween?.offsets.keys() ?? [])]);
    this.#tweened = new Set(layoutTween?.offsets.keys());
    if (this.parts.index.routes.setMoving(layoutTween !== null)) this.#invalidate('links');
    this.#applyDocument(layoutTween ? documentInTween(document, layoutTween) : document, { ...touchedNothing, nodes: moved });
  }

  /** Returns the nodes that changed. */
  #applyDocument(document: CanvasDocument, touched: Touched): ReadonlySet<string> | 'all' {
    const { nodes, areRoutesNew } = this.parts.cells.update(document, touched);
    this.#invalidateChanged(nodes);
    if (areRoutesNew) this.#invalidate('links');
    return nodes;
  }

  #drawFrame(): void {
    const from = this.#watcher ? performance.now() : 0;
    this.#guard(() => this.#frame());
    this.#watcher?.(performance.now() - from);
  }

  /** Handles an error outside the layers, after which nothing can be drawn. */
  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  #frame(): void {
    const { app, view } = this.#options;
    const { camera, size } = view.ephemeral;
    // The renderer goes when the page removes the canvas, at times before the scene. Layers come shortly after the scene.
    if (!app.renderer || size.width === 0 || size.height === 0 || this.layers.isEmpty) return;
    const { run, dragged, index } = this.parts;
    const pixelRatio = this.#renderer.resolution;
    const seconds = performance.now() / 1_000;
    // Only an active run is animated.
    const still = this.#options.isMotionOff() || (run.active.length === 0 && !(run.isUnderWay && run.waitingLinks.size > 0));
    const shown = visibleWorld(camera, size);
    this.#chooseLevel(camera.zoom, pixelRatio, seconds * 1_000);
    this.#placeCamera(camera, pixelRatio);
    this.#invalidateElapsed(shown);
    const { level, text } = this.#levelInView;
    const frame: Frame = { ephemeral: view.ephemeral, view: shown, level, text, versions: this.#versions, pixelRatio, seconds, still };
    this.layers.draw(frame);
    if (this.#atlas.isFull) {
      const { size } = this.#atlas;
      this.#emptyAtlas(true);
      this.layers.draw(frame);
      // The largest atlas cannot grow: another frame would find it full again.
      if (this.#atlas.size > size) this.#loop.request();
    }
    this.#atlas.upload(this.#renderer);
    sendUniforms(this.#quads.uniforms, this.#lines.uniforms, {
      pixelRatio,
      zoom: camera.zoom,
      textZoom: this.#levelInView.stretchedFrom,
      isExact: this.#levelInView.isExact(camera.zoom),
      atlasSize: this.#atlas.size,
      seconds,
      still,
    });
    this.#renderer.render({ container: app.stage });
    view.drawn.notify();
    if (this.#frames++ === 0) {
      app.canvas.dataset.drawn = '';
      loadRouting().catch(reportError);
    }
    if (this.layers.isMoving) this.#loop.requestLater();
    else if (run.active.some((id) => dragged.isInView(id, index, shown))) this.#loop.requestLater(1_000);
  }

  /** Touches the cards whose elapsed time reads differently than in the last frame. */
  #invalidateElapsed(shown: Rect): void {
    if (this.#levelInView.level !== 'full') return;
    const { dragged, index, cells, run } = this.parts;
    for (const id of this.#elapsed.changedSince(run.now, (nodeId) => dragged.isInView(nodeId, index, shown))) {
      cells.touchCard(id);
      this.#raise(['search']);
    }
  }

  #chooseLevel(zoom: number, pixelRatio: number, now: number): void {
    if (this.#levelInView.follow(zoom, now)) this.#raise(markVersions);
    this.parts.builder.fitZoom = this.#levelInView.text.zoom;
    this.parts.pen.scale = this.#levelInView.texels(pixelRatio);
  }

  #placeCamera({ x, y, zoom }: Camera, pixelRatio: number): void {
    const whole = (value: number) => Math.round(value * pixelRatio) / pixelRatio;
    if (this.#levelInView.isExact(zoom)) this.#world?.position.set(whole(x), whole(y));
    else this.#world?.position.set(x, y);
    this.#world?.scale.set(zoom);
    this.#lifted?.position.set(this.parts.dragged.dx, this.parts.dragged.dy);
  }
}
