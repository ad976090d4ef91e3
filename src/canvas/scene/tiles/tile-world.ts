import { Container } from 'pixi.js';
import type { CanvasDocument } from '../../../../contract/canvas.ts';
import type { Rect } from '../../geometry/camera.ts';
import type { DocumentIndex } from '../../geometry/document-index.ts';
import type { DetailLevel } from '../../geometry/level-of-detail.ts';
import type { LinkShape } from '../../geometry/link-path.ts';
import type { Touched } from '../../geometry/touched.ts';
import type { Lift } from '../cards/lift.ts';
import type { MeshKind } from '../gpu/quad-mesh.ts';
import { LinkLayers } from '../links/link-layers.ts';
import { CellGrid } from './cell-grid.ts';
import { linkShape, type TileBuilder } from './tile-builder.ts';
import { TileLayer } from './tile-layer.ts';

/** World px along the edge of a tile of cards, by level: as many cards as one frame can well draw anew. */
const tileSizes: Record<DetailLevel, number> = { full: 1_024, compact: 2_048, title: 2_048, block: 8_192 };
/** The same for links, which look alike at several levels. */
const linkTileSizes: Record<LinkShape, number> = { round: 2_048, cut: 4_096, sharp: 16_384 };
/** How far cards reach out of their tile: their own size, ports, shadow. World px. */
const cardReach: Rect = { left: 24, top: 24, right: 304, bottom: 264 };
const cardCell = 1_024;
/** Cells for links that reach no farther than that; a link lies in the smallest that are large enough. */
const linkCells = [1_024, 4_096, 16_384, 4_194_304] as const;
/** More than the text of a level is ever set anew in one session: keeps stamps of cards apart from versions of their text. */
const textVersions = 2 ** 24;
/** With more nodes touched than this, finding their tiles takes longer than drawing those in view. */
const touchedOneByOne = 500;

type Layers<T> = { resting: T; lifted: T };

