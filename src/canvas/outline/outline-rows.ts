import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import { type LinkMeaning, linkMeaning, type WaysFrom } from '../../model/run/link-meaning.ts';
import { byPlace } from '../../model/run/starters/resolve-dialog-target.ts';

/** A line of the outline: a card, or below it a link that leads out of it. `index` is the card's place among all, from 0. */
export type OutlineRow =
  | { kind: 'node'; node: CanvasNode; index: number }
  | { kind: 'link'; link: Connection; meaning: LinkMeaning | null; from: CanvasNode; to: CanvasNode; index: number };

/** Links by the card that they lead out of, for some of the cards. */
type LinksFrom = { of: ReadonlySet<string>; links: ReadonlyMap<string, Connection[]> };

/** What changed since an outline was made: the cards as it has them, undefined for new ones. */
export type OutlineChange = { nodes: ReadonlyMap<string, CanvasNode | undefined>; hasLinks: boolean } | 'all';

/** With more changed cards than this, sorting all is faster than inserting each. */
const changedOneByOne = 200;

type Contents = { document: CanvasDocument; nodes: readonly CanvasNode[]; linksFrom: LinksFrom };

/**
 * The outline of a document in reading order. The lines of the shown part are made on request. An update makes a new object with the same
 * contents inside: React keeps the object that it showed before, which would keep a whole earlier document.
 */
export class OutlineRows {
  readonly #contents: Contents;

  constructor(document: CanvasDocument, contents: Contents = { document, nodes: inOrder(document), linksFrom: noLinks }) {
    this.#contents = contents;
  }

  get nodes(): readonly CanvasNode[] {
    return this.#contents.nodes;
  }

  /** Updates the outline after a change of the document; this object shows the change too. The cost grows with the size of the change. */
  after(document: CanvasDocument, changed: OutlineChange): OutlineRows {
    const { nodes, linksFrom } = this.#contents;
    const isSmall = changed !== 'all' && changed.nodes.size <= changedOneByOne;
    return new OutlineRows(
      document,
      Object.assign(this.#contents, {
        document,
        nodes: isSmall ? withChanges(nodes, document, changed.nodes) : inOrder(document),
        linksFrom: changed === 'all' || changed.hasLinks ? noLinks : linksFrom,
      }),
    );
  }

  /** The lines of `count` cards about the card with an id, or of the first ones. */
  about(nodeId: string | null, count: number): OutlineRow[] {
    const { document, nodes, linksFrom: known } = this.#contents;
    const at = nodeId === null ? -1 : nodes.findIndex(({ id }) => id === nodeId);
    const first = Math.max(0, Math.min(at - Math.floor(count / 2), nodes.length - count));
    const shown = nodes.slice(first, first + count);
    if (!shown.every(({ id }) => known.of.has(id))) this.#contents.linksFrom = linksFrom(document, shown);
    let all: Map<string, Connection[]> | undefined;
    const waysFrom = (id: string) => {
      const ways = known.links.get(id);
      if (ways) return ways;
      all ??= Map.groupBy(Object.values(document.connections), ({ from }) => from.agentId);
      return all.get(id) ?? [];
    };
    return shown.flatMap((node, i) => this.#rowsOf(node, first + i, waysFrom));
  }

  /** The card to which the first link out of a card leads, or from which the first one into it comes; null without any. */
  along(nodeId: string, way: 'forward' | 'back'): string | null {
    const { connections } = this.#contents.document;
    const [near, far] = way === 'forward' ? (['from', 'to'] as const) : (['to', 'from'] as const);
    for (const id in connections) if (connections[id]?.[near].agentId === nodeId) return connections[id][far].agentId;
    return null;
  }

  #rowsOf(node: CanvasNode, index: number, waysFrom: WaysFrom): OutlineRow[] {
    const rows: OutlineRow[] = [{ kind: 'node', node, index }];
    const { document, linksFrom } = this.#contents;
    const ways = linksFrom.links.get(node.id) ?? [];
    for (const link of ways) {
      const to = document.nodes[link.to.agentId];
      if (to) rows.push({ kind: 'link', link, meaning: linkMeaning(link, waysFrom, document.nodes), from: node, to, index });
    }
    return rows;
  }
}

function inOrder({ nodes }: CanvasDocument): CanvasNode[] {
  return Object.values(nodes).sort(byPlace);
}

/** `changed`: the cards as `nodes` has them, undefined for new ones. */
function withChanges(
  nodes: readonly CanvasNode[],
  document: CanvasDocument,
  changed: ReadonlyMap<string, CanvasNode | undefined>,
): CanvasNode[] {
  const changing = [...nodes];
  for (const earlier of changed.values()) if (earlier) changing.splice(placeIn(changing, earlier), 1);
  for (const id of changed.keys()) {
    const now = document.nodes[id];
    if (now) changing.splice(placeIn(changing, now), 0, now);
  }
  return changing;
}

const noLinks: LinksFrom = { of: new Set(), links: new Map() };

function linksFrom({ connections }: CanvasDocument, nodes: readonly CanvasNode[]): LinksFrom {
  const of = new Set(nodes.map(({ id }) => id));
  const links = new Map<string, Connection[]>();
  for (const id in connections) {
    const link = connections[id] as Connection;
    const { agentId } = link.from;
    if (!of.has(agentId)) continue;
    const known = links.get(agentId);
    if (known) known.push(link);
    else links.set(agentId, [link]);
  }
  return { of, links };
}

/** Returns the index of a card in reading order, or the index at which it would be. */
function placeIn(nodes: readonly CanvasNode[], node: CanvasNode): number {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = nodes[middle] as CanvasNode;
    if (other.id !== node.id && byPlace(other, node) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function rowId(row: OutlineRow): string {
  return row.kind === 'node' ? row.node.id : row.link.id;
}
