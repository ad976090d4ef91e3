import { Container } from 'pixi.js';
import type { Rect } from '../geometry/camera.ts';
import type { CellGrid } from './cell-grid.ts';
import type { MeshKind } from './quad-mesh.ts';
import { type TileContent, TileLayer } from './tile-layer.ts';

/** How far cards reach out of their tile: their own size, ports, shadow. World px. */
const cardReach: Rect = { left: 24, top: 24, right: 304, bottom: 264 };

type Build = (slots: readonly number[]) => TileContent | null;
export type LayerSource = {
  cards: CellGrid;
  links: readonly CellGrid[];
  cardKind: MeshKind;
  linkKind: MeshKind;
  buildCards: Build;
  buildLinks: Build;
};

/** The tiles of one level of detail: `links` below `cards`. */
export class LevelLayers {
  readonly cards: TileLayer;
  readonly links: readonly TileLayer[];
  readonly linkContainer = new Container();

  /** `tile`: world px along the edge of a tile of cards; tiles of links are as large, or as large as the cells of long links. */
  constructor(source: LayerSource, tile: number) {
    this.cards = new TileLayer({
      grid: source.cards,
      span: tile / source.cards.cellSize,
      kind: source.cardKind,
      reach: cardReach,
      build: source.buildCards,
    });
    this.links = source.links.map((grid) => {
      const half = grid.cellSize / 2;
      const reach = { left: half, top: half, right: half, bottom: half };
      return new TileLayer({
        grid,
        span: Math.max(1, Math.round((2 * tile) / grid.cellSize)),
        kind: source.linkKind,
        reach,
        build: source.buildLinks,
      });
    });
    this.linkContainer.addChild(...this.links.map((layer) => layer.container));
  }

  show(view: Rect, stamps: { cards: number; links: number }): void {
    for (const layer of this.links) layer.show(view, stamps.links);
    this.cards.show(view, stamps.cards);
  }

  clear(): void {
    this.cards.clear();
    for (const layer of this.links) layer.clear();
  }

  destroy(): void {
    this.cards.destroy();
    for (const layer of this.links) layer.destroy();
    this.linkContainer.destroy();
  }
}
