import { Container } from 'pixi.js';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { nodeSize } from '../../model/node-size.ts';
import type { Palette } from '../../ui/palette.ts';
import type { DetailLevel } from '../geometry/level-of-detail.ts';
import { type MeshKind, QuadMesh } from './quad-mesh.ts';
import type { QuadWriter } from './quad-writer.ts';

export type Decorated = { selected: Iterable<CanvasNode>; hovered: CanvasNode | null };

/** Outlines of selected and hovered cards, above all cards. */
export class Decor {
  readonly container = new Container();
  readonly #writer: QuadWriter;
  readonly outline: QuadMesh;

  constructor(kind: MeshKind, writer: QuadWriter) {
    this.#writer = writer;
    this.outline = new QuadMesh(kind);
    this.container.addChild(this.outline.mesh);
  }

  draw({ selected, hovered }: Decorated, level: DetailLevel, palette: Palette): void {
    const writer = this.#writer;
    const radius = level === 'block' ? 20 : 10;
    writer.begin();
    if (hovered) this.#outlineOf(hovered, radius, { world: 1.5, screen: 1.5 }, palette.accent, 0.45);
    for (const node of selected) {
      if (level !== 'block') this.#outlineOf(node, radius, { world: 2, screen: 2 }, palette.accent, 1);
      else {
        // Among blocks of all colours a ring is seen by the gap that it keeps.
        this.#outlineOf(node, radius, { world: 0, screen: 3.5 }, palette.accent, 1);
        this.#outlineOf(node, radius, { world: 0, screen: 1.5 }, palette.canvas, 1);
      }
    }
    this.outline.set(writer.written());
  }

  destroy(): void {
    this.outline.destroy();
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
