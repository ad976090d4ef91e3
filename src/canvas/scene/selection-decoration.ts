import { Container } from 'pixi.js';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import type { Palette } from '../../ui/palette.ts';
import type { CardTint } from '../canvas-view.ts';
import type { DetailLevel } from '../geometry/level-of-detail.ts';
import { type MeshKind, QuadMesh } from './gpu/quad-mesh.ts';
import type { QuadWriter } from './gpu/quad-writer.ts';

/** Between a selected card and its outline (world px). */
const selectionGap = 3;

/** More selected blocks than this are a crowd: rings of a width on the screen would join into one plate. */
const maxRingedBlocks = 40;
/** The ring of a block in a crowd (world px): less than half of the space between cards. */
const crowdRing = 10;

/** Outlines of selected cards and of the card under the pointer. */
export class SelectionDecoration {
  readonly container = new Container();
  readonly #writer: QuadWriter;
  readonly #outlines: QuadMesh;
  readonly #hover: QuadMesh;
  readonly #tints: QuadMesh;

  constructor(kind: MeshKind, writer: QuadWriter) {
    this.#writer = writer;
    this.#outlines = new QuadMesh(kind);
    this.#hover = new QuadMesh(kind);
    this.#tints = new QuadMesh(kind);
    this.container.addChild(this.#tints.mesh, this.#hover.mesh, this.#outlines.mesh);
  }

  /** The number of meshes that have something to draw. */
  get meshes(): number {
    return [this.#tints, this.#outlines, this.#hover].filter(({ quads }) => quads > 0).length;
  }

  /** A mesh of its own: a move of the pointer must not redraw thousands of selected cards. */
  drawHovered(node: CanvasNode | null, level: DetailLevel, palette: Palette): void {
    this.#writer.begin();
    if (node) this.#outlineOf(node, radiusAt(level), { world: 1.5, screen: 1.5 }, palette.accent, 0.45);
    this.#hover.set(this.#writer.written());
  }

  drawSelected(selected: readonly CanvasNode[], level: DetailLevel, palette: Palette): void {
    const writer = this.#writer;
    const radius = radiusAt(level);
    const isCrowd = selected.length > maxRingedBlocks;
    writer.begin();
    for (const node of selected) {
      // Around the card, so that its border, which shows the state of its work, is seen.
      if (level !== 'block') this.#outlineOf(node, radius, { world: 2, screen: 2 }, palette.accent, 1, selectionGap);
      else if (isCrowd) {
        // A veil, under which the card's own colour is seen, and a ring that shrinks with the cards.
        writer.anchor(node.x, node.y);
        writer.shape({ x: 0, y: 0, ...nodeSize(node), radius, fill: palette.accent, fillAlpha: 0.32 });
        this.#outlineOf(node, radius, { world: crowdRing, screen: 0 }, palette.accent, 1);
      } else {
        // A gap makes the ring visible among blocks of all colours.
        this.#outlineOf(node, radius, { world: 0, screen: 3.5 }, palette.accent, 1);
        this.#outlineOf(node, radius, { world: 0, screen: 1.5 }, palette.canvas, 1);
      }
    }
    this.#outlines.set(writer.written());
  }

  /** Colours over cards: a veil and a border. */
  drawTinted(tinted: Iterable<readonly [CanvasNode, CardTint]>, level: DetailLevel, palette: Palette): void {
    const writer = this.#writer;
    writer.begin();
    for (const [node, tint] of tinted) {
      const colour = tintColour(tint, palette);
      writer.anchor(node.x, node.y);
      writer.shape({ x: 0, y: 0, ...nodeSize(node), radius: radiusAt(level), fill: colour, fillAlpha: tint === 'kept' ? 0.34 : 0.16 });
      this.#outlineOf(node, radiusAt(level), { world: 2, screen: 2 }, colour, 1);
    }
    this.#tints.set(writer.written());
  }

  destroy(): void {
    this.#tints.destroy();
    this.#outlines.destroy();
    this.#hover.destroy();
    this.container.destroy();
  }

  #outlineOf(node: CanvasNode, radius: number, width: { world: number; screen: number }, colour: number, alpha: number, gap = 0): void {
    const size = nodeSize(node);
    this.#writer.anchor(node.x, node.y);
    this.#writer.shape({
      x: 0 - gap,
      y: 0 - gap,
      width: size.width + 2 * gap,
      height: size.height + 2 * gap,
      radius: radius + gap,
      motion: 'outline',
      bandTop: width.world,
      bandLeft: width.screen,
      stroke: colour,
      strokeAlpha: alpha,
    });
  }
}

function tintColour(tint: CardTint, palette: Palette): number {
  switch (tint) {
    case 'kept':
      return palette.hue.grey;
    case 'again':
      return palette.hue.blue;
    case 'changed':
      return palette.warning;
    case 'added':
      return palette.success;
    case 'removed':
      return palette.danger;
  }
}

function radiusAt(level: DetailLevel): number {
  return level === 'block' ? 20 : 10;
}