/**
 * The document's cards and links in tiles: a set of tiles for each level of detail, or each shape of links, and one more for
 * what is lifted for a drag. A change marks the tiles that show something of it; they are drawn anew when they are next in view.
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
  readonly #cardLayers = new Map<DetailLevel, Layers<TileLayer>>();
  readonly #linkLayers = new Map<LinkShape, Layers<LinkLayers>>();
  /** Grows with every change that makes all built cards (links) outdated. */
  readonly #stamps = { cards: 1, links: 1 };
  #level: DetailLevel | null = null;

  constructor(index: DocumentIndex, builder: TileBuilder, kinds: { cards: MeshKind; links: MeshKind }) {
    this.#index = index;
    this.#builder = builder;
    this.#kinds = kinds;
    this.#cardCells = new CellGrid(cardCell, (x, y) => {
      for (const { resting, lifted } of this.#cardLayers.values()) {
        resting.touch(x, y);
        lifted.touch(x, y);
      }
    });
    this.#linkCells = linkCells.map(
      (size, at) =>
        new CellGrid(size, (x, y) => {
          for (const { resting, lifted } of this.#linkLayers.values()) {
            resting.layers[at]?.touch(x, y);
            lifted.layers[at]?.touch(x, y);
          }
        }),
    );
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

  /** Has nodes drawn anew as `touchNode` does; all at once where they are many. */
  touchNodes(ids: readonly string[]): void {
    if (ids.length > touchedOneByOne) {
      this.outdate('cards');
      this.outdate('links');
    } else for (const id of ids) this.touchNode(id, true);
  }

  /** Puts a level's tiles in the containers. */
  enter(level: DetailLevel): void {
    this.#level = level;
    const cards = this.#cardsOf(level);
    const links = this.#linksOf(linkShape[level]);
    for (const container of [this.links, this.cards, this.liftedLinks, this.liftedCards]) container.removeChildren();
    this.links.addChild(links.resting.container);
    this.cards.addChild(cards.resting.container);
    this.liftedLinks.addChild(links.lifted.container);
    this.liftedCards.addChild(cards.lifted.container);
  }

  /** Shows what lies in `view` (world px), the lifted part moved as the drag asks. */
  show(view: Rect, lift: Lift, textVersion: number): void {
    if (!this.#level) return;
    const cards = this.#cardsOf(this.#level);
    const links = this.#linksOf(linkShape[this.#level]);
    const stamp = this.#stamps.cards * textVersions + textVersion;
    links.resting.show(view, this.#stamps.links);
    cards.resting.show(view, stamp);
    if (lift.isEmpty) {
      links.lifted.clear();
      cards.lifted.clear();
      return;
    }
    const moved = { left: view.left - lift.dx, right: view.right - lift.dx, top: view.top - lift.dy, bottom: view.bottom - lift.dy };
    links.lifted.show(moved, this.#stamps.links);
    cards.lifted.show(moved, stamp);
  }

  get drawn(): { nodes: number; meshes: number } {
    const drawn = { nodes: 0, meshes: 0 };
    if (!this.#level) return drawn;
    const cards = this.#cardsOf(this.#level);
    const links = this.#linksOf(linkShape[this.#level]);
    for (const layer of [cards.resting, cards.lifted]) {
      drawn.nodes += layer.drawn.things;
      drawn.meshes += layer.drawn.meshes;
    }
    for (const layer of [...links.resting.layers, ...links.lifted.layers]) drawn.meshes += layer.drawn.meshes;
    return drawn;
  }

  destroy(): void {
    for (const { resting, lifted } of [...this.#cardLayers.values(), ...this.#linkLayers.values()]) {
      resting.destroy();
      lifted.destroy();
    }
  }

  #cardsOf(level: DetailLevel): Layers<TileLayer> {
    let layers = this.#cardLayers.get(level);
    if (!layers) {
      const layer = (lifted: boolean) =>
        new TileLayer({
          grid: this.#cardCells,
          span: tileSizes[level] / cardCell,
          kind: this.#kinds.cards,
          reach: cardReach,
          build: (slots) => this.#builder.cards(level, slots, lifted),
        });
      layers = { resting: layer(false), lifted: layer(true) };
      this.#cardLayers.set(level, layers);
    }
    return layers;
  }

  #linksOf(shape: LinkShape): Layers<LinkLayers> {
    let layers = this.#linkLayers.get(shape);
    if (!layers) {
      const layer = (lifted: boolean) =>
        new LinkLayers(this.#linkCells, linkTileSizes[shape], this.#kinds.links, (slots) => this.#builder.links(shape, slots, lifted));
      layers = { resting: layer(false), lifted: layer(true) };
      this.#linkLayers.set(shape, layers);
    }
    return layers;
  }

  #placeAll(): void {
    this.#cardCells.clear();
    for (const cells of this.#linkCells) cells.clear();
    this.outdate('cards');
    this.outdate('links');
    const { nodes, links } = this.#index;
    for (let slot = 0; slot < nodes.records.length; slot++) {
      const node = nodes.records[slot];
      if (node) this.#cardCells.fill(slot, node.x, node.y);
    }
    for (let slot = 0; slot < links.records.length; slot++) {
      if (!links.records[slot]) continue;
      const box = links.box(slot);
      this.#linkCells[cellsFor(box)]?.fill(slot, (box.left + box.right) / 2, (box.top + box.bottom) / 2);
    }
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
    const at = cellsFor(box);
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

/** The place in `linkCells` of the cells for a link with this box. */
function cellsFor(box: Rect): number {
  const reach = Math.max(box.right - box.left, box.bottom - box.top);
  const fitting = linkCells.findIndex((size) => reach <= size);
  return fitting === -1 ? linkCells.length - 1 : fitting;
}

/** Ids with the slots that they hold now, before the change that may take them away. */
function slotsOf(table: DocumentIndex['nodes'] | DocumentIndex['links'], ids: ReadonlySet<string> | 'all'): [string, number][] {
  if (ids === 'all') return [];
  return [...ids].flatMap((id): [string, number][] => {
    const slot = table.slotOf(id);
    return slot === undefined ? [] : [[id, slot]];
  });
}
