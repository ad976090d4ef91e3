import { Container } from 'pixi.js';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { isAnnotation } from '../../../rules/card.ts';
import { holds, overlaps, type Rect, widened } from '../geometry/camera.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import type { DetailLevel } from '../geometry/level-of-detail.ts';
import { dimsOthers } from '../search-dimming.ts';
import type { CardPen } from './cards/card-pen.ts';
import type { Lift } from './cards/lift.ts';
import { byArea, paintAnnotation } from './cards/paint-annotation.ts';
import { type MeshKind, QuadMesh } from './gpu/quad-mesh.ts';
import type { TileBuilder } from './tiles/tile-builder.ts';

type Sources = { index: DocumentIndex; lift: Lift; pen: CardPen; builder: TileBuilder; kind: MeshKind };
type Shown = { view: Rect; level: DetailLevel; text: { zoom: number; version: number }; matches: ReadonlySet<string> | null };

/** How much of the canvas's colour lies over what was not looked for: signs of state stay to be seen through it. */
const veil = 0.64;
/** How much farther than the view what is built reaches, as a share of the view. */
const reserve = 0.5;

/** While a search goes on: one veil over everything, and above it what was found. A letter typed costs the found cards in view, and the tiles nothing. */
export class SearchLayer {
  readonly container = new Container();
  readonly #from: Sources;
  readonly #veil: QuadMesh;
  readonly #annotations: QuadMesh;
  readonly #cards: QuadMesh;
  #built: { area: Rect; level: DetailLevel; version: number; matches: Shown['matches'] } | null = null;

  constructor(from: Sources) {
    this.#from = from;
    this.#veil = new QuadMesh(from.kind);
    this.#annotations = new QuadMesh(from.kind);
    this.#cards = new QuadMesh(from.kind);
    this.container.addChild(this.#veil.mesh, this.#annotations.mesh, this.#cards.mesh);
    this.container.visible = false;
  }

  get meshes(): number {
    if (!this.container.visible) return 0;
    return [this.#veil, this.#annotations, this.#cards].filter(({ quads }) => quads > 0).length;
  }

  /** To be called when what is found may look different. */
  outdate(): void {
    this.#built = null;
  }

  draw({ view, level, text, matches }: Shown): void {
    this.container.visible = dimsOthers(matches);
    if (!dimsOthers(matches)) return;
    const built = this.#built;
    const isSame = built?.matches === matches && built.level === level && built.version === text.version;
    if (built && isSame && holds(built.area, view)) return;
    const area = widened(view, reserve);
    const { pen, builder } = this.#from;
    pen.writer.begin();
    pen.writer.alpha = 1;
    pen.writer.anchor(area.left, area.top);
    pen.writer.shape({
      x: 0,
      y: 0,
      width: area.right - area.left,
      height: area.bottom - area.top,
      fill: pen.palette.canvas,
      fillAlpha: veil,
    });
    this.#veil.set(pen.writer.written());
    const { cards, annotations } = this.#foundIn(area, matches);
    pen.writer.begin();
    for (const node of annotations) paintAnnotation(pen, node, { level, fitZoom: text.zoom, name: builder.texts.nodeTitle(node) });
    this.#annotations.set(pen.writer.written());
    this.#cards.set(builder.cards(level, cards, false)?.vertices ?? none);
    this.#built = { area, level, version: text.version, matches };
  }

  destroy(): void {
    this.#veil.destroy();
    this.#annotations.destroy();
    this.#cards.destroy();
    this.container.destroy();
  }

  /** Slots of cards in the order of the pile; groups before the notes that may lie in them, larger ones first. */
  #foundIn(area: Rect, matches: ReadonlySet<string>): { cards: number[]; annotations: CanvasNode[] } {
    const { index, lift } = this.#from;
    const { nodes } = index;
    const cards: number[] = [];
    const annotations: CanvasNode[] = [];
    for (const id of matches) {
      const slot = nodes.slotOf(id);
      const node = slot === undefined ? undefined : nodes.records[slot];
      if (slot === undefined || !node || lift.moves(id) || !overlaps(nodes.box(slot), area)) continue;
      if (isAnnotation(node)) annotations.push(node);
      else cards.push(slot);
    }
    return {
      cards: cards.sort((a, b) => a - b),
      annotations: annotations.sort((a, b) => Number(a.type === 'note') - Number(b.type === 'note') || byArea(a, b)),
    };
  }
}

const none = new Float32Array(0);
