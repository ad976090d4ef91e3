import type { LinkShape } from '../../geometry/link-path.ts';
import { LinkTiles } from '../links/link-tiles.ts';
import { linkShape } from '../tiles/tile-builder.ts';
import { type Frame, type LayerOptions, SceneLayer } from './scene-layer.ts';

type LinkLayerOptions = LayerOptions & {
  /** Whether the layer draws the links with both ends dragged, or those with no dragged end. */
  isLifted: boolean;
};

/** World px along the edge of a tile of links, by the shape of the links. */
const tileSizes: Record<LinkShape, number> = { round: 2_048, cut: 4_096, sharp: 16_384 };

/** Links in tiles, a set of tiles for each shape of links. */
export class LinkLayer extends SceneLayer {
  readonly isLifted: boolean;
  readonly #shapes = new Map<LinkShape, LinkTiles>();
  #current: LinkTiles | null = null;

  constructor({ isLifted, ...options }: LinkLayerOptions) {
    super(options);
    this.isLifted = isLifted;
  }

  get meshes(): number {
    return this.#current?.meshes ?? 0;
  }

  draw({ level, view, versions }: Frame): void {
    const tiles = this.#enter(linkShape[level]);
    const { dragged } = this.parts;
    if (!this.isLifted) tiles.show(view, versions.links);
    else if (dragged.isEmpty) tiles.clear();
    else tiles.show(dragged.viewBeforeDrag(view), versions.links);
  }

  protected free(): void {
    for (const tiles of this.#shapes.values()) tiles.destroy();
  }

  #enter(shape: LinkShape): LinkTiles {
    let tiles = this.#shapes.get(shape);
    if (!tiles) {
      const { cells, kinds, builder } = this.parts;
      tiles = new LinkTiles(cells.links, tileSizes[shape], kinds.links, (slots) => builder.links(shape, slots, this.isLifted));
      this.#shapes.set(shape, tiles);
    }
    if (tiles !== this.#current) {
      this.removeChildren();
      this.addChild(tiles.container);
      this.#current = tiles;
    }
    return tiles;
  }
}
