import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { ListProgress } from '../../../rules/run-graph/followed-run.ts';
import { type CardView, cardViews, changedCards, idleCard, outsideCard, stepsOfCard } from '../../model/card-view.ts';
import type { ShownLinkState } from '../../model/link-state.ts';
import type { Participation } from '../../model/run/participation/participation-state.ts';
import { isOutsideRun, linkOnCanvas, lookOfRun, type RunOnCards, runOnCards, showsNextRun } from '../../model/run/shown-on-canvas.ts';
import { emptyRun, isRunActive, type RunState } from '../../model/workspace-state.ts';
import type { CardShare, FoldTallies, FoldTally } from '../folding/fold-tallies.ts';
import { type FoldedGroup, linksBehind } from '../folding/folded-records.ts';
import type { FoldedStore } from '../folding/folded-store.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import { briefContent, type CardContent } from './cards/card-content.ts';
import { LeftOut } from './left-out.ts';
import type { CardTexts } from './text/card-texts.ts';

/** The nodes and links that a change of a run touches. `all`: another run, with other links. */
export type RunChange = { nodes: readonly string[]; links: string[] | 'all'; lists: boolean };

/** The state of the run on each card and link, and the cards and links that a change of the run touches. */
export class RunOnCanvas {
  #run = emptyRun;
  readonly #waitingLinks = new Set<string>();
  readonly #atWork = new Set<string>();
  #views: Record<string, CardView> = {};
  #active: readonly string[] = [];
  readonly #leftOut = new LeftOut();
  /** No run has marked any card yet. */
  #isBlank = true;
  /** The run and the canvas, as the rules of the shown run take them. */
  #on: { canvas: CanvasDocument | DocumentIndex; cards: RunOnCards } | null = null;
  #look = { shows: false, dims: false };
  #version = 0;
  #tallies: FoldTallies | null = null;
  readonly #shown: Pick<FoldedStore, 'folding'>;

  constructor(shown: Pick<FoldedStore, 'folding'> = unfolded) {
    this.#shown = shown;
  }

  /** The number of changes that were applied. */
  get version(): number {
    return this.#version;
  }

  /** The time that the run is shown at (ms since the epoch): the present, or the moment of a replay. */
  get now(): number {
    return this.#run.moment ?? Date.now();
  }

  /** Nodes whose agents work in an active run, as they are shown: these are animated. */
  get active(): readonly string[] {
    return this.#active;
  }

  /** Links whose result waits for others: these pulse. */
  get waitingLinks(): ReadonlySet<string> {
    return this.#waitingLinks;
  }

  /** Whether the run is active and not paused. */
  get isUnderWay(): boolean {
    return isRunActive(this.#run) && this.#run.phase !== 'paused';
  }

  /** The items of the list that a group works through. */
  list(groupId: string): ListProgress | undefined {
    return this.#run.graph?.lists[groupId];
  }

  view(nodeId: string): CardView | undefined {
    const folded = this.#tallies?.of(nodeId, 0);
    if (folded) return folded.view;
    return this.#views[nodeId] ?? this.#leftOut.view(nodeId);
  }

  /** The same for a card that is drawn: one without a step says so while a run is shown. */
  viewOf(node: CanvasNode, index: DocumentIndex): CardView | undefined {
    return this.view(node.id) ?? this.#outside(node, this.#shown.folding?.document ?? index);
  }

  /** Applies a run, and what the next one leaves out. */
  update(run: RunState, participation: Participation): RunChange {
    const changedLinks = this.#updateLinks(run);
    const lists = run.graph?.lists !== this.#run.graph?.lists;
    const cards = this.#updateCards(run);
    const isOther = this.#updateLook(run);
    const links = isOther ? 'all' : changedLinks;
    const leftOut = this.#leftOut.update(showsNextRun(run), participation);
    // Cards without a step become part of the run, or no longer are.
    const { folding } = this.#shown;
    const areOthers = isOther || run.execution?.id !== this.#run.execution?.id || run.steps.length !== this.#run.steps.length;
    if (areOthers) this.#tallies?.forget();
    this.#run = run;
    this.#on = null;
    this.#active = this.#shownActive();
    this.#version += 1;
    const nodes = [...cards, ...leftOut.nodes, ...(areOthers && folding ? folding.members.keys() : [])];
    return this.#asShown({ nodes, links: links === 'all' ? links : [...links, ...leftOut.links], lists });
  }

  /** Follows which groups are folded. Returns whether folded groups show something else than before. */
  followFolds(): boolean {
    const { folding } = this.#shown;
    this.#tallies ??= folding?.createTallies() ?? null;
    if (!this.#tallies?.follow(folding, this.#shareOf)) return false;
    this.#active = this.#shownActive();
    this.#version += 1;
    return true;
  }

  /** What a folded group shows of its cards. */
  tally(group: FoldedGroup): FoldTally {
    return this.#tallies?.of(group.id, group.folded.count) ?? emptyTally;
  }

  folded(group: FoldedGroup, texts: CardTexts): CardContent {
    const tally = this.tally(group);
    return this.#shown.folding?.content(group, tally, texts) ?? briefContent(group, tally.view, undefined, texts);
  }

  /** The node that is shown in place of a node. */
  shownAs(nodeId: string): string {
    return this.#shown.folding?.shownAs(nodeId) ?? nodeId;
  }

  #shareOf = (nodeId: string): CardShare => {
    const { folding } = this.#shown;
    const node = folding?.node(nodeId);
    return {
      view: this.#views[nodeId] ?? this.#leftOut.view(nodeId) ?? (node && folding ? this.#outside(node, folding.document) : undefined),
      steps: this.#isBlank ? [] : stepsOfCard(this.#run, nodeId),
      run: this.#run,
    };
  };

  /** The view of a card that is not part of the shown run. */
  #outside(node: CanvasNode, canvas: CanvasDocument | DocumentIndex): CardView | undefined {
    return !this.#isBlank && isOutsideRun(node, this.#onCards(canvas)) ? outsideCard : undefined;
  }

