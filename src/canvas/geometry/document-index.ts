import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { Rect } from './camera.ts';
import { joined, linkBox, nodeBox } from './document-bounds.ts';
import type { Touched } from './touched.ts';

/** Slots left by removed records are closed up when there are more of them than records, and at least this many. */
const holesKept = 1_000;

/**
 * Where everything on the canvas is, for hit tests and drawing: a box for each node and link in a flat array, so that a
 * search over ten thousand is a matter of microseconds. A node's slot is also its place in the pile: later lies on top.
 */
export class DocumentIndex {
  readonly nodes = new BoxTable<CanvasNode>();
  readonly links = new BoxTable<Connection>();
  readonly #linksOf = new Map<string, Set<string>>();

  /** Takes in what changed. Returns ids whose geometry or record changed, links of changed nodes included. */
  update(document: CanvasDocument, touched: Pick<Touched, 'nodes' | 'links'>): { nodes: Set<string> | 'all'; links: Set<string> | 'all' } {
    if (touched.nodes === 'all' || touched.links === 'all' || this.nodes.isSparse() || this.links.isSparse()) {
      this.#readAll(document);
      return { nodes: 'all', links: 'all' };
    }
    const links = new Set(touched.links);
    for (const id of touched.nodes) {
      const node = document.nodes[id];
      if (node) this.nodes.set(id, node, nodeBox(node));
      else this.nodes.remove(id);
      for (const linkId of this.linksOf(id)) links.add(linkId);
    }
    for (const id of links) this.#readLink(document, id);
    return { nodes: touched.nodes, links };
  }

  linksOf(nodeId: string): ReadonlySet<string> {
    return this.#linksOf.get(nodeId) ?? noLinks;
  }

  /** The box round all nodes and links (world px), or null on an empty canvas. */
  bounds(): Rect | null {
    return joined(this.nodes.bounds(), this.links.bounds());
  }

  #readAll(document: CanvasDocument): void {
    this.nodes.clear();
    this.links.clear();
    this.#linksOf.clear();
    for (const id in document.nodes) {
      const node = document.nodes[id] as CanvasNode;
      this.nodes.set(id, node, nodeBox(node));
    }
    for (const id in document.connections) this.#readLink(document, id);
  }

  #readLink(document: CanvasDocument, id: string): void {
    const before = this.links.get(id);
    const link = document.connections[id];
    const from = link && document.nodes[link.from.agentId];
    const to = link && document.nodes[link.to.agentId];
    if (before && (before.from.agentId !== link?.from.agentId || before.to.agentId !== link.to.agentId || !from || !to)) {
      this.#linksOf.get(before.from.agentId)?.delete(id);
      this.#linksOf.get(before.to.agentId)?.delete(id);
    }
    if (!link || !from || !to) {
      this.links.remove(id);
      return;
    }
    this.links.set(id, link, linkBox(from, to));
    this.#register(link.from.agentId, id);
    this.#register(link.to.agentId, id);
  }

  #register(nodeId: string, linkId: string): void {
    const links = this.#linksOf.get(nodeId);
    if (links) links.add(linkId);
    else this.#linksOf.set(nodeId, new Set([linkId]));
  }
}

const noLinks: ReadonlySet<string> = new Set();

/** Records with a box each, in slots that keep their place until closed up. */
export class BoxTable<T> {
  /** Left, top, right, bottom of each slot, world px; an empty slot's box is nowhere. */
  boxes = new Float64Array(4 * 64);
  readonly records: (T | null)[] = [];
  readonly ids: string[] = [];
  readonly #slots = new Map<string, number>();

  get size(): number {
    return this.#slots.size;
  }

  get(id: string): T | null {
    const slot = this.#slots.get(id);
    return slot === undefined ? null : (this.records[slot] as T | null);
  }

  slotOf(id: string): number | undefined {
    return this.#slots.get(id);
  }

  set(id: string, record: T, box: Rect): void {
    let slot = this.#slots.get(id);
    if (slot === undefined) {
      slot = this.records.length;
      this.#slots.set(id, slot);
      this.ids.push(id);
      this.records.push(record);
      this.#reserve(slot + 1);
    }
    this.records[slot] = record;
    this.boxes.set([box.left, box.top, box.right, box.bottom], slot * 4);
  }

  remove(id: string): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    this.#slots.delete(id);
    this.records[slot] = null;
    this.boxes.fill(Number.NaN, slot * 4, slot * 4 + 4);
  }

  clear(): void {
    this.#slots.clear();
    this.records.length = 0;
    this.ids.length = 0;
  }

  isSparse(): boolean {
    const holes = this.records.length - this.size;
    return holes > holesKept && holes > this.size;
  }

  /** Slots whose box, grown by `margin`, overlaps the rectangle; the topmost comes first. */
  *overlapping(rect: Rect, margin = 0): Generator<number> {
    const { boxes } = this;
    for (let slot = this.records.length - 1; slot >= 0; slot--) {
      const at = slot * 4;
      if (
        (boxes[at] as number) - margin <= rect.right &&
        (boxes[at + 2] as number) + margin >= rect.left &&
        (boxes[at + 1] as number) - margin <= rect.bottom &&
        (boxes[at + 3] as number) + margin >= rect.top
      ) {
        yield slot;
      }
    }
  }

  box(slot: number): Rect {
    const at = slot * 4;
    return {
      left: this.boxes[at] as number,
      top: this.boxes[at + 1] as number,
      right: this.boxes[at + 2] as number,
      bottom: this.boxes[at + 3] as number,
    };
  }

  bounds(): Rect | null {
    if (this.size === 0) return null;
    const all = {
      left: Number.POSITIVE_INFINITY,
      top: Number.POSITIVE_INFINITY,
      right: Number.NEGATIVE_INFINITY,
      bottom: Number.NEGATIVE_INFINITY,
    };
    for (let slot = 0; slot < this.records.length; slot++) {
      if (this.records[slot] === null) continue;
      const box = this.box(slot);
      all.left = Math.min(all.left, box.left);
      all.top = Math.min(all.top, box.top);
      all.right = Math.max(all.right, box.right);
      all.bottom = Math.max(all.bottom, box.bottom);
    }
    return all;
  }

  #reserve(slots: number): void {
    if (slots * 4 <= this.boxes.length) return;
    const grown = new Float64Array(this.boxes.length * 2);
    grown.set(this.boxes);
    this.boxes = grown;
  }
}
