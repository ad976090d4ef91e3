import { Container } from 'pixi.js';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import type { Palette } from '../../ui/palette.ts';
import type { DetailLevel } from '../geometry/level-of-detail.ts';
import { type MeshKind, QuadMesh } from './gpu/quad-mesh.ts';
import type { QuadWriter } from './gpu/quad-writer.ts';

/** Outlines of selected cards and of the card under the pointer. */
export class SelectionDecoration {
  readonly container = new Container();
  readonly #writer: QuadWriter;
  readonly #outlines: QuadMesh;
  readonly #hover: QuadMesh;

  constructor(kind: MeshKind, writer: QuadWriter) {
    this.#writer = writer;
    this.#outlines = new QuadMesh(kind);
    this.#hover = new QuadMesh(kind);
    this.container.addChild(this.#hover.mesh, this.#outlines.mesh);
  }

  /** The number of meshes that have something to draw. */
  get meshes(): number {
    return Number(this.#outlines.quads > 0) + Number(this.#hover.quads > 0);
  }

  /** A mesh of its own: a move of the pointer must not redraw thousands of selected cards. */
  drawHovered(node: CanvasNode | null, level: DetailLevel, palette: Palette): void {
    this.#writer.begin();
    if (node) this.#outlineOf(node, radiusAt(level), { world: 1.5, screen: 1.5 }, palette.accent, 0.45);
    this.#hover.set(this.#writer.written());
  }

  drawSelected(selected: Iterable<CanvasNode>, level: DetailLevel, palette: Palette): void {
    const writer = this.#writer;
    const radius = radiusAt(level);
    writer.begin();
    for (const node of selected) {
      if (level !== 'block') this.#outlineOf(node, radius, { world: 2, screen: 2 }, palette.accent, 1);
      else {
        // A gap makes the ring visible among blocks of all colours.
        this.#outlineOf(node, radius, { world: 0, screen: 3.5 }, palette.accent, 1);
        this.#outlineOf(node, radius, { world: 0, screen: 1.5 }, palette.canvas, 1);
      }
    }
    this.#outlines.set(writer.written());
  }

  destroy(): void {
    this.#outlines.destroy();
    this.#hover.destroy();
    this.container.destroy();
  }

  #outlineOf(node: CanvasNode, radius: number, width: { world: number; screen: number }, colour: number, alpha: number): void {
    this.#writer.anchor(node.x, node.y);
    this.#writer.shape({
      x: 0,
      y: 0,
      ...nodeSize(node),
      radius,
      motion: 'outline',
      bandTop: width.world,
      bandLeft: width.screen,
      stroke: colour,
      strokeAlpha: alpha,
    });
  }
}

function radiusAt(level: DetailLevel): number {
  return level === 'block' ? 20 : 10;
}
