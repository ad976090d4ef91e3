import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { EphemeralState } from '../../canvas-view.ts';
import { overlaps, type Rect } from '../../geometry/camera.ts';
import type { DocumentIndex } from '../../geometry/document-index.ts';

type Drag = NonNullable<EphemeralState['drag']>;

/**
 * The nodes that are being dragged. They leave the tiles for layers of their own, so that a step of a drag moves one
 * container. The drag ends when the document has moved one of them: then the drop has been applied.
 */
export class DraggedNodes {
  #drag: Drag | null = null;
  #origins = new Map<string, { x: number; y: number }>();
  /** The nodes of the drag whose drop was applied. That drag counts as ended until another begins. */
  #dropped: ReadonlySet<string> | null = null;
  #version = 0;

  /** The number of times that other nodes were dragged than before. A step of a drag does not count. */
  get version(): number {
    return this.#version;
  }

  get dx(): number {
    return this.#drag?.dx ?? 0;
  }

  get dy(): number {
    return this.#drag?.dy ?? 0;
  }

  get isEmpty(): boolean {
    return this.#origins.size === 0;
  }

  get nodeIds(): Iterable<string> {
    return this.#origins.keys();
  }

  isDragged(nodeId: string): boolean {
    return this.#origins.has(nodeId);
  }

  /** Whether the drag moves a node. A drag of copies leaves the nodes in place. */
  moves(nodeId: string): boolean {
    return this.#origins.size > 0 && this.#drag?.copies !== true && this.#origins.has(nodeId);
  }

  /** Returns a node's current place, world px; null for an unknown node. */
  boxOf(nodeId: string, { nodes }: DocumentIndex): Rect | null {
    const slot = nodes.slotOf(nodeId);
    if (slot === undefined) return null;
    const box = nodes.box(slot);
    if (!this.moves(nodeId)) return box;
    return { left: box.left + this.dx, right: box.right + this.dx, top: box.top + this.dy, bottom: box.bottom + this.dy };
  }

  isInView(nodeId: string, index: DocumentIndex, view: Rect): boolean {
    if (this.moves(nodeId)) {
      const box = this.boxOf(nodeId, index);
      return box !== null && overlaps(box, view);
    }
    const slot = index.nodes.slotOf(nodeId);
    return slot !== undefined && index.nodes.isIn(slot, view);
  }

  /** The part of the world that dragged nodes are seen in, by their places before the drag. */
  viewBeforeDrag({ left, top, right, bottom }: Rect): Rect {
    return { left: left - this.dx, right: right - this.dx, top: top - this.dy, bottom: bottom - this.dy };
  }

  /** Follows the page's drag. Returns the ids whose drag began or ended. */
  follow(drag: Drag | null, index: DocumentIndex): string[] {
    if (drag && drag.nodeIds === this.#dropped) return [];
    this.#dropped = null;
    const begins = drag !== null && (drag.nodeIds !== this.#drag?.nodeIds || drag.copies !== this.#drag.copies);
    const ends = drag === null && this.#drag !== null;
    const touched = begins || ends ? [...this.#origins.keys()] : [];
    this.#drag = drag;
    if (begins || ends) {
      this.#origins.clear();
      this.#version += 1;
    }
    if (begins) {
      for (const id of drag.nodeIds) {
        const node = index.nodes.get(id);
        if (!node) continue;
        this.#origins.set(id, { x: node.x, y: node.y });
        touched.push(id);
      }
    }
    return touched;
  }

  /** Ends the drag if a change of the document has applied it. Returns the ids whose drag ended. */
  settle(touched: ReadonlySet<string> | 'all', node: (id: string) => CanvasNode | null): string[] {
    if (this.isEmpty || this.#drag?.copies) return [];
    const arrived = [...this.#origins].some(([id, origin]) => {
      if (touched !== 'all' && !touched.has(id)) return false;
      const now = node(id);
      return now?.x !== origin.x || now.y !== origin.y;
    });
    if (!arrived) return [];
    const ids = [...this.#origins.keys()];
    this.#dropped = this.#drag?.nodeIds ?? null;
    this.#drag = null;
    this.#origins.clear();
    this.#version += 1;
    return ids;
  }
}
