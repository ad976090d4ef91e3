import { type Application, Container, type WebGLRenderer } from 'pixi.js';
import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { palette as paletteOf, type ThemeName } from '../../ui/palette.ts';
import type { CanvasMoment, CanvasView, MomentKey } from '../canvas-view.ts';
import { overlaps, type Rect, visibleWorld } from '../geometry/camera.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import { type DetailLevel, detailLevel } from '../geometry/level-of-detail.ts';
import { linkEnd, looseEnd } from '../geometry/link-end.ts';
import { linkPath, pointAlong } from '../geometry/link-path.ts';
import { type Touched, touchedAll, touchedBy } from '../geometry/touched.ts';
import { clock } from './card-content.ts';
import { CardPen } from './card-pen.ts';
import type { CardTexts } from './card-texts.ts';
import { CellGrid } from './cell-grid.ts';
import { Decor } from './decor.ts';
import { FrameLoop } from './frame-loop.ts';
import { GlyphAtlas } from './glyph-atlas.ts';
import { GridLayer } from './grid-layer.ts';
import { type LayerSource, LevelLayers } from './level-layers.ts';
import { Lift } from './lift.ts';
import { linkHalo, linkPicked } from './link-look.ts';
import { createLinkShader, linkAttributes, linkVertexBytes, travelPause, travelSpeed } from './link-shader.ts';
import { LinkWriter } from './link-writer.ts';
import { type MeshKind, QuadMesh } from './quad-mesh.ts';
import { createQuadShader, quadAttributes, quadVertexBytes } from './quad-shader.ts';
import { QuadWriter } from './quad-writer.ts';
import { RunOnCanvas } from './run-on-canvas.ts';
import { TextLayout } from './text-layout.ts';
import { TextZoom } from './text-zoom.ts';
import { TileBuilder } from './tile-builder.ts';
import { ZoomRest } from './zoom-rest.ts';

/** World px along the edge of a tile of cards, by level: as many cards as one frame can well draw anew. */
const tileSizes: Record<DetailLevel, number> = { full: 1_024, compact: 2_048, title: 4_096, block: 16_384 };
const cardCell = 1_024;
/** Cells for links up to that long; a link lies in the smallest that are twice as large as it reaches. */
const linkCells = [2_048, 16_384, 4_194_304] as const;

/** More than a level is ever set for in one session: keeps stamps of cards apart from versions of their text. */
const textVersions = 2 ** 24;

const pulseSeconds = 2.4;
const spinSeconds = 1.2;

export type SceneStats = { nodesDrawn: number; nodesTotal: number; drawCalls: number; frames: number };

