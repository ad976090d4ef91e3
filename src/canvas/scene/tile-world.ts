import { Container } from 'pixi.js';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { Rect } from '../geometry/camera.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import type { DetailLevel } from '../geometry/level-of-detail.ts';
import type { Touched } from '../geometry/touched.ts';
import { CellGrid } from './cell-grid.ts';
import { type LayerSource, LevelLayers } from './level-layers.ts';
import type { Lift } from './lift.ts';
import type { MeshKind } from './quad-mesh.ts';
import type { TileBuilder } from './tile-builder.ts';

/** World px along the edge of a tile of cards, by level: as many cards as one frame can well draw anew. */
const tileSizes: Record<DetailLevel, number> = { full: 1_024, compact: 2_048, title: 4_096, block: 16_384 };
const cardCell = 1_024;
/** Cells for links that reach no farther than that; a link lies in the smallest that are large enough. */
const linkCells = [2_048, 16_384, 4_194_304] as const;
/** More than the text of a level is ever set anew in one session: keeps stamps of cards apart from versions of their text. */
const textVersions = 2 ** 24;

type Layers = { resting: LevelLayers; lifted: LevelLayers };

/**
 * The document's cards and links in tiles, a set of tiles for each level of detail, and one more for what is lifted for a
 * drag. A change marks the tiles that show something of it; they are drawn anew when they are next in view.
 */
export class TileWorld {
  readonly links = new Container();
  readonly cards = new Container();
  readonly liftedLinks = new Container();
  readonly liftedCards = new Container();
  readonly #index: DocumentIndex;
  readonly #builder: TileBuilder;
  readonly #kinds: { cards: MeshKind; links: MeshKind };
  readonly #cardCells: CellGrid;
  readonly #linkCells: readonly CellGrid[];
  readonly #levels = new Map<DetailLevel, Layers>();
  /** Grows with every change that makes all built cards (links) outdated. */
  readonly #stamps = { cards: 1, links: 1 };
  #level: DetailLevel | null = null;

  constructor(index: DocumentIndex, builder: TileBuilder, kinds: { cards: MeshKind; links: MeshKind }) {
    this.#index = index;
    this.#builder = builder;
    this.#kinds = kinds;
    this.#cardCells = new CellGrid(cardCell, (x, y) => this.#eachLevel((layers) => layers.cards.touch(x, y)));
    this.#linkCells = linkCells.map((size, at) => new CellGrid(size, (x, y) => this.#eachLevel((layers) => layers.links[at]?.touch(x, y))));
  }

  /** Takes in a change of the document; returns the nodes that changed. */
  takeIn(document: CanvasDocument, touched: Touched): ReadonlySet<string> | 'all' {
    const before = { nodes: slotsOf(this.#index.nodes, touched.nodes), links: slotsOf(this.#index.links, touched.links) };
    const changed = this.#index.update(document, touched);
    if (changed.nodes === 'all' || changed.links === 'all') {
      this.#placeAll();
      return 'all';
    }
    for (const [id, slot] of before.nodes) if (!this.#index.nodes.get(id)) this.#cardCells.remove(slot);
    for (const [id, slot] of before.links) if (!this.#index.links.get(id)) for (const cells of this.#linkCells) cells.remove(slot);
    for (const id of changed.nodes) this.#placeNode(id);
    for (const id of changed.links) {
      this.#placeLink(id);
      this.#touchEnds(id);
    }
    return changed.nodes;
  }

  outdate(what: 'cards' | 'links'): void {
    this.#stamps[what]++;
  }

  touchCard(id: string): void {
    const slot = this.#index.nodes.slotOf(id);
    if (slot !== undefined) this.#cardCells.touch(slot);
  }

  /** Has a node and its links drawn anew, and the cards at their other ends if their ports may look different. */
  touchNode(id: string, andNeighbours: boolean): void {
    this.touchCard(id);
    for (const linkId of this.#index.linksOf(id)) {
      const slot = this.#index.links.slotOf(linkId);
      if (slot !== undefined) for (const cells of this.#linkCells) cells.touch(slot);
      if (andNeighbours) this.#touchEnds(linkId);
    }
  }

  /** Puts a level's tiles in the containers. */
  enter(level: DetailLevel): void {
    this.#level = level;
    const { resting, lifted } = this.#layersOf(level);
    for (const container of [this.links, this.cards, this.liftedLinks, this.liftedCards]) container.removeChildren();
    this.links.addChild(resting.linkContainer);
    this.cards.addChild(resting.cards.container);
    this.liftedLinks.addChild(lifted.linkContainer);
    this.liftedCards.addChild(lifted.cards.container);
  }

  /** Shows what lies in `view` (world px), the lifted part moved as the drag asks. */
  show(view: Rect, lift: Lift, textVersion: number): void {
    if (!this.#level) return;
    const { resting, lifted } = this.#layersOf(this.#level);
    const stamps = { cards: this.#stamps.cards * textVersions + textVersion, links: this.#stamps.links };
    resting.show(view, stamps);
    if (lift.isEmpty) lifted.clear();
    else
      lifted.show(
        { left: view.left - lift.dx, right: view.right - lift.dx, top: view.top - lift.dy, bottom: view.bottom - lift.dy },
        stamps,
      );
  }

  get drawn(): { nodes: number; meshes: number } {
    const drawn = { nodes: 0, meshes: 0 };
    if (!this.#level) return drawn;
    const { resting, lifted } = this.#layersOf(this.#level);
    for (const layers of [resting, lifted]) {
      drawn.nodes += layers.cards.drawn.things;
      drawn.meshes += layers.cards.drawn.meshes;
      for (const layer of layers.links) drawn.meshes += layer.drawn.meshes;
    }
    return drawn;
  }

  destroy(): void {
    this.#eachLevel((layers) => layers.destroy());
  }

  #eachLevel(act: (layers: LevelLayers) => void): void {
    for (const { resting, lifted } of this.#levels.values()) {
      act(resting);
      act(lifted);
    }
  }

  #layersOf(level: DetailLevel): Layers {
    let layers = this.#levels.get(level);
    if (!layers) {
      const source = (lifted: boolean): LayerSource => ({
        cards: this.#cardCells,
        links: this.#linkCells,
        cardKind: this.#kinds.cards,
        linkKind: this.#kinds.links,
        buildCards: (slots) => this.#builder.cards(level, slots, lifted),
        buildLinks: (slots) => this.#builder.links(level, slots, lifted),
      });
      layers = { resting: new LevelLayers(source(false), tileSizes[level]), lifted: new LevelLayers(source(true), tileSizes[level]) };
      this.#levels.set(level, layers);
    }
    return layers;
  }

  #placeAll(): void {
    this.#cardCells.clear();
    for (const cells of this.#linkCells) cells.clear();
    this.outdate('cards');
    this.outdate('links');
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
    this.touchCard(link.from.agentId);
    this.touchCard(link.to.agentId);
  }
}

/** Ids with the slots that they hold now, before the change that may take them away. */
function slotsOf(table: DocumentIndex['nodes'] | DocumentIndex['links'], ids: ReadonlySet<string> | 'all'): [string, number][] {
  if (ids === 'all') return [];
  return [...ids].flatMap((id): [string, number][] => {
    const slot = table.slotOf(id);
    return slot === undefined ? [] : [[id, slot]];
  });
}
