import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import { byPlace } from '../../model/resolve-dialog-target.ts';

/** A line of the outline: a card, or below it a link that leads out of it. `index` is the card's place among all, from 0. */
export type OutlineRow =
  | { kind: 'node'; node: CanvasNode; index: number }
  | { kind: 'link'; link: Connection; from: CanvasNode; to: CanvasNode; index: number };

/** The outline of a document in reading order. The lines of the part that is shown are made when they are asked for. */
export class OutlineRows {
  readonly nodes: readonly CanvasNode[];
  readonly #linksFrom: Map<string, Connection[]>;
  readonly #document: CanvasDocument;

  constructor(document: CanvasDocument) {
    this.#document = document;
    this.nodes = Object.values(document.nodes).sort(byPlace);
    this.#linksFrom = Map.groupBy(Object.values(document.connections), (link) => link.from.agentId);
  }

  /** The lines of `count` cards about the card with an id, or of the first ones. */
  about(nodeId: string | null, count: number): OutlineRow[] {
    const at = nodeId === null ? -1 : this.nodes.findIndex((node) => node.id === nodeId);
    const first = Math.max(0, Math.min(at - Math.floor(count / 2), this.nodes.length - count));
    return this.nodes.slice(first, first + count).flatMap((node, i) => this.#rowsOf(node, first + i));
  }

  /** The card to which the first link out of a card leads, or from which the first one into it comes; null without any. */
  along(nodeId: string, way: 'forward' | 'back'): string | null {
    if (way === 'forward') return this.#linksFrom.get(nodeId)?.[0]?.to.agentId ?? null;
    const { connections } = this.#document;
    for (const id in connections) if (connections[id]?.to.agentId === nodeId) return connections[id].from.agentId;
    return null;
  }

  #rowsOf(node: CanvasNode, index: number): OutlineRow[] {
    const rows: OutlineRow[] = [{ kind: 'node', node, index }];
    for (const link of this.#linksFrom.get(node.id) ?? []) {
      const to = this.#document.nodes[link.to.agentId];
      if (to) rows.push({ kind: 'link', link, from: node, to, index });
    }
    return rows;
  }
}

export function rowId(row: OutlineRow): string {
  return row.kind === 'node' ? row.node.id : row.link.id;
}
