import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import { Observable } from '../../state/observable.ts';
import { BoxTable } from './box-table.ts';
import type { Rect } from './camera.ts';
import { linkArea, nodeBox, unionBox } from './document-bounds.ts';
import { LinkRoutes } from './routes/link-routes.ts';
import { withOne } from './short-list.ts';
import type { Touched } from './touched.ts';

/** `routes`: the links whose routes have changed, those of unchanged links included. */
type Changed = { nodes: Set<string> | 'all'; links: Set<string> | 'all'; routes: Set<string> | 'all' };

/** On a larger canvas routes leave the cards by little, and finding all of them would take long. */
export const maxBoundedCards = 400;
/** With more moved cards than that, all routes are found again when they are next asked for. */
const maxMoved = 64;

/** The index that has last read each document. */
const holders = new WeakMap<CanvasDocument, DocumentIndex>();

/** Returns the index that shows a document now; null if there is none. */
export function indexHolding(document: CanvasDocument): DocumentIndex | null {
  const holder = holders.get(document);
  return holder?.document === document ? holder : null;
}

/**
 * The bounding boxes of all nodes, the areas of all links and their routes, for hit tests and drawing. A node's slot is also its place in
 * the stacking order: later lies on top.
 */
export class DocumentIndex {
  readonly nodes = new BoxTable<CanvasNode>();
  readonly links = new BoxTable<Connection>();
  readonly routes = new LinkRoutes(this.nodes, this.links);
  /** Lists, since most nodes have few links: a set of two weighs five times as much. */
  readonly #linksOf = new Map<string, string[]>();
  /** Notifies after each change that was applied. */
  readonly changes = new Observable();
  #version = 0;
  #document: CanvasDocument | null = null;

  /** The document that was read last. */
  get document(): CanvasDocument | null {
    return this.#document;
  }

  /** The number of changes that were applied. */
  get version(): number {
    return this.#version;
  }

  /** Applies a change. Returns the ids whose geometry or record changed, including links of changed nodes. */
  update(document: CanvasDocument, touched: Pick<Touched, 'nodes' | 'links'>): Changed {
    this.#document = document;
    holders.set(document, this);
    const changed = this.#applyChanges(document, touched);
    this.#version += 1;
    this.changes.notify();
    return changed;
  }

  linksOf(nodeId: string): readonly string[] {
    return this.#linksOf.get(nodeId) ?? noLinks;
  }

  /** The box round all cards and links (world px), on a large canvas round all cards; null on an empty one. */
  bounds(): Rect | null {
    const bounds = this.nodes.bounds();
    if (!bounds || this.nodes.size > maxBoundedCards) return bounds;
    return this.links.ids.reduce((box, id) => unionBox(box, this.routes.extent(id)), bounds);
  }

  #applyChanges(document: CanvasDocument, touched: Pick<Touched, 'nodes' | 'links'>): Changed {
    if (touched.nodes === 'all' || touched.links === 'all' || this.nodes.isSparse() || this.links.isSparse()) {
      this.#readAll(document);
      return { nodes: 'all', links: 'all', routes: 'all' };
    }
    const links = new Set(touched.links);
    const moved: Rect[] = [];
    for (const id of touched.nodes) {
      const before = this.#boxOf(id);
      const node = document.nodes[id];
      const after = node ? nodeBox(node) : null;
      if (node && after) this.nodes.set(id, node, after);
      else this.nodes.remove(id);
      if (!isSameBox(before, after)) for (const box of [before, after]) if (box) moved.push(box);
      for (const linkId of this.linksOf(id)) links.add(linkId);
    }
    return { nodes: touched.nodes, links, routes: this.#changeRoutes(document, links, moved) };
  }

  /** Reads these links again. Returns those whose routes have changed with them and with cards that were or are in these places. */
  #changeRoutes(document: CanvasDocument, links: ReadonlySet<string>, moved: readonly Rect[]): Set<string> | 'all' {
    const isKnown = !this.routes.isEmpty;
    const isMany = moved.length > 2 * maxMoved;
    const near = new Set<string>();
    const look = () => {
      if (isKnown && !isMany)
        for (const box of moved) for (const slot of this.links.overlapping(box, routeMargin)) near.add(this.links.ids[slot] as string);
    };
    look();
    for (const id of links) if (this.#readLink(document, id)) near.add(id);
    look();
    if (!isKnown) return new Set();
    if (isMany) {
      this.routes.clear();
      return 'all';
    }
    return this.routes.change(near);
  }

  #boxOf(id: string): Rect | null {
    const slot = this.nodes.slotOf(id);
    return slot === undefined ? null : this.nodes.box(slot);
  }

  #readAll(document: CanvasDocument): void {
    this.nodes.clear();
    this.links.clear();
    this.routes.clear();
    this.#linksOf.clear();
    for (const id in document.nodes) {
      const node = document.nodes[id] as CanvasNode;
      this.nodes.set(id, node, nodeBox(node));
    }
    for (const id in document.connections) this.#readLink(document, id);
  }

  /** Returns whether the link has come, gone or got other ends. */
  #readLink(document: CanvasDocument, id: string): boolean {
    const before = this.links.get(id);
    const link = document.connections[id];
    const from = link && document.nodes[link.from.agentId];
    const to = link && document.nodes[link.to.agentId];
    const isSame = before && from && to && before.from.agentId === link.from.agentId && before.to.agentId === link.to.agentId;
    if (before && !isSame) this.#unregister(before);
    if (!link || !from || !to) {
      this.links.remove(id);
      return before !== null;
    }
    this.links.set(id, link, linkArea(from, to));
    if (!isSame) for (const nodeId of endsOf(link)) this.#register(nodeId, id);
    return !isSame;
  }

  #register(nodeId: string, linkId: string): void {
    this.#linksOf.set(nodeId, withOne(this.#linksOf.get(nodeId), linkId));
  }

  #unregister(link: Connection): void {
    for (const nodeId of endsOf(link)) {
      const links = this.#linksOf.get(nodeId) ?? [];
      const at = links.indexOf(link.id);
      if (at >= 0) links.splice(at, 1);
    }
  }
}

/** How near a card (world px) may lie to the area of a link and still count for its route. */
const routeMargin = 8;

const noLinks: readonly string[] = [];

function endsOf({ from, to }: Connection): string[] {
  return from.agentId === to.agentId ? [from.agentId] : [from.agentId, to.agentId];
}

function isSameBox(a: Rect | null, b: Rect | null): boolean {
  return a === b || (a !== null && b !== null && a.left === b.left && a.top === b.top && a.right === b.right && a.bottom === b.bottom);
}
