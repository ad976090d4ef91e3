import type { CanvasDocument, Connection } from '../../../contract/canvas.ts';

/** The links with an end in a folded group, as lines between what is shown. Several with the same two ends are one line. */
export class FoldedLinks {
  readonly shown: CanvasDocument['connections'] = {};
  readonly #homeOf: (nodeId: string) => string | undefined;
  /** The ids of the links between two shown ends, the first of which is the id of their line. */
  readonly #bundles = new Map<string, string[]>();
  /** The bundle of each link that has an end in a folded group. */
  readonly #bundleOf = new Map<string, string>();

  constructor(homeOf: (nodeId: string) => string | undefined) {
    this.#homeOf = homeOf;
  }

  readAll(document: CanvasDocument): void {
    for (const id in document.connections) this.#place(document, id);
    for (const key of this.#bundles.keys()) this.#write(document, key);
  }

  lineOf(linkId: string): string | undefined {
    const bundle = this.#bundleOf.get(linkId);
    if (bundle !== undefined) return this.#bundles.get(bundle)?.[0];
    return linkId in this.shown ? linkId : undefined;
  }

  *merged(): Iterable<string> {
    for (const [first, second] of this.#bundles.values()) if (first !== undefined && second !== undefined) yield first;
  }

  /** Applies a change of links, and of the places where nodes are shown. Notes in `earlier` which lines it changes, as they were before. */
  update(
    document: CanvasDocument,
    touched: ReadonlySet<string>,
    moved: ReadonlySet<string>,
    earlier: Map<string, Connection | undefined>,
  ): void {
    const ids = moved.size === 0 ? touched : new Set([...touched, ...linksAt(document, moved)]);
    const bundles = new Set<string>();
    const was = new Map<string, Connection | undefined>();
    for (const id of ids) {
      const before = this.#bundleOf.get(id);
      for (const one of [id, ...(this.#bundles.get(before ?? '') ?? [])]) if (!was.has(one)) was.set(one, this.shown[one]);
      this.#remove(id);
      const now = this.#place(document, id);
      for (const one of this.#bundles.get(now ?? '') ?? []) if (!was.has(one)) was.set(one, this.shown[one]);
      for (const key of [before, now]) if (key !== undefined) bundles.add(key);
    }
    for (const key of bundles) this.#write(document, key);
    for (const [id, record] of was) if (record !== this.shown[id]) earlier.set(id, record);
  }

  /** Returns the bundle that a link belongs to; undefined for one that is shown as it is, or not at all. */
  #place(document: CanvasDocument, id: string): string | undefined {
    const link = document.connections[id];
    if (!link) return undefined;
    const from = this.#homeOf(link.from.agentId);
    const to = this.#homeOf(link.to.agentId);
    if (from === undefined && to === undefined) {
      this.shown[id] = link;
      return undefined;
    }
    if ((from ?? link.from.agentId) === (to ?? link.to.agentId)) return undefined;
    const key = `${from ?? link.from.agentId}\n${to ?? link.to.agentId}`;
    const bundle = this.#bundles.get(key);
    if (bundle) bundle.push(id);
    else this.#bundles.set(key, [id]);
    this.#bundleOf.set(id, key);
    return key;
  }

  #remove(id: string): void {
    delete this.shown[id];
    const key = this.#bundleOf.get(id);
    if (key === undefined) return;
    this.#bundleOf.delete(id);
    const left = (this.#bundles.get(key) ?? []).filter((one) => one !== id);
    if (left.length > 0) this.#bundles.set(key, left);
    else this.#bundles.delete(key);
  }

  /** Shows the line of a bundle. Of several links it has no settings: they differ. */
  #write(document: CanvasDocument, key: string): void {
    const ids = this.#bundles.get(key) ?? [];
    for (const id of ids) delete this.shown[id];
    const [first = ''] = ids;
    const link = document.connections[first];
    const [from = '', to = ''] = key.split('\n');
    if (!link) return;
    const line = { ...link, from: { ...link.from, agentId: from }, to: { ...link.to, agentId: to } };
    if (ids.length > 1) {
      const merged = { id: line.id, from: line.from, to: line.to, merged: [...ids] };
      this.shown[first] = merged;
    } else this.shown[first] = line;
  }
}

function linksAt({ connections }: CanvasDocument, nodeIds: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (const id in connections) {
    const link = connections[id] as Connection;
    if (nodeIds.has(link.from.agentId) || nodeIds.has(link.to.agentId)) found.push(id);
  }
  return found;
}