export type Scene = {
  stats(): SceneStats;
  setTheme(theme: ThemeName): void;
  setTexts(texts: CardTexts): void;
  /** Mobile draws no ports. */
  setPorts(shown: boolean): void;
  /** To be called when fonts have arrived: measures and draws all text anew. */
  textChanged(): void;
  /** Draws the next frame; after the size or the context of the drawing surface has changed. */
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
  readonly #index: DocumentIndex;
  readonly #atlas = new GlyphAtlas();
  readonly #layout: TextLayout;
  readonly #pen: CardPen;
  readonly #quads: ReturnType<typeof createQuadShader>;
  readonly #lines = createLinkShader();
  readonly #quadKind: MeshKind;
  readonly #linkKind: MeshKind;
  readonly #linkWriter = new LinkWriter();
  readonly #run = new RunOnCanvas();
  readonly #lift = new Lift();
  readonly #builder: TileBuilder;
  readonly #textZoom = new TextZoom();
  readonly #zoomRest: ZoomRest;
  readonly #loop: FrameLoop;

  readonly #grid = new GridLayer();
  readonly #world = new Container({ isRenderGroup: true });
  readonly #lifted = new Container();
  readonly #cardCells: CellGrid;
  readonly #linkCells: readonly CellGrid[];
  readonly #levels = new Map<DetailLevel, { resting: LevelLayers; lifted: LevelLayers }>();
  readonly #decor: Decor;
  readonly #liftedDecor: Decor;
  readonly #linkDecor: QuadMesh;
  readonly #looseLinks: QuadMesh;
  readonly #draft: QuadMesh;
  readonly #dots: QuadMesh;
  readonly #slots = { links: new Container(), liftedLinks: new Container(), cards: new Container(), liftedCards: new Container() };

  readonly #stopListening: (() => void)[] = [];
  #level: DetailLevel | null = null;
  /** The zoom that text at the level in view is set for, and which setting of that level this is. */
  #text = { zoom: 1, version: 0 };
  /** Grows with every change that makes all built cards (links) outdated. */
  #stamps = { cards: 1, links: 1 };
  #decorStale = true;
  #looseStale = true;
  #theme: ThemeName;
  #elapsed = new Map<string, string>();
  #frames = 0;

  constructor(options: SceneOptions) {
    this.#options = options;
    this.#index = options.index;
    this.#theme = options.theme;
    this.#layout = new TextLayout((style, text) => this.#atlas.measure(style, text));
    this.#pen = new CardPen(new QuadWriter(), this.#layout, this.#atlas, paletteOf(options.theme));
    this.#quads = createQuadShader(this.#atlas.source);
    this.#quadKind = { shader: this.#quads.shader, vertexBytes: quadVertexBytes, attributes: quadAttributes };
    this.#linkKind = { shader: this.#lines.shader, vertexBytes: linkVertexBytes, attributes: linkAttributes };
    this.#builder = new TileBuilder(
      { index: this.#index, run: this.#run, lift: this.#lift, pen: this.#pen, linkWriter: this.#linkWriter },
      options.texts,
    );
    this.#builder.ports = options.ports;
    this.#zoomRest = new ZoomRest(() => this.#onZoomRest());
    this.#loop = new FrameLoop(() => this.#frame());
    this.#cardCells = new CellGrid(cardCell, (x, y) => this.#touchCards(x, y));
    this.#linkCells = linkCells.map((size, at) => new CellGrid(size, (x, y) => this.#touchLinks(at, x, y)));
    this.#decor = new Decor(this.#quadKind, this.#pen.writer);
    this.#liftedDecor = new Decor(this.#quadKind, this.#pen.writer);
    this.#linkDecor = new QuadMesh(this.#linkKind, new Float32Array(0));
    this.#looseLinks = new QuadMesh(this.#linkKind, new Float32Array(0));
    this.#draft = new QuadMesh(this.#linkKind, new Float32Array(0));
    this.#dots = new QuadMesh(this.#quadKind, new Float32Array(0));
    this.#compose();
    this.#applyTheme();
    this.#takeIn(touchedAll);
    this.#stopListening.push(
      options.store.subscribe((_state, patches) => this.#takeIn(patches ? touchedBy(patches) : touchedAll)),
      options.view.subscribe((moment, changed) => this.#follow(moment, changed)),
    );
    this.#follow(options.view.moment, new Set(['camera', 'drag'] as MomentKey[]));
    this.#loop.request();
  }

  stats(): SceneStats {
    const layers = this.#layersOf(this.#level ?? 'full');
    let nodesDrawn = 0;
    let drawCalls = this.#grid.container.visible ? 1 : 0;
    for (const set of [layers.resting, layers.lifted]) {
      nodesDrawn += set.cards.drawn.things;
      drawCalls += set.cards.drawn.meshes;
      for (const layer of set.links) drawCalls += layer.drawn.meshes;
    }
    return { nodesDrawn, nodesTotal: this.#index.nodes.size, drawCalls, frames: this.#frames };
  }

  setTheme(theme: ThemeName): void {
    if (theme === this.#theme) return;
    this.#theme = theme;
    this.#applyTheme();
    this.#loop.request();
  }

  setTexts(texts: CardTexts): void {
    this.#builder.texts = texts;
    this.#stamps.cards++;
    this.#loop.request();
  }

  setPorts(shown: boolean): void {
    if (this.#builder.ports === shown) return;
    this.#builder.ports = shown;
    this.#stamps.cards++;
    this.#loop.request();
  }

  textChanged(): void {
    this.#layout.forget();
    this.#redrawText();
  }

  redraw(): void {
    this.#loop.request();
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
    this.#loop.stop();
    this.#zoomRest.cancel();
    for (const { resting, lifted } of this.#levels.values()) {
      resting.destroy();
      lifted.destroy();
    }
    for (const mesh of [this.#linkDecor, this.#looseLinks, this.#draft, this.#dots]) mesh.destroy();
    this.#decor.destroy();
    this.#liftedDecor.destroy();
    this.#grid.destroy();
    this.#world.destroy({ children: true });
    this.#quads.shader.destroy();
    this.#lines.shader.destroy();
    this.#atlas.source.destroy();
  }

  #compose(): void {
    const { stage } = this.#options.app;
    stage.eventMode = 'none';
    stage.interactiveChildren = false;
    const { links, liftedLinks, cards, liftedCards } = this.#slots;
    this.#lifted.addChild(liftedLinks, liftedCards, this.#liftedDecor.container);
    this.#world.addChild(
      links,
      this.#looseLinks.mesh,
      this.#linkDecor.mesh,
      this.#dots.mesh,
      cards,
      this.#decor.container,
      this.#lifted,
      this.#draft.mesh,
    );
    stage.addChild(this.#grid.container, this.#world);
  }

  #applyTheme(): void {
    const palette = paletteOf(this.#theme);
    this.#pen.palette = palette;
    this.#pen.isDark = this.#theme === 'dark';
    this.#options.app.renderer.background.color = palette.canvas;
    this.#grid.setColour(palette.gridDot);
    this.#stamps.links++;
    this.#decorStale = true;
    this.#looseStale = true;
    this.#redrawText();
  }

  /** Everything drawn from the atlas is drawn anew. */
  #redrawText(): void {
    this.#atlas.reset({ dark: this.#theme === 'dark' });
    this.#stamps.cards++;
    this.#decorStale = true;
    this.#loop.request();
  }

  #layersOf(level: DetailLevel): { resting: LevelLayers; lifted: LevelLayers } {
    let layers = this.#levels.get(level);
    if (!layers) {
      const source = (lifted: boolean): LayerSource => ({
        cards: this.#cardCells,
        links: this.#linkCells,
        cardKind: this.#quadKind,
        linkKind: this.#linkKind,
        buildCards: (slots) => this.#builder.cards(level, slots, lifted),
        buildLinks: (slots) => this.#builder.links(level, slots, lifted),
      });
      layers = { resting: new LevelLayers(source(false), tileSizes[level]), lifted: new LevelLayers(source(true), tileSizes[level]) };
      this.#levels.set(level, layers);
    }
    return layers;
  }

  #touchCards(cellX: number, cellY: number): void {
    for (const { resting, lifted } of this.#levels.values()) {
      resting.cards.touch(cellX, cellY);
      lifted.cards.touch(cellX, cellY);
    }
  }

  #touchLinks(at: number, cellX: number, cellY: number): void {
    for (const { resting, lifted } of this.#levels.values()) {
      resting.links[at]?.touch(cellX, cellY);
      lifted.links[at]?.touch(cellX, cellY);
    }
  }

  /** Takes in a change of the store: marks the tiles that show something of it. */
  #takeIn(touched: Touched): void {
    const state = this.#options.store.getState();
    const before = { nodes: slotsOf(this.#index.nodes, touched.nodes), links: slotsOf(this.#index.links, touched.links) };
    const changed = this.#index.update(state.document, touched);
    if (changed.nodes === 'all' || changed.links === 'all') this.#placeAll();
    else {
      for (const [id, slot] of before.nodes) if (!this.#index.nodes.get(id)) this.#cardCells.remove(slot);
      for (const [id, slot] of before.links) if (!this.#index.links.get(id)) for (const cells of this.#linkCells) cells.remove(slot);
      for (const id of changed.nodes) this.#placeNode(id);
      for (const id of changed.links) this.#placeLink(id);
      if (touched.nodes !== 'all' && touched.links !== 'all') for (const id of changed.links) this.#touchEnds(id);
    }
    if (touched.agents) {
      this.#builder.agents = state.agents.byId;
      this.#stamps.cards++;
    }
    if (touched.run) for (const id of this.#run.update(state.run)) this.#touchNode(id, true);
    for (const id of this.#lift.settle(changed.nodes, (nodeId) => this.#index.nodes.get(nodeId))) this.#touchNode(id, false);
    this.#decorStale = true;
    this.#looseStale = true;
    this.#loop.request();
  }

  #placeAll(): void {
    this.#cardCells.clear();
    for (const cells of this.#linkCells) cells.clear();
    this.#stamps.cards++;
    this.#stamps.links++;
    for (const id of this.#index.nodes.ids) this.#placeNode(id);
    for (const id of this.#index.links.ids) this.#placeLink(id);
  }

  #placeNode(id: string): void {
    const slot = this.#index.nodes.slotOf(id);
    const node = this.#index.nodes.get(id);
    if (slot !== undefined && node) this.#cardCells.place(slot, node.x, node.y);
  }

  #placeLink(id: string): void {
    const slot = this.#index.links.slotOf(id);
    if (slot === undefined) return;
    const box = this.#index.links.box(slot);
    const reach = Math.max(box.right - box.left, box.bottom - box.top);
    const fitting = linkCells.findIndex((size) => reach <= size);
    const at = fitting === -1 ? linkCells.length - 1 : fitting;
    this.#linkCells.forEach((cells, other) => {
      if (other !== at) cells.remove(slot);
    });
    this.#linkCells[at]?.place(slot, (box.left + box.right) / 2, (box.top + box.bottom) / 2);
  }

  /** A link that came, went or changed its state shows on the ports at its ends. */
  #touchEnds(linkId: string): void {
    const link = this.#index.links.get(linkId);
    if (!link) return;
    for (const nodeId of [link.from.agentId, link.to.agentId]) {
      const slot = this.#index.nodes.slotOf(nodeId);
      if (slot !== undefined) this.#cardCells.touch(slot);
    }
  }

  /** Has a node and its links drawn anew, and the cards at their other ends if their ports may look different. */
  #touchNode(id: string, andNeighbours: boolean): void {
    const slot = this.#index.nodes.slotOf(id);
    if (slot !== undefined) this.#cardCells.touch(slot);
    for (const linkId of this.#index.linksOf(id)) {
      const linkSlot = this.#index.links.slotOf(linkId);
      if (linkSlot !== undefined) for (const cells of this.#linkCells) cells.touch(linkSlot);
      if (andNeighbours) this.#touchEnds(linkId);
    }
  }

  #follow(moment: CanvasMoment, changed: ReadonlySet<MomentKey>): void {
    if (changed.has('drag')) {
      for (const id of this.#lift.follow(moment.drag, this.#index)) {
        this.#touchNode(id, false);
        this.#decorStale = true;
      }
      this.#looseStale = true;
    }
    if (changed.has('selectedNodes') || changed.has('selectedLinks') || changed.has('hover') || changed.has('linkDraft'))
      this.#decorStale = true;
    this.#loop.request();
  }

  #frame(): void {
    const { app, view } = this.#options;
    if (!app.renderer) return;
    const { camera, size } = view.moment;
    if (size.width === 0 || size.height === 0) return;
    const pixelRatio = app.renderer.resolution;
    const seconds = performance.now() / 1_000;
    this.#chooseLevel(camera.zoom, pixelRatio);
    const isExact = this.#level !== 'full' || this.#text.zoom === camera.zoom;
    this.#world.position.set(...placed(camera, isExact ? pixelRatio : 0));
    this.#world.scale.set(camera.zoom);
    this.#lifted.position.set(this.#lift.dx, this.#lift.dy);
    this.#grid.show(camera, size, pixelRatio);

    const shown = visibleWorld(camera, size);
    this.#tickActive(shown);
    this.#showTiles(shown);
    this.#drawLooseLinks(shown);
    this.#drawDecor();
    const animated = this.#animate(shown, seconds);
    this.#atlas.upload(app.renderer as WebGLRenderer);
    this.#setUniforms(pixelRatio, camera.zoom, isExact, seconds);
    app.renderer.render({ container: app.stage });
    this.#frames++;
    if (animated) this.#loop.requestLater();
    else if (this.#hasActiveIn(shown)) this.#loop.requestLater(1_000 - (Date.now() % 1_000));
  }

  #chooseLevel(zoom: number, pixelRatio: number): void {
    const level = detailLevel(zoom);
    const { links, liftedLinks, cards, liftedCards } = this.#slots;
    if (level !== this.#level) {
      this.#level = level;
      const layers = this.#layersOf(level);
      for (const slot of [links, liftedLinks, cards, liftedCards]) slot.removeChildren();
      links.addChild(layers.resting.linkContainer);
      cards.addChild(layers.resting.cards.container);
      liftedLinks.addChild(layers.lifted.linkContainer);
      liftedCards.addChild(layers.lifted.cards.container);
      this.#decorStale = true;
      this.#looseStale = true;
    }
    this.#zoomRest.follow(zoom);
    this.#text = this.#textZoom.inMotion(level, zoom);
    this.#builder.fitZoom = this.#text.zoom;
    this.#pen.scale = level === 'full' ? this.#text.zoom * pixelRatio : pixelRatio;
  }

  #onZoomRest(): void {
    const { zoom } = this.#options.view.moment.camera;
    if (this.#textZoom.atRest(detailLevel(zoom), zoom)) this.#loop.request();
  }

  #showTiles(shown: Rect): void {
    const layers = this.#layersOf(this.#level ?? 'full');
    const moved = {
      left: shown.left - this.#lift.dx,
      right: shown.right - this.#lift.dx,
      top: shown.top - this.#lift.dy,
      bottom: shown.bottom - this.#lift.dy,
    };
    const show = () => {
      const stamps = { cards: this.#stamps.cards * textVersions + this.#text.version, links: this.#stamps.links };
      layers.resting.show(shown, stamps);
      if (this.#lift.isEmpty) layers.lifted.clear();
      else layers.lifted.show(moved, stamps);
    };
    show();
    if (!this.#atlas.isFull) return;
    this.#atlas.reset({ dark: this.#theme === 'dark', grow: true });
    this.#stamps.cards++;
    show();
  }

  /** Links with one end in the hand are laid anew in each step of a drag. */
  #drawLooseLinks(shown: Rect): void {
    if (!this.#looseStale) return;
    this.#looseStale = false;
    this.#linkWriter.begin();
    const level = this.#level ?? 'full';
    for (const nodeId of this.#lift.nodeIds) {
      for (const linkId of this.#index.linksOf(nodeId)) {
        const link = this.#index.links.get(linkId);
        if (link && this.#lift.has(link.from.agentId) !== this.#lift.has(link.to.agentId) && this.#mayShow(link, shown))
          this.#builder.link(link, level);
      }
    }
    this.#looseLinks.set(this.#linkWriter.finish());
  }

  /** Whether a link with one end in the hand may cross the view: by the box round both ends, with room for detours. */
  #mayShow(link: Connection, shown: Rect): boolean {
    const from = this.#nodeBox(link.from.agentId);
    const to = this.#nodeBox(link.to.agentId);
    if (!from || !to) return false;
    const margin = 60;
    return overlaps(
      {
        left: Math.min(from.left, to.left) - margin,
        top: Math.min(from.top, to.top) - margin,
        right: Math.max(from.right, to.right) + margin,
        bottom: Math.max(from.bottom, to.bottom) + margin,
      },
      shown,
    );
  }

  #nodeBox(nodeId: string): Rect | null {
    const slot = this.#index.nodes.slotOf(nodeId);
    if (slot === undefined) return null;
    const box = this.#index.nodes.box(slot);
    if (!this.#lift.has(nodeId)) return box;
    const { dx, dy } = this.#lift;
    return { left: box.left + dx, right: box.right + dx, top: box.top + dy, bottom: box.bottom + dy };
  }

  #drawDecor(): void {
    const { linkDraft, hover, selectedLinks } = this.#options.view.moment;
    if (!this.#decorStale && !(this.#lift.isEmpty === false && selectedLinks.size > 0)) return;
    this.#decorStale = false;
    const level = this.#level ?? 'full';
    const { palette } = this.#pen;
    this.#decor.draw(this.#decorated(false), level, palette);
    this.#liftedDecor.draw(this.#decorated(true), level, palette);

    this.#linkWriter.begin();
    const hovered = hover?.kind === 'link' ? this.#index.links.get(hover.id) : null;
    for (const id of selectedLinks) this.#decorateLink(this.#index.links.get(id), level, true);
    this.#decorateLink(hovered, level, false);
    this.#linkDecor.set(this.#linkWriter.finish());

    this.#linkWriter.begin();
    const from = linkDraft && this.#index.nodes.get(linkDraft.from);
    if (linkDraft && from) {
      const over = linkDraft.over === null ? null : this.#index.nodes.get(linkDraft.over);
      const end = over ? linkEnd(over, 'in') : looseEnd(linkDraft.x, linkDraft.y);
      this.#linkWriter.link(linkPath(linkEnd(from, 'out'), end), { ...linkPicked(palette), alpha: over ? 1 : 0.7 });
    }
    this.#draft.set(this.#linkWriter.finish());
  }

  #decorated(lifted: boolean) {
    const { selectedNodes, hover, linkDraft } = this.#options.view.moment;
    const selected: CanvasNode[] = [];
    const add = (list: CanvasNode[], id: string) => {
      const node = this.#index.nodes.get(id);
      if (node && this.#lift.has(id) === lifted) list.push(node);
    };
    for (const id of selectedNodes) add(selected, id);
    if (linkDraft?.over) add(selected, linkDraft.over);
    const hovered: CanvasNode[] = [];
    if (hover && hover.kind !== 'link' && !selectedNodes.has(hover.id)) add(hovered, hover.id);
    return { selected, hovered: hovered[0] ?? null };
  }

  #decorateLink(link: Connection | null, level: DetailLevel, picked: boolean): void {
    const path = link && this.#builder.path(link, level);
    if (!path) return;
    if (!picked || this.#options.view.moment.selectedLinks.size < 50) this.#linkWriter.link(path, linkHalo(this.#pen.palette));
    if (picked) this.#linkWriter.link(path, linkPicked(this.#pen.palette));
  }

  /** Rebuilds active cards in view whose elapsed time reads differently than when they were drawn. */
  #tickActive(shown: Rect): void {
    if (this.#run.active.length === 0) {
      this.#elapsed.clear();
      return;
    }
    if (this.#level !== 'full') return;
    const now = Date.now();
    for (const id of this.#run.active) {
      const box = this.#nodeBox(id);
      const startedAt = this.#run.view(id)?.startedAt;
      if (!box || !startedAt || !overlaps(box, shown)) continue;
      const elapsed = clock(Math.max(0, now - Date.parse(startedAt)));
      if (this.#elapsed.get(id) === elapsed) continue;
      this.#elapsed.set(id, elapsed);
      const slot = this.#index.nodes.slotOf(id);
      if (slot !== undefined) this.#cardCells.touch(slot);
    }
  }

  #hasActiveIn(shown: Rect): boolean {
    return this.#run.active.some((id) => {
      const box = this.#nodeBox(id);
      return box !== null && overlaps(box, shown);
    });
  }

  /** Moves the dots on the links to active cards; tells whether anything in view goes on moving. */
  #animate(shown: Rect, seconds: number): boolean {
    const still = this.#options.stillMotion();
    const { writer, palette } = this.#pen;
    let moving = false;
    writer.begin();
    for (const nodeId of this.#run.active) {
      const box = this.#nodeBox(nodeId);
      if (box && overlaps(box, shown)) moving = true;
      for (const linkId of this.#index.linksOf(nodeId)) {
        const link = this.#index.links.get(linkId);
        if (!link || link.to.agentId !== nodeId || this.#run.link(link, this.#index) !== 'onTheWay' || !this.#mayShow(link, shown))
          continue;
        moving = true;
        const path = this.#builder.path(link, this.#level ?? 'full');
        if (!path) continue;
        const both = this.#lift.has(link.from.agentId) && this.#lift.has(link.to.agentId);
        const turn = path.length / travelSpeed + travelPause;
        const at = pointAlong(path, still ? path.length / 2 : Math.min((seconds % turn) * travelSpeed, path.length));
        writer.anchor(at.x + (both ? this.#lift.dx : 0), at.y + (both ? this.#lift.dy : 0));
        writer.shape({
          x: 0,
          y: 0,
          width: 0.1,
          height: 0.1,
          motion: 'pulse',
          bandTop: 11,
          bandLeft: 7,
          fill: palette.accent,
          fillAlpha: 0.3,
        });
        writer.shape({ x: 0, y: 0, width: 0.1, height: 0.1, motion: 'outline', bandTop: 6, bandLeft: 4, stroke: palette.canvas });
        writer.shape({ x: 0, y: 0, width: 0.1, height: 0.1, motion: 'outline', bandTop: 4.5, bandLeft: 3, stroke: palette.accent });
      }
    }
    this.#dots.set(writer.finish());
    return moving && !still;
  }

  #setUniforms(pixelRatio: number, zoom: number, isExact: boolean, seconds: number): void {
    const still = this.#options.stillMotion();
    const quads = this.#quads.uniforms.uniforms;
    quads.uPixelRatio = pixelRatio;
    quads.uTextScale = this.#level === 'full' ? zoom / (this.#text.zoom * pixelRatio) : 1 / pixelRatio;
    quads.uSnap = isExact ? 1 : 0;
    quads.uPulse = still ? 1 : 0.5 - 0.5 * Math.cos((seconds / pulseSeconds) * 2 * Math.PI);
    quads.uSpin = still ? 0 : ((seconds / spinSeconds) % 1) * 2 * Math.PI;
    quads.uAtlasSize = new Float32Array([this.#atlas.size, this.#atlas.size]);
    const lines = this.#lines.uniforms.uniforms;
    lines.uPixelRatio = pixelRatio;
    lines.uTime = still ? -1 : seconds;
  }
}

/** Where the world's origin goes on the screen, on a whole device px when text is drawn pixel for pixel. */
function placed(camera: { x: number; y: number }, pixelRatio: number): [number, number] {
  if (pixelRatio === 0) return [camera.x, camera.y];
  return [Math.round(camera.x * pixelRatio) / pixelRatio, Math.round(camera.y * pixelRatio) / pixelRatio];
}

/** Ids with the slots that they hold now, before the change that may take them away. */
function slotsOf(table: DocumentIndex['nodes'] | DocumentIndex['links'], ids: ReadonlySet<string> | 'all'): [string, number][] {
  if (ids === 'all') return [];
  return [...ids].flatMap((id): [string, number][] => {
    const slot = table.slotOf(id);
    return slot === undefined ? [] : [[id, slot]];
  });
}