  /** The same change of what is shown in place of these nodes and links. */
  #asShown({ nodes, links, lists }: Omit<RunChange, 'nodes'> & { nodes: string[] }): RunChange {
    const { folding } = this.#shown;
    if (!folding) return { nodes, links, lists };
    if (!this.followFolds()) this.#tallies?.update(nodes, this.#shareOf);
    const lines = links === 'all' ? links : [...new Set(links.flatMap((id) => folding.lineOf(id) ?? []))];
    return { nodes: [...new Set(nodes.map((id) => folding.shownAs(id)))], links: lines, lists };
  }

  #shownActive(): readonly string[] {
    if (!isRunActive(this.#run)) return [];
    const { folding } = this.#shown;
    return folding ? [...new Set([...this.#atWork].map((id) => folding.shownAs(id)))] : [...this.#atWork];
  }

  /** Returns whether all cards and links look different: as those of a run, or no longer so. */
  #updateLook(run: RunState): boolean {
    const before = this.#look;
    this.#look = lookOfRun({ run, views: this.#views });
    return before.shows !== this.#look.shows || before.dims !== this.#look.dims;
  }

  #updateLinks({ graph }: RunState): RunChange['links'] {
    const before = this.#run.graph;
    if (graph === before) return [];
    if (!graph || graph.linkIds !== before?.linkIds) {
      this.#waitingLinks.clear();
      for (const [at, id] of graph?.linkIds.entries() ?? []) if (graph?.linkStates[at] === 'waiting') this.#waitingLinks.add(id);
      return 'all';
    }
    const { linkIds, linkStates } = graph;
    if (linkStates === before.linkStates) return [];
    const changed: string[] = [];
    for (let at = 0; at < linkIds.length; at++) {
      const id = linkIds[at] as string;
      if (linkStates[at] === before.linkStates[at]) continue;
      changed.push(id);
      if (linkStates[at] === 'waiting') this.#waitingLinks.add(id);
      else this.#waitingLinks.delete(id);
    }
    return changed;
  }

  /** Returns the ids of nodes whose card has changed. */
  #updateCards(run: RunState): readonly string[] {
    const before = this.#views;
    this.#views = cardViews(run);
    this.#isBlank = run.steps.length === 0;
    const changed = changedCards(this.#run, run);
    if (!changed) this.#atWork.clear();
    for (const id of changed ?? Object.keys(this.#views)) {
      if (this.#views[id]?.state === 'active') this.#atWork.add(id);
      else this.#atWork.delete(id);
    }
    if (changed) return changed;
    // A run in between has changed the record in place: what differs is not known.
    if (before === this.#views) return Object.keys(before);
    const differs = (id: string) => !isSame(before[id], this.#views[id]);
    return [...new Set([...Object.keys(before), ...Object.keys(this.#views)])].filter(differs);
  }

  /** The state of a link, or that of the links behind a line to a folded group which says most. */
  link(link: Connection, index: DocumentIndex): ShownLinkState {
    const { folding } = this.#shown;
    if (!folding) return this.#linkState(link, index);
    const states = linksBehind(link).flatMap((id) => {
      const one = folding.link(id);
      return one ? [this.#linkState(one, index)] : [];
    });
    return loudestFirst.find((state) => states.includes(state)) ?? 'rest';
  }

  #linkState(link: Connection, index: DocumentIndex): ShownLinkState {
    if (this.#leftOut.links.has(link.id)) return 'dead';
    return linkOnCanvas(link, this.#onCards(this.#shown.folding?.document ?? index));
  }

  /** The rules of a shown run read the document itself where groups are folded, else the index. */
  #onCards(canvas: CanvasDocument | DocumentIndex): RunOnCards {
    if (this.#on?.canvas === canvas) return this.#on.cards;
    const cards: RunOnCards =
      'connections' in canvas
        ? runOnCards(canvas, this.#run, this.#views)
        : {
            run: this.#run,
            views: this.#views,
            look: this.#look,
            nodeOf: (id) => canvas.nodes.get(id),
            linksOf: (id) => canvas.linksOf(id).flatMap((linkId) => canvas.links.get(linkId) ?? []),
          };
    this.#on = { canvas, cards };
    return cards;
  }

  /** The ports of a node that work has passed, or is passing. */
  usedPorts(nodeId: string, index: DocumentIndex): { in: boolean; out: boolean } {
    const used = { in: false, out: false };
    if (this.#isBlank) return used;
    for (const id of index.linksOf(nodeId)) {
      const link = index.links.get(id);
      if (!link) continue;
      const port = link.to.agentId === nodeId ? 'in' : 'out';
      if (used[port]) continue;
      const state = this.link(link, index);
      used[port] = state === 'taken' || state === 'passing' || (state === 'waiting' && port === 'out');
    }
    return used;
  }
}

const unfolded = { folding: null };
const emptyTally: FoldTally = { count: 0, done: 0, total: 0, asked: 0, cost: null, view: idleCard };
/** The states of links that one line stands for: it shows the first that any of them has. */
const loudestFirst: readonly ShownLinkState[] = ['passing', 'waiting', 'taken', 'pending', 'rest', 'dead'];

function isSame(a: CardView | undefined, b: CardView | undefined): boolean {
  if (
    a === undefined ||
    b === undefined ||
    a.state !== b.state ||
    a.position !== b.position ||
    a.startedAt !== b.startedAt ||
    a.step !== b.step
  )
    return false;
  return a.items?.done === b.items?.done && a.items?.total === b.items?.total;
}
