import { Container } from 'pixi.js';
import type { Rect } from '../../geometry/camera.ts';
import type { MeshKind } from '../gpu/quad-mesh.ts';
import type { CellGrid } from '../tiles/cell-grid.ts';
import { type TileContent, TileLayer } from '../tiles/tile-layer.ts';

/** Tiles of links, a layer for each size of cells that links are sorted into. */
export class LinkTiles {
  readonly layers: readonly TileLayer[];
  readonly container = new Container();

  /** `tile`: the edge of a tile (world px). If the cells are larger, a tile is one cell. */
  constructor(grids: readonly CellGrid[], tile: number, kind: MeshKind, build: (slots: readonly number[]) => TileContent | null) {
    this.layers = grids.map((grid) => {
      const half = grid.cellSize / 2;
      const reach = { left: half, top: half, right: half, bottom: half };
      return new TileLayer({ grid, span: Math.max(1, Math.round(tile / grid.cellSize)), kind, reach, build });
    });
    this.container.addChild(...this.layers.map((layer) => layer.container));
  }

  get meshes(): number {
    return this.layers.reduce((meshes, layer) => meshes + layer.drawn.meshes, 0);
  }

  show(view: Rect, stamp: number): void {
    for (const layer of this.layers) layer.show(view, stamp);
  }

  clear(): void {
    for (const layer of this.layers) layer.clear();
  }

  destroy(): void {
    for (const layer of this.layers) layer.destroy();
    this.container.destroy();
  }
}
