import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { CardTint, EphemeralState } from '../../canvas-view.ts';
import type { DetailLevel } from '../../geometry/level-of-detail.ts';
import { SelectionDecoration } from '../selection-decoration.ts';
import { type Frame, type LayerOptions, SceneLayer } from './scene-layer.ts';

type CardMarksLayerOptions = LayerOptions & {
  /** Whether the layer marks the cards that are dragged, or all others. */
  isLifted: boolean;
};

/** Marks of selected cards and of the card under the pointer. */
export class CardMarksLayer extends SceneLayer {
  readonly isLifted: boolean;
  readonly #decoration: SelectionDecoration;
  #drawn = { selection: 0, hover: 0, level: '' as DetailLevel | '', tints: null as EphemeralState['tints'] };

  constructor({ isLifted, ...options }: CardMarksLayerOptions) {
    super(options);
    this.isLifted = isLifted;
    this.#decoration = new SelectionDecoration(this.parts.kinds.cards, this.parts.pen.writer);
    this.addChild(this.#decoration.container);
  }

  get meshes(): number {
    return this.#decoration.meshes;
  }

  draw({ ephemeral, level, versions: { selection, hover } }: Frame): void {
    const { palette } = this.parts.pen;
    if (this.#drawn.selection !== selection) this.#decoration.drawSelected(this.#selectedNodes(ephemeral), level, palette);
    if (this.#drawn.hover !== hover) this.#decoration.drawHovered(this.#hoveredNode(ephemeral), level, palette);
    const { tints } = ephemeral;
    const isTinted =
      tints === this.#drawn.tints && (tints === null || (this.#drawn.selection === selection && this.#drawn.level === level));
    if (!isTinted) this.#decoration.drawTinted(this.#tintedNodes(tints), level, palette);
    this.#drawn = { selection, hover, level, tints };
  }

  protected free(): void {
    this.#decoration.destroy();
  }

  #selectedNodes({ selectedNodes, matches, resize, linkDraft }: EphemeralState): CanvasNode[] {
    const ids = new Set([...selectedNodes, ...(matches ?? []), ...(linkDraft?.over ? [linkDraft.over] : [])]);
    return [...ids].flatMap((id) => {
      const node = this.#node(id);
      if (!node) return [];
      return resize?.id === id ? { ...node, ...resize } : node;
    });
  }

  /** A folded group has the first colour of its cards that says of a change. */
  #tintedNodes(tints: EphemeralState['tints']): [CanvasNode, CardTint][] {
    const shown = new Map<string, CardTint>();
    for (const [nodeId, tint] of tints ?? []) {
      const id = this.parts.run.shownAs(nodeId);
      const known = shown.get(id);
      if (known === undefined || known === 'kept') shown.set(id, tint);
    }
    return [...shown].flatMap(([id, tint]) => {
      const node = this.#node(id);
      return node ? [[node, tint] as [CanvasNode, CardTint]] : [];
    });
  }

  #hoveredNode({ hover, selectedNodes, resize }: EphemeralState): CanvasNode | null {
    const node = hover && hover.kind !== 'link' && !selectedNodes.has(hover.id) ? this.#node(hover.id) : null;
    return node && resize?.id === node.id ? { ...node, ...resize } : node;
  }

  #node(id: string): CanvasNode | null {
    const { index, dragged } = this.parts;
    return dragged.isDragged(id) === this.isLifted ? index.nodes.get(id) : null;
  }
}
