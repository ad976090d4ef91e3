import type { Rect } from '../../geometry/camera.ts';
import type { DetailLevel } from '../../geometry/level-of-detail.ts';
import { TileLayer } from '../tiles/tile-layer.ts';
import { type Frame, type LayerOptions, SceneLayer } from './scene-layer.ts';

type CardLayerOptions = LayerOptions & {
  /** Whether the layer draws the cards that are dragged, or all others. */
  isLifted: boolean;
};

/** World px along the edge of a tile of cards, by level: as many cards as one frame can well draw. */
const tileSizes: Record<DetailLevel, number> = { full: 1_024, compact: 2_048, title: 2_048, block: 8_192 };
/** How far cards reach out of their tile: their own size, ports, shadow. World px. */
const cardReach: Rect = { left: 24, top: 24, right: 304, bottom: 264 };
/** Larger than any version of a level's text, so that versions of cards and of their text never collide. */
const textVersions = 2 ** 24;

/** Cards in tiles, a set of tiles for each level of detail. */
export class CardLayer extends SceneLayer {
  readonly isLifted: boolean;
  readonly #levels = new Map<DetailLevel, TileLayer>();
  #current: TileLayer | null = null;

  constructor({ isLifted, ...options }: CardLayerOptions) {
    super(options);
    this.isLifted = isLifted;
  }

  get meshes(): number {
    return this.#current?.drawn.meshes ?? 0;
  }

  override get cards(): number {
    return this.#current?.drawn.things ?? 0;
  }

  draw({ level, view, versions, text }: Frame): void {
    const tiles = this.#enter(level);
    const { dragged } = this.parts;
    if (!this.isLifted) tiles.show(view, versions.cards * textVersions + text.version);
    else if (dragged.isEmpty) tiles.clear();
    else tiles.show(dragged.viewBeforeDrag(view), versions.cards * textVersions + text.version);
  }

  protected free(): void {
    for (const tiles of this.#levels.values()) tiles.destroy();
  }

  #enter(level: DetailLevel): TileLayer {
    let tiles = this.#levels.get(level);
    if (!tiles) {
      const { cells, kinds, builder } = this.parts;
      tiles = new TileLayer({
        grid: cells.cards,
        span: tileSizes[level] / cells.cards.cellSize,
        kind: kinds.cards,
        reach: cardReach,
        build: (slots) => builder.cards(level, slots, this.isLifted),
      });
      this.#levels.set(level, tiles);
    }
    if (tiles !== this.#current) {
      this.removeChildren();
      this.addChild(tiles.container);
      this.#current = tiles;
    }
    return tiles;
  }
}
