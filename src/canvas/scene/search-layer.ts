import { Container } from 'pixi.js';
import { holds, overlaps, type Rect, widened } from '../geometry/camera.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import type { DetailLevel } from '../geometry/level-of-detail.ts';
import { dimsOthers } from '../search-dimming.ts';
import type { CardPen } from './card-pen.ts';
import { type MeshKind, QuadMesh } from './quad-mesh.ts';
import type { TileBuilder } from './tile-builder.ts';

type Sources = { index: DocumentIndex; pen: CardPen; builder: TileBuilder; kind: MeshKind };
type Shown = { view: Rect; level: DetailLevel; textVersion: number; matches: ReadonlySet<string> | null };

/** How much of the canvas's colour lies over what was not looked for: signs of state stay to be seen through it. */
const veil = 0.64;
/** How much farther than the view what is built reaches, as a share of the view. */
const reserve = 0.5;

/** While a search goes on: one veil over everything, and above it what was found. A letter typed costs the found cards in view, and the tiles nothing. */
export class SearchLayer {
  readonly container = new Container();
  readonly #from: Sources;
  readonly #veil: QuadMesh;
  readonly #found: QuadMesh;
  #built: (Omit<Shown, 'view'> & { area: Rect }) | null = null;

  constructor(from: Sources) {
    this.#from = from;
    this.#veil = new QuadMesh(from.kind);
    this.#found = new QuadMesh(from.kind);
    this.container.addChild(this.#veil.mesh, this.#found.mesh);
    this.container.visible = false;
  }

  get meshes(): number {
    return this.container.visible ? 2 : 0;
  }

  /** To be called when what is found may look different. */
  outdate(): void {
    this.#built = null;
  }

  draw({ view, level, textVersion, matches }: Shown): void {
    this.container.visible = dimsOthers(matches);
    if (!dimsOthers(matches)) return;
    const built = this.#built;
    const isSame = built?.matches === matches && built.level === level && built.textVersion === textVersion;
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
    this.#found.set(builder.cards(level, this.#slotsIn(area, matches), false)?.vertices ?? none);
    this.#built = { area, level, textVersion, matches };
  }

  destroy(): void {
    this.#veil.destroy();
    this.#found.destroy();
    this.container.destroy();
  }

  /** In the order of the pile. */
  #slotsIn(area: Rect, matches: ReadonlySet<string>): number[] {
    const { nodes } = this.#from.index;
    const slots: number[] = [];
    for (const id of matches) {
      const slot = nodes.slotOf(id);
      if (slot !== undefined && overlaps(nodes.box(slot), area)) slots.push(slot);
    }
    return slots.sort((a, b) => a - b);
  }
}

const none = new Float32Array(0);
