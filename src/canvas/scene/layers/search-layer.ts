import type { CanvasNode } from '../../../../contract/canvas.ts';
import { isNote } from '../../../../rules/card.ts';
import { isCard } from '../../folding/folded-records.ts';
import { containsBox, expandBox, overlaps, type Rect } from '../../geometry/camera.ts';
import type { DetailLevel } from '../../geometry/level-of-detail.ts';
import { dimsOthers } from '../../search-dimming.ts';
import { byArea } from '../cards/annotation-layout.ts';
import { paintAnnotation } from '../cards/paint-annotation.ts';
import { QuadMesh } from '../gpu/quad-mesh.ts';
import { type Frame, type LayerOptions, SceneLayer } from './scene-layer.ts';

type Built = { area: Rect; level: DetailLevel; textVersion: number; version: number; matches: ReadonlySet<string> };

/** The opacity of the veil over nodes that were not found. State glyphs stay visible through it. */
const veil = 0.64;
/** How much farther than the view the meshes reach, as a share of the view. */
const reserve = 0.5;

/** During a search: a veil over everything, and the found nodes above it. A typed letter redraws the found cards in view and no tile. */
export class SearchLayer extends SceneLayer {
  readonly #veil: QuadMesh;
  readonly #annotations: QuadMesh;
  readonly #cards: QuadMesh;
  #built: Built | null = null;

  constructor(options: LayerOptions) {
    super(options);
    const { cards } = this.parts.kinds;
    this.#veil = new QuadMesh(cards);
    this.#annotations = new QuadMesh(cards);
    this.#cards = new QuadMesh(cards);
    this.addChild(this.#veil.mesh, this.#annotations.mesh, this.#cards.mesh);
    this.visible = false;
  }

  get meshes(): number {
    if (!this.visible) return 0;
    return [this.#veil, this.#annotations, this.#cards].filter(({ quads }) => quads > 0).length;
  }

  draw({ view, level, text, versions, ephemeral: { matches } }: Frame): void {
    this.visible = dimsOthers(matches);
    if (!dimsOthers(matches)) return;
    const built = this.#built;
    const isCurrent = built?.version === versions.search && built.level === level && built.textVersion === text.version;
    if (built && isCurrent && built.matches === matches && containsBox(built.area, view)) return;
    const area = expandBox(view, reserve);
    const { pen, builder } = this.parts;
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
    this.#built = { area, level, textVersion: text.version, version: versions.search, matches };
  }

  protected free(): void {
    this.#veil.destroy();
    this.#annotations.destroy();
    this.#cards.destroy();
  }

  /** Slots of cards in stacking order; groups before the notes that may lie in them, larger ones first. */
  #foundIn(area: Rect, matches: ReadonlySet<string>): { cards: number[]; annotations: CanvasNode[] } {
    const { index, dragged } = this.parts;
    const { nodes } = index;
    const cards: number[] = [];
    const annotations: CanvasNode[] = [];
    for (const id of matches) {
      const slot = nodes.slotOf(id);
      const node = slot === undefined ? undefined : nodes.records[slot];
      if (slot === undefined || !node || dragged.moves(id) || !overlaps(nodes.box(slot), area)) continue;
      if (!isCard(node)) annotations.push(node);
      else cards.push(slot);
    }
    return {
      cards: cards.sort((a, b) => a - b),
      annotations: annotations.sort((a, b) => Number(isNote(a)) - Number(isNote(b)) || byArea(a, b)),
    };
  }
}

const none = new Float32Array(0);
