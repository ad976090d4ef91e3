import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import { isAnnotation, isGroup } from '../../../rules/card.ts';
import type { CardState, CardView } from '../../model/card-view.ts';
import { foldedSize, nodeSize } from '../../model/document/node-size.ts';
import type { Earlier } from '../../model/workspace-store.ts';
import type { Touched } from '../geometry/touched.ts';
import type { CardContent } from '../scene/cards/card-content.ts';
import type { CardTexts } from '../scene/text/card-texts.ts';
import { FoldHomes } from './fold-homes.ts';
import { type CardShare, FoldTallies, type FoldTally, tallyOf, tallyWords, worstState } from './fold-tallies.ts';
import type { FoldWords } from './fold-words.ts';
import { foldedContent } from './folded-content.ts';
import { FoldedLinks } from './folded-links.ts';
import { isFolded, isMerged } from './folded-records.ts';
import { openedFor } from './opened-for.ts';

/** What a change of the document changes in the shown one. */
export type ShownChange = { touched: Pick<Touched, 'nodes' | 'links'>; earlier: Earlier };

/**
 * The document as it is shown with folded groups: each is a card, its contents are left out, and links to them lead to the card. The shown
 * collections are updated in place, as those of the document are. The cost of a change grows with the change, unless it moves a folded group.
 */
export class Folding {
  readonly nodes: CanvasDocument['nodes'] = {};
  readonly #members = new Map<string, Set<string>>();
  readonly #homes = new Map<string, string>();
  readonly #folded: FoldHomes;
  readonly #links: FoldedLinks;
  #document: CanvasDocument;
  readonly words: FoldWords;
  #version = 0;

  constructor(document: CanvasDocument, folded: ReadonlySet<string>, words: FoldWords) {
    this.words = words;
    this.#document = document;
    this.#folded = new FoldHomes(document, folded);
    for (const id in document.nodes) this.#settle(id);
    for (const id in document.nodes) this.#show(id);
    this.#links = new FoldedLinks((id) => this.#homes.get(id));
    this.#links.readAll(document);
  }

  /** Whether no group is folded. */
  get isEmpty(): boolean {
    return this.#folded.size === 0;
  }

  get connections(): CanvasDocument['connections'] {
    return this.#links.shown;
  }

  /** Changes with the contents of folded groups. */
  get version(): number {
    return this.#version;
  }

  /** The folded group that a node is shown as; the node itself where it is shown. */
  shownAs(nodeId: string): string {
    return this.#homes.get(nodeId) ?? nodeId;
  }

  /** The shown line that stands for a link; undefined for a link within a folded group. */
  lineOf(linkId: string): string | undefined {
    return this.#links.lineOf(linkId);
  }

  /** The lines that stand for several links. */
  mergedLines(): Iterable<string> {
    return this.#links.merged();
  }

  /** The folded groups that are shown, with the nodes that each is shown for. */
  get members(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#members;
  }

  /** The document itself, as it is without folding. */
  get document(): CanvasDocument {
    return this.#document;
  }

  /** A node of the document, shown or not. */
  node(nodeId: string): CanvasNode | undefined {
    return this.#document.nodes[nodeId];
  }

  /** A link of the document, shown or not. */
  link(linkId: string): Connection | undefined {
    return this.#document.connections[linkId];
  }

