import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { isGroup } from '../../../rules/card.ts';
import { areaOf, type Box, boxOf, liesIn } from '../../model/document/annotations.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import { BoxTable } from '../geometry/box-table.ts';
import { nodeBox } from '../geometry/document-bounds.ts';

/** The folded groups of a document, and the one that shows each node. */
export class FoldHomes {
  readonly #groups = new BoxTable<CanvasNode>();
  readonly #boxes = new Map<string, Box>();

  /** The groups that are to be folded, also those that are not there. */
  readonly chosen: ReadonlySet<string>;

  /** `chosen`: the groups to fold; other ids among them are ignored. */
  constructor({ nodes }: Pick<CanvasDocument, 'nodes'>, chosen: ReadonlySet<string>) {
    this.chosen = chosen;
    for (const id of chosen) {
      const group = nodes[id];
      if (!isGroup(group)) continue;
      this.#groups.set(id, group, nodeBox(group));
      this.#boxes.set(id, boxOf(group));
    }
  }

  get size(): number {
    return this.#boxes.size;
  }

  /** Whether a node is a folded group, which another one may show. */
  has(nodeId: string): boolean {
    return this.#boxes.has(nodeId);
  }

  /** Whether a change of a node changes which nodes are shown where: a folded group came, went, moved or got another size. */
  isMovedBy(nodeId: string, now: CanvasNode | undefined): boolean {
    const before = this.#boxes.get(nodeId);
    if (!before) return isGroup(now) && this.chosen.has(nodeId);
    if (!isGroup(now)) return true;
    const { x, y, width, height } = boxOf(now);
    return x !== before.x || y !== before.y || width !== before.width || height !== before.height;
  }

  /** Returns the largest folded group that contains a node, which is the outermost one; null for a node outside all of them. */
  of(node: CanvasNode): string | null {
    let home: { id: string; area: number } | null = null;
    const { width, height } = nodeSize(node);
    const x = node.x + width / 2;
    const y = node.y + height / 2;
    // A group around a node is around its middle too.
    for (const slot of this.#groups.overlapping({ left: x, top: y, right: x, bottom: y })) {
      const id = this.#groups.ids[slot] as string;
      const box = this.#boxes.get(id) as Box;
      if (id === node.id || !liesIn(node, box)) continue;
      const area = areaOf(box);
      if (!home || area > home.area || (area === home.area && id < home.id)) home = { id, area };
    }
    return home?.id ?? null;
  }
}
