import type { Patch } from 'immer';
import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';

/**
 * The change of one edit: patches that replay it, and patches that revert it, one for each record. `made`: the agents that were made for its
 * cards, and go with them.
 */
export type DocumentChange = { patches: Patch[]; inverse: Patch[]; made?: MadeAgent[] };

/** `copyOf`: the agent that it is a copy of. `former`: the agents in whose place it was made again; other steps may name them. */
type MadeAgent = { id: string; copyOf?: string; former?: string[] };

type Collection = 'nodes' | 'connections';
type RecordOf = { nodes: CanvasNode; connections: Connection };

/**
 * A document that is edited in place, record by record: an edit costs the size of the change and not of the document.
 * Records are never mutated, only replaced.
 */
export class WorkingDocument {
  readonly document: CanvasDocument;
  /** Ids of links by the nodes at their ends; built at first use. */
  #links: Map<string, Set<string>> | null = null;
  /** The records changed by the current edit, as they were before it. */
  #before: Record<Collection, Map<string, CanvasNode | Connection | undefined>> | null = null;

  /** Copies the collections; the caller's object stays unchanged. */
  constructor(document: CanvasDocument) {
    this.document = { nodes: { ...document.nodes }, connections: { ...document.connections } };
  }

  node(id: string): CanvasNode | undefined {
    return Object.hasOwn(this.document.nodes, id) ? this.document.nodes[id] : undefined;
  }

  link(id: string): Connection | undefined {
    return Object.hasOwn(this.document.connections, id) ? this.document.connections[id] : undefined;
  }

  /** Returns the ids of the links that start or end at a node. */
  linksOf(nodeId: string): ReadonlySet<string> {
    return this.prepare().get(nodeId) ?? noLinks;
  }

  /** Builds the index of links by node, unless the first edit has built it. */
  prepare(): ReadonlyMap<string, ReadonlySet<string>> {
    if (!this.#links) {
      this.#links = new Map();
      for (const id in this.document.connections) indexLink(this.#links, this.document.connections[id] as Connection);
    }
    return this.#links;
  }

  /** Runs a recipe and returns its change; null if nothing differs afterwards. An exception reverts everything. */
  edit(recipe: (edit: DocumentEdit) => void): DocumentChange | null {
    if (this.#before) throw new Error('An edit is under way');
    this.#before = { nodes: new Map(), connections: new Map() };
    try {
      recipe(this.#edit);
      return this.#finish();
    } catch (error) {
      for (const collection of collections) {
        for (const [id, before] of [...this.#before[collection]]) this.#write(collection, id, before as never);
      }
      throw error;
    } finally {
      this.#before = null;
    }
  }

  /** Applies record patches, such as an earlier edit's `patches` or `inverse`. */
  apply(patches: readonly Patch[]): DocumentChange | null {
    return this.edit(() => {
      for (const patch of patches) {
        const [collection, id] = patch.path as [Collection, string];
        this.#write(collection, id, patch.op === 'remove' ? undefined : patch.value);
      }
    });
  }

  readonly #edit: DocumentEdit = {
    setNode: (node) => this.#write('nodes', node.id, node),
    setLink: (link) => this.#write('connections', link.id, link),
    removeLink: (id) => this.#write('connections', id, undefined),
    removeNode: (id) => {
      for (const link of [...this.linksOf(id)]) this.#write('connections', link, undefined);
      this.#write('nodes', id, undefined);
    },
  };

  #write<C extends Collection>(collection: C, id: string, value: RecordOf[C] | undefined): void {
    const records = this.document[collection] as Record<string, RecordOf[C]>;
    const before = Object.hasOwn(records, id) ? records[id] : undefined;
    const touched = this.#before?.[collection];
    if (touched && !touched.has(id)) touched.set(id, before);
    if (collection === 'connections' && this.#links && before) forgetLink(this.#links, before as Connection);
    if (value) records[id] = value;
    else delete records[id];
    if (collection === 'connections' && this.#links && value) indexLink(this.#links, value as Connection);
  }

  #finish(): DocumentChange | null {
    const change: DocumentChange = { patches: [], inverse: [] };
    for (const collection of collections) {
      for (const [id, before] of this.#before?.[collection] ?? []) {
        const after = collection === 'nodes' ? this.node(id) : this.link(id);
        if (before === after) continue;
        change.patches.push(recordPatch(collection, id, before, after));
        change.inverse.push(recordPatch(collection, id, after, before));
      }
    }
    return change.patches.length > 0 ? change : null;
  }
}

/** The operations of a recipe. Removing a node removes its links. */
type DocumentEdit = {
  setNode(node: CanvasNode): void;
  removeNode(id: string): void;
  setLink(link: Connection): void;
  removeLink(id: string): void;
};

const collections = ['nodes', 'connections'] as const;
const noLinks: ReadonlySet<string> = new Set();

function recordPatch(collection: Collection, id: string, before: unknown, after: unknown): Patch {
  const path = [collection, id];
  if (after === undefined) return { op: 'remove', path };
  return { op: before === undefined ? 'add' : 'replace', path, value: after };
}

function indexLink(index: Map<string, Set<string>>, link: Connection): void {
  for (const end of [link.from.agentId, link.to.agentId]) {
    const links = index.get(end);
    if (links) links.add(link.id);
    else index.set(end, new Set([link.id]));
  }
}

function forgetLink(index: Map<string, Set<string>>, link: Connection): void {
  for (const end of [link.from.agentId, link.to.agentId]) {
    const links = index.get(end);
    links?.delete(link.id);
    if (links?.size === 0) index.delete(end);
  }
}
