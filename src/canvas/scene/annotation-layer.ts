import { Container } from 'pixi.js';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { isAnnotation } from '../../../rules/card.ts';
import type { CanvasMoment } from '../canvas-view.ts';
import { holds, overlaps, type Rect, widened } from '../geometry/camera.ts';
import { nodeBox } from '../geometry/document-bounds.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import type { DetailLevel } from '../geometry/level-of-detail.ts';
import type { CardPen } from './cards/card-pen.ts';
import type { Lift } from './cards/lift.ts';
import { byArea, paintAnnotation } from './cards/paint-annotation.ts';
import { type MeshKind, QuadMesh } from './gpu/quad-mesh.ts';
import type { CardTexts } from './text/card-texts.ts';

type Sources = { index: DocumentIndex; pen: CardPen; lift: Lift; kind: MeshKind; texts: () => CardTexts };
type Shown = { view: Rect; level: DetailLevel; text: { zoom: number; version: number }; resize: CanvasMoment['resize'] };

/** How much farther than the view what is built reaches, as a share of the view, so that panning builds little. */
const reserve = 0.5;
/** World px by which a name may stand out of its group, seen from very far. */
const nameReach = 2_000;

/** Notes and groups: groups below everything, notes below the cards. Costs nothing on a canvas that has none. */
export class AnnotationLayer {
  readonly groups = new Container();
  readonly notes = new Container();
  readonly liftedGroups = new Container();
  readonly liftedNotes = new Container();
  readonly #from: Sources;
  readonly #ids = new Set<string>();
  readonly #meshes: Record<'groups' | 'notes' | 'liftedGroups' | 'liftedNotes', QuadMesh>;
  #isStale = false;
  #built: { area: Rect; level: DetailLevel; version: number } | null = null;

  constructor(from: Sources) {
    this.#from = from;
    const mesh = (container: Container) => {
      const made = new QuadMesh(from.kind);
      container.addChild(made.mesh);
      return made;
    };
    this.#meshes = {
      groups: mesh(this.groups),
      notes: mesh(this.notes),
      liftedGroups: mesh(this.liftedGroups),
      liftedNotes: mesh(this.liftedNotes),
    };
  }

  /** How many meshes have something to draw. */
  get meshes(): number {
    return Object.values(this.#meshes).filter(({ quads }) => quads > 0).length;
  }

  /** Takes in the nodes that changed. */
  takeIn(changed: ReadonlySet<string> | 'all'): void {
    const { nodes } = this.#from.index;
    const before = this.#ids.size;
    if (changed === 'all') this.#ids.clear();
    for (const id of changed === 'all' ? nodes.ids : changed) {
      const node = nodes.get(id);
      if (node && isAnnotation(node)) this.#ids.add(id);
      else this.#ids.delete(id);
    }
    if (before > 0 || this.#ids.size > 0) this.#isStale = true;
  }

  /** To be called when what they are drawn with has changed, or where they are dragged to. */
  outdate(): void {
    this.#isStale = this.#ids.size > 0 || this.#built !== null;
  }

  draw(shown: Shown): void {
    if (this.#ids.size === 0 && !this.#isStale) return;
    const { view, level, text } = shown;
    const built = this.#built;
    if (!this.#isStale && built && built.level === level && built.version === text.version && holds(built.area, view)) return;
    const area = widened(view, reserve);
    const inArea = this.#inArea(area, shown.resize);
    const { lift } = this.#from;
    const kinds = [
      ['groups', 'group', false],
      ['notes', 'note', false],
      ['liftedGroups', 'group', true],
      ['liftedNotes', 'note', true],
    ] as const;
    for (const [mesh, type, lifted] of kinds) {
      this.#paint(
        this.#meshes[mesh],
        inArea.filter((node) => node.type === type && (lifted ? lift.has(node.id) : !lift.moves(node.id))),
        shown,
      );
    }
    this.#isStale = false;
    this.#built = this.#ids.size > 0 ? { area, level, version: text.version } : null;
  }

  destroy(): void {
    for (const mesh of Object.values(this.#meshes)) mesh.destroy();
    for (const container of [this.groups, this.notes, this.liftedGroups, this.liftedNotes]) container.destroy();
  }

  /** Larger groups first, so that those within lie on top. */
  #inArea(area: Rect, resize: CanvasMoment['resize']): CanvasNode[] {
    const { index, lift } = this.#from;
    const found: CanvasNode[] = [];
    for (const id of this.#ids) {
      const node = index.nodes.get(id);
      if (!node) continue;
      const now = resize?.id === id ? { ...node, ...resize } : node;
      const box = nodeBox(now);
      if (lift.has(id) || overlaps({ ...box, top: box.top - nameReach }, area)) found.push(now);
    }
    return found.sort(byArea);
  }

  #paint(mesh: QuadMesh, nodes: readonly CanvasNode[], { level, text }: Shown): void {
    const { pen, texts } = this.#from;
    pen.writer.begin();
    for (const node of nodes) paintAnnotation(pen, node, { level, fitZoom: text.zoom, name: texts().nodeTitle(node) });
    mesh.set(pen.writer.written());
  }
}