  /** The folded groups without those that hide one of these nodes, or an end of one of these links. */
  openedFor(nodeIds: readonly string[], linkIds: readonly string[]): ReadonlySet<string> {
    const { nodes, connections } = this.#document;
    const ends = linkIds.flatMap((id) => connections[id] ?? []).flatMap(({ from, to }) => [from.agentId, to.agentId]);
    return openedFor(nodes, this.#folded.chosen, [...nodeIds, ...ends]);
  }

  /** What folded groups show of a run. */
  createTallies(): FoldTallies {
    return new FoldTallies();
  }

  content(node: CanvasNode, tally: FoldTally, texts: CardTexts): CardContent {
    return foldedContent(node, tally, texts, this.words);
  }

  /** What the list of cards says of a folded group, or of a line for several links; null for anything else. */
  listed(shown: CanvasNode | Connection, shareOf: (nodeId: string) => CardShare): { words: string; view: CardView | null } | null {
    if ('from' in shown) return isMerged(shown) ? { words: this.words.links(shown.merged.length), view: null } : null;
    if (!isFolded(shown)) return null;
    const tally = tallyOf(this, shown, shareOf);
    return { words: tallyWords(tally, this.words), view: tally.view };
  }

  /** Returns the worst state of the cards that a folded group is shown for; "idle" for any other node. */
  stateOf(groupId: string, views: Readonly<Record<string, CardView>>): CardState {
    const states = new Set<CardState>();
    for (const id of this.#members.get(groupId) ?? []) states.add(views[id]?.state ?? 'idle');
    return worstState((state) => states.has(state));
  }

  /** Applies a change of the document. Returns null if it changes where many nodes are shown: then all is to be folded again. */
  update(document: CanvasDocument, touched: Pick<Touched, 'nodes' | 'links'>): ShownChange | null {
    this.#document = document;
    if (touched.nodes === 'all' || touched.links === 'all') return null;
    for (const id of touched.nodes) if (this.#folded.isMovedBy(id, document.nodes[id])) return null;
    const earlier = { nodes: new Map<string, CanvasNode | undefined>(), connections: new Map<string, Connection | undefined>() };
    const moved = new Set<string>();
    const shown = new Set<string>();
    const same = new Set<string>();
    for (const id of touched.nodes) {
      const before = this.#homes.get(id);
      const wasThere = id in this.nodes || before !== undefined;
      this.#settle(id);
      const now = this.#homes.get(id);
      if (before !== now || wasThere !== id in document.nodes) moved.add(id);
      // A folded card tells how many it stands for.
      for (const home of before === now ? [] : [before, now]) if (home !== undefined) shown.add(home);
      if (before === now && now !== undefined) same.add(now);
      shown.add(id);
    }
    for (const home of same) if (this.#isNamedAnew(home)) shown.add(home);
    for (const id of shown) {
      const was = this.nodes[id];
      this.#show(id);
      if (was !== this.nodes[id]) earlier.nodes.set(id, was);
    }
    if (moved.size > 0) this.#version += 1;
    this.#links.update(document, touched.links, moved, earlier.connections);
    return { touched: { nodes: new Set(earlier.nodes.keys()), links: new Set(earlier.connections.keys()) }, earlier };
  }

  /** Finds the folded group that a node is in. */
  #settle(id: string): void {
    const node = this.#document.nodes[id];
    const before = this.#homes.get(id);
    const now = node ? this.#folded.of(node) : null;
    if (before === (now ?? undefined)) return;
    if (before !== undefined) this.#members.get(before)?.delete(id);
    if (now === null) this.#homes.delete(id);
    else {
      this.#homes.set(id, now);
      const members = this.#members.get(now);
      if (members) members.add(id);
      else this.#members.set(now, new Set([id]));
    }
  }

  #show(id: string): void {
    const node = this.#document.nodes[id];
    if (!node || this.#homes.has(id)) delete this.nodes[id];
    else this.nodes[id] = this.#folded.has(id) ? this.#card(node) : node;
  }

  #card(group: CanvasNode): CanvasNode {
    const card = {
      ...group,
      ...foldedSize,
      folded: { count: this.#count(group.id), names: this.#names(group.id), frame: nodeSize(group) },
    };
    return card;
  }

  #isNamedAnew(groupId: string): boolean {
    const card = this.nodes[groupId];
    return card !== undefined && isFolded(card) && card.folded.names !== this.#names(groupId);
  }

  /** The titles of its first cards, as many as the two lines of a card hold. */
  #names(groupId: string): string {
    const titles: string[] = [];
    for (const id of this.#members.get(groupId) ?? []) {
      const node = this.#document.nodes[id];
      if (node?.title && !isAnnotation(node)) titles.push(node.title);
      if (titles.length === 8) break;
    }
    return titles.join(', ');
  }

  /** Groups within a folded group are not counted: their contents are. */
  #count(groupId: string): number {
    let count = 0;
    for (const id of this.#members.get(groupId) ?? []) if (!isGroup(this.#document.nodes[id])) count += 1;
    return count;
  }
}
