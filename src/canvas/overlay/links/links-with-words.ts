import type { CanvasDocument, Connection } from '../../../../contract/canvas.ts';
import { type LinkMeaning, linkMeaning } from '../../../model/run/link-meaning.ts';
import type { Earlier, WorkspaceStore } from '../../../model/workspace-store.ts';
import { memoizeByKey } from '../../../state/memoize-by-key.ts';
import { Observable } from '../../../state/observable.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { withOne } from '../../geometry/short-list.ts';
import { touchedAll, touchedBy } from '../../geometry/touched.ts';

/** The links that have a badge, with what each means beside the others out of its card. In the order in which they got it. */
export type WordedLinks = ReadonlyMap<string, LinkMeaning | null>;

/** Returns the links that say something to a run. Of a large canvas an edit looks only at the cards whose links it changes. */
export function useLinksWithWords(store: WorkspaceStore): WordedLinks {
  const links = linksOf(store);
  return useObserved(links, () => links.worded);
}

const linksOf = memoizeByKey((store: WorkspaceStore) => new LinksWithWords(store));

/** Follows the store as long as it exists. */
class LinksWithWords extends Observable {
  worded: WordedLinks;
  readonly #ways: WaysOut;

  constructor(store: WorkspaceStore) {
    super();
    this.#ways = new WaysOut(store.getState().document);
    this.worded = this.#ways.all();
    store.subscribe(({ document }, patches, earlier) => {
      const { nodes, links } = patches ? touchedBy(patches) : touchedAll;
      const worded = nodes === 'all' || links === 'all' ? this.#ways.begin(document) : this.#ways.change(this.worded, document, earlier);
      if (worded === this.worded) return;
      this.worded = worded;
      this.notify();
    });
  }
}

/** The links out of each card. */
export class WaysOut {
  #document: CanvasDocument;
  /** Lists: most cards have one way out, and a set of one weighs several times as much. */
  #ids = new Map<string, string[]>();

  constructor(document: CanvasDocument) {
    this.#document = document;
    this.begin(document);
  }

  begin(document: CanvasDocument): WordedLinks {
    this.#document = document;
    this.#ids = new Map();
    for (const link of Object.values(document.connections)) this.#add(link);
    return this.all();
  }

  all(): WordedLinks {
    const worded = new Map<string, LinkMeaning | null>();
    for (const source of this.#ids.keys()) this.#read(source, worded);
    return worded;
  }

  /** Returns the links after a change; the same map where nothing of it has changed. */
  change(before: WordedLinks, document: CanvasDocument, earlier: Earlier): WordedLinks {
    this.#document = document;
    const sources = new Set<string>();
    for (const [id, was] of earlier.connections) {
      const now = document.connections[id];
      if (was) {
        this.#remove(was);
        sources.add(was.from.agentId);
      }
      if (now) {
        this.#add(now);
        sources.add(now.from.agentId);
      }
    }
    for (const [id, was] of earlier.nodes) if (was?.step !== document.nodes[id]?.step) sources.add(id);
    if (sources.size === 0) return before;
    // What a loop means follows from the cards inside of it, too.
    for (const id of before.keys()) {
      const link = document.connections[id];
      if (link?.run?.maxRounds !== undefined) sources.add(link.from.agentId);
    }
    const changed = new Map<string, LinkMeaning | null>();
    for (const source of sources) this.#read(source, changed);
    const left = [...before].filter(([id]) => !this.#isOf(id, sources, earlier));
    const next = new Map([...left, ...changed]);
    const isSame = next.size === before.size && [...changed].every(([id, meaning]) => before.has(id) && before.get(id) === meaning);
    return isSame ? before : next;
  }

  #isOf(id: string, sources: ReadonlySet<string>, earlier: Earlier): boolean {
    const link = this.#document.connections[id] ?? earlier.connections.get(id);
    return link === undefined || sources.has(link.from.agentId) || earlier.connections.has(id);
  }

  #add({ id, from: { agentId } }: Connection): void {
    this.#ids.set(agentId, withOne(this.#ids.get(agentId), id));
  }

  #remove({ id, from: { agentId } }: Connection): void {
    const left = this.#ids.get(agentId)?.filter((other) => other !== id) ?? [];
    if (left.length > 0) this.#ids.set(agentId, left);
    else this.#ids.delete(agentId);
  }

  readonly #waysFrom = (nodeId: string) => [...(this.#ids.get(nodeId) ?? [])].flatMap((id) => this.#document.connections[id] ?? []);

  #read(source: string, into: Map<string, LinkMeaning | null>): void {
    const ways = this.#waysFrom(source);
    // Most cards have one way out without settings.
    if (ways.every(({ run }) => run === undefined)) return;
    for (const link of ways) {
      const meaning = linkMeaning(link, this.#waysFrom, this.#document.nodes);
      if (meaning !== null || (link.run && Object.keys(link.run).length > 0)) into.set(link.id, meaning);
    }
  }
}
