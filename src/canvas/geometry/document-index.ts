import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import { Observable } from '../../state/observable.ts';
import { BoxTable } from './box-table.ts';
import type { Rect } from './camera.ts';
import { linkBox, nodeBox, unionBox } from './document-bounds.ts';
import type { Touched } from './touched.ts';

type Changed = { nodes: Set<string> | 'all'; links: Set<string> | 'all' };

/**
 * The bounding boxes of all nodes and links, for hit tests and drawing. A node's slot is also its place in the
 * stacking order: later lies on top.
 */
export class DocumentIndex {
  readonly nodes = new BoxTable<CanvasNode>();
  readonly links = new BoxTable<Connection>();
  /** Lists, since most nodes have few links: a set of two weighs five times as much. */
  readonly #linksOf = new Map<string, string[]>();
  /** Notifies after each change that was applied. */
  readonly changes = new Observable();
  #version = 0;

  /** The number of changes that were applied. */
  get version(): number {
    return this.#version;
  }

  /** Applies a change. Returns the ids whose geometry or record changed, including links of changed nodes. */
  update(document: CanvasDocument, touched: Pick<Touched, 'nodes' | 'links'>): Changed {
    const changed = this.#applyChanges(document, touched);
    this.#version += 1;
    this.changes.notify();
    return changed;
  }

  linksOf(nodeId: string): readonly string[] {
    return this.#linksOf.get(nodeId) ?? noLinks;
  }

  /** The box round all nodes and links (world px), or null on an empty canvas. */
  bounds(): Rect | null {
    return unionBox(this.nodes.bounds(), this.links.bounds());
  }

  #applyChanges(document: CanvasDocument, touched: Pick<Touched, 'nodes' | 'links'>): Changed {
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
    const isSame = before && from && to && before.from.agentId === link.from.agentId && before.to.agentId === link.to.agentId;
    if (before && !isSame) this.#unregister(before);
    if (!link || !from || !to) {
      this.links.remove(id);
      return;
    }
    this.links.set(id, link, linkBox(from, to));
    if (!isSame) for (const nodeId of endsOf(link)) this.#register(nodeId, id);
  }

  #register(nodeId: string, linkId: string): void {
    const links = this.#linksOf.get(nodeId);
    if (links) links.push(linkId);
    else this.#linksOf.set(nodeId, [linkId]);
  }

  #unregister(link: Connection): void {
    for (const nodeId of endsOf(link)) {
      const links = this.#linksOf.get(nodeId) ?? [];
      const at = links.indexOf(link.id);
      if (at >= 0) links.splice(at, 1);
    }
  }
}

const noLinks: readonly string[] = [];

function endsOf({ from, to }: Connection): string[] {
  return from.agentId === to.agentId ? [from.agentId] : [from.agentId, to.agentId];
}
