import { Container } from 'pixi.js';
import { overlaps, type Rect } from '../../geometry/camera.ts';
import { cellKey } from '../../geometry/cell-key.ts';
import { type MeshKind, QuadMesh } from '../gpu/quad-mesh.ts';
import type { CellGrid } from './cell-grid.ts';

/** The content of a tile: vertices (valid until the next tile is built), the number of things, and their bounds (world px). */
export type TileContent = { vertices: Float32Array<ArrayBuffer>; things: number; bounds: Rect };

type Tile = { mesh: QuadMesh | null; things: number; bounds: Rect | null; stamp: number; isStale: boolean; shownAt: number };

type TileLayerOptions = {
  grid: CellGrid;
  /** Cells along a tile's edge. */
  span: number;
  kind: MeshKind;
  /** How far (world px) things may reach out of the tile that they belong to. */
  reach: Rect;
  /** Draws the contents of these slots; null when there is nothing to draw. */
  build: (slots: readonly number[]) => TileContent | null;
};

/** The number of tiles kept outside the view, so that panning back builds none. */
const tilesKept = 192;

/** Square tiles, one mesh each. Builds a tile when it is first seen and again only after a change in it. */
export class TileLayer {
  readonly container = new Container();
  readonly #options: TileLayerOptions;
  readonly #tiles = new Map<number, Tile>();
  #shown = new Set<Tile>();
  #round = 0;
  readonly #stopWatching: () => void;

  constructor(options: TileLayerOptions) {
    this.#options = options;
    this.#stopWatching = options.grid.touched.subscribe((cellX, cellY) => this.#touch(cellX, cellY));
  }

  /** Shows what lies in `view` (world px). A tile built under another `stamp` is out of date. */
  show(view: Rect, stamp: number): void {
    const { grid, span, reach } = this.#options;
    const size = grid.cellSize * span;
    const round = ++this.#round;
    const shown = new Set<Tile>();
    const lastX = Math.floor((view.right + reach.left) / size);
    const lastY = Math.floor((view.bottom + reach.top) / size);
    for (let y = Math.floor((view.top - reach.bottom) / size); y <= lastY; y++) {
      for (let x = Math.floor((view.left - reach.right) / size); x <= lastX; x++) {
        const tile = this.#tile(x, y, stamp);
        tile.shownAt = round;
        if (tile.mesh && tile.bounds && overlaps(tile.bounds, view)) shown.add(tile);
      }
    }
    this.#swap(shown);
    if (this.#tiles.size > tilesKept + 2 * shown.size) this.#drop((tile) => tile.shownAt !== round);
  }

  /** Removes all tiles. */
  clear(): void {
    this.#swap(new Set());
    this.#drop(() => true);
  }

  get drawn(): { things: number; meshes: number } {
    let things = 0;
    for (const tile of this.#shown) things += tile.things;
    return { things, meshes: this.#shown.size };
  }

  destroy(): void {
    this.#stopWatching();
    this.clear();
    this.container.destroy();
  }

  #touch(cellX: number, cellY: number): void {
    const { span } = this.#options;
    const tile = this.#tiles.get(cellKey(Math.floor(cellX / span), Math.floor(cellY / span)));
    if (tile) tile.isStale = true;
  }

  #tile(x: number, y: number, stamp: number): Tile {
    const key = cellKey(x, y);
    let tile = this.#tiles.get(key);
    if (!tile) {
      tile = { mesh: null, things: 0, bounds: null, stamp, isStale: true, shownAt: 0 };
      this.#tiles.set(key, tile);
    }
    if (tile.isStale || tile.stamp !== stamp) this.#build(tile, x, y);
    tile.stamp = stamp;
    return tile;
  }

  #build(tile: Tile, x: number, y: number): void {
    const { grid, span, kind, build } = this.#options;
    const slots = grid.slots(x * span, y * span, span);
    const content = slots.length > 0 ? build(slots) : null;
    tile.isStale = false;
    tile.things = content?.things ?? 0;
    tile.bounds = content?.bounds ?? null;
    if (content && tile.mesh) tile.mesh.set(content.vertices);
    else if (content) tile.mesh = new QuadMesh(kind, content.vertices);
    else tile.mesh?.set(new Float32Array(0));
  }

  #swap(shown: Set<Tile>): void {
    for (const tile of this.#shown) if (!shown.has(tile) && tile.mesh) this.container.removeChild(tile.mesh.mesh);
    for (const tile of shown) if (!this.#shown.has(tile) && tile.mesh) this.container.addChild(tile.mesh.mesh);
    this.#shown = shown;
  }

  #drop(condemned: (tile: Tile) => boolean): void {
    for (const [key, tile] of this.#tiles) {
      if (!condemned(tile)) continue;
      tile.mesh?.destroy();
      this.#tiles.delete(key);
    }
  }
}
