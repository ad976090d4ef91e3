import type { CanvasDocument } from '../../../../contract/canvas.ts';
import type { Rect } from '../../geometry/camera.ts';
import type { DocumentIndex } from '../../geometry/document-index.ts';
import type { Touched } from '../../geometry/touched.ts';
import type { RunChange } from '../run-on-canvas.ts';
import { CellGrid } from './cell-grid.ts';

/** World px along the edge of a cell of nodes. */
const nodeCell = 1_024;
/** Cells for links that reach no farther than that; a link lies in the smallest that are large enough. */
const linkCells = [1_024, 4_096, 16_384, 4_194_304] as const;
/** The maximum of marked nodes and links. With more, drawing everything in view is faster. */
const maxTouched = 500;

/** The document's nodes and links, sorted into cells of the plane. A change touches the cells that show it. */
export class DocumentCells {
  readonly cards = new CellGrid(nodeCell);
  readonly links: readonly CellGrid[] = linkCells.map((size) => new CellGrid(size));
  readonly #index: DocumentIndex;

  constructor(index: DocumentIndex) {
    this.#index = index;
  }

  /** Applies a change of the document. Returns the nodes that changed, and whether the routes of all links did. */
  update(document: CanvasDocument, touched: Touched): { nodes: ReadonlySet<string> | 'all'; areRoutesNew: boolean } {
    const before = { nodes: slotsOf(this.#index.nodes, touched.nodes), links: slotsOf(this.#index.links, touched.links) };
    const changed = this.#index.update(document, touched);
    if (changed.nodes === 'all' || changed.links === 'all') {
      this.#placeAll();
      return { nodes: 'all', areRoutesNew: true };
    }
    for (const [id, slot] of before.nodes) if (!this.#index.nodes.get(id)) this.cards.remove(slot);
    for (const [id, slot] of before.links) if (!this.#index.links.get(id)) for (const cells of this.links) cells.remove(slot);
    for (const id of changed.nodes) this.#placeNode(id);
    for (const id of changed.links) {
      this.#placeLink(id);
      this.#touchEnds(id);
    }
    for (const id of changed.routes === 'all' ? [] : changed.routes) this.#touchLink(id);
    return { nodes: changed.nodes, areRoutesNew: changed.routes === 'all' };
  }

  touchCard(id: string): void {
    const slot = this.#index.nodes.slotOf(id);
    if (slot !== undefined) this.cards.touch(slot);
  }

  /** Touches a node and its links, and the cards at their other ends if their ports may look different. */
  touchNode(id: string, andNeighbours: boolean): void {
    this.touchCard(id);
    for (const linkId of this.#index.linksOf(id)) {
      this.#touchLink(linkId);
      if (andNeighbours) this.#touchEnds(linkId);
    }
  }

  /** Touches the cells that a run has changed. Returns false, and touches nothing, if drawing everything again is faster. */
  touchRun({ nodes, links }: RunChange): boolean {
    if (links === 'all' || nodes.length + links.length > maxTouched) return false;
    for (const id of nodes) this.touchNode(id, true);
    for (const id of links) {
      this.#touchLink(id);
      this.#touchEnds(id);
    }
    return true;
  }

  #touchLink(id: string): void {
    const slot = this.#index.links.slotOf(id);
    if (slot !== undefined) for (const cells of this.links) cells.touch(slot);
  }

  #placeAll(): void {
    this.cards.clear();
    for (const cells of this.links) cells.clear();
    const { nodes, links } = this.#index;
    for (let slot = 0; slot < nodes.records.length; slot++) {
      const node = nodes.records[slot];
      if (node) this.cards.fill(slot, node.x, node.y);
    }
    for (let slot = 0; slot < links.records.length; slot++) {
      if (!links.records[slot]) continue;
      const box = links.box(slot);
      this.links[cellsFor(box)]?.fill(slot, (box.left + box.right) / 2, (box.top + box.bottom) / 2);
    }
  }

  #placeNode(id: string): void {
    const slot = this.#index.nodes.slotOf(id);
    const node = this.#index.nodes.get(id);
    if (slot !== undefined && node) this.cards.place(slot, node.x, node.y);
  }

  #placeLink(id: string): void {
    const slot = this.#index.links.slotOf(id);
    if (slot === undefined) return;
    const box = this.#index.links.box(slot);
    const at = cellsFor(box);
    this.links.forEach((cells, other) => {
      if (other !== at) cells.remove(slot);
    });
    this.links[at]?.place(slot, (box.left + box.right) / 2, (box.top + box.bottom) / 2);
  }

  /** A link that came, went or changed its state shows on the ports at its ends. */
  #touchEnds(linkId: string): void {
    const link = this.#index.links.get(linkId);
    if (!link) return;
    this.touchCard(link.from.agentId);
    this.touchCard(link.to.agentId);
  }
}

/** The place in `linkCells` of the cells for a link with this box. */
function cellsFor(box: Rect): number {
  const reach = Math.max(box.right - box.left, box.bottom - box.top);
  const fitting = linkCells.findIndex((size) => reach <= size);
  return fitting === -1 ? linkCells.length - 1 : fitting;
}

/** Ids with the slots that they hold now, before the change that may take them away. */
function slotsOf(table: DocumentIndex['nodes'] | DocumentIndex['links'], ids: ReadonlySet<string> | 'all'): [string, number][] {
  if (ids === 'all') return [];
  return [...ids].flatMap((id): [string, number][] => {
    const slot = table.slotOf(id);
    return slot === undefined ? [] : [[id, slot]];
  });
}
