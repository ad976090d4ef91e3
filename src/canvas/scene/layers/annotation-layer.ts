import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { EphemeralState } from '../../canvas-view.ts';
import { foldSigns } from '../../folding/fold-sign.ts';
import { containsBox, expandBox, overlaps, type Rect } from '../../geometry/camera.ts';
import { nodeBox } from '../../geometry/document-bounds.ts';
import type { DetailLevel } from '../../geometry/level-of-detail.ts';
import { byArea } from '../cards/annotation-layout.ts';
import { paintAnnotation } from '../cards/paint-annotation.ts';
import { QuadMesh } from '../gpu/quad-mesh.ts';
import { type Frame, type LayerOptions, SceneLayer } from './scene-layer.ts';

type AnnotationLayerOptions = LayerOptions & {
  kind: 'group' | 'note';
  /** Whether the layer draws the annotations that are dragged, or all others. */
  isLifted: boolean;
};

/** How much farther than the view the mesh reaches, as a share of the view, so that panning rarely builds it. */
const reserve = 0.5;
/** World px by which a name may stand out of its group at the smallest zoom. */
const nameReach = 2_000;

/** Groups, or notes, in one mesh. Has no cost without any. */
export class AnnotationLayer extends SceneLayer {
  readonly kind: 'group' | 'note';
  readonly isLifted: boolean;
  readonly #mesh: QuadMesh;
  #built: { area: Rect; level: DetailLevel; textVersion: number; version: number } | null = null;

  constructor({ kind, isLifted, ...options }: AnnotationLayerOptions) {
    super(options);
    this.kind = kind;
    this.isLifted = isLifted;
    this.#mesh = new QuadMesh(this.parts.kinds.cards);
    this.addChild(this.#mesh.mesh);
  }

  get meshes(): number {
    return Number(this.#mesh.quads > 0);
  }

  draw({ view, level, text, versions, ephemeral }: Frame): void {
    if (this.parts.annotations[this.kind].size === 0 && this.#mesh.quads === 0) return;
    const built = this.#built;
    const isCurrent = built?.version === versions.annotations && built.level === level && built.textVersion === text.version;
    if (built && isCurrent && containsBox(built.area, view)) return;
    const area = expandBox(view, reserve);
    const { pen, builder, run } = this.parts;
    pen.writer.begin();
    for (const node of this.#nodesIn(area, ephemeral.resize)) {
      const name = `${foldSigns.open} ${builder.texts.groupName(node, run.list(node.id))}`;
      paintAnnotation(pen, node, { level, fitZoom: text.zoom, name });
    }
    this.#mesh.set(pen.writer.written());
    this.#built = { area, level, textVersion: text.version, version: versions.annotations };
  }

  protected free(): void {
    this.#mesh.destroy();
  }

  /** Larger ones first, so that a group within a group lies on top. */
  #nodesIn(area: Rect, resize: EphemeralState['resize']): CanvasNode[] {
    const { index, dragged, annotations } = this.parts;
    const found: CanvasNode[] = [];
    for (const id of annotations[this.kind]) {
      const node = this.isLifted === dragged.isDragged(id) || (!this.isLifted && !dragged.moves(id)) ? index.nodes.get(id) : null;
      if (!node) continue;
      const resized = resize?.id === id ? { ...node, ...resize } : node;
      const box = nodeBox(resized);
      if (dragged.isDragged(id) || overlaps({ ...box, top: box.top - nameReach }, area)) found.push(resized);
    }
    return found.sort(byArea);
  }
}
