import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import { type CardView, cardViews, type LinkState, linkState } from '../../model/card-view.ts';
import { isRunActive, type RunState } from '../../model/workspace-state.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';

/** The state of the run on each card and link, and the cards that a change of the run touches. */
export class RunOnCanvas {
  #views: Record<string, CardView> = {};
  #active: readonly string[] = [];
  /** No run has marked any card yet. */
  #isBlank = true;

  /** Nodes whose agents work in an active run: these are animated. */
  get active(): readonly string[] {
    return this.#active;
  }

  view(nodeId: string): CardView | undefined {
    return this.#views[nodeId];
  }

  /** Applies a run. Returns the ids of nodes whose card has changed. */
  update(run: RunState): string[] {
    const before = this.#views;
    const after = cardViews(run);
    const changed: string[] = [];
    const active: string[] = [];
    for (const id in after) {
      const view = after[id] as CardView;
      if (view.state === 'active') active.push(id);
      if (!isSame(before[id], view)) changed.push(id);
    }
    for (const id in before) if (!after[id]) changed.push(id);
    this.#views = after;
    this.#isBlank = run.steps.length === 0;
    this.#active = isRunActive(run) ? active : [];
    return changed;
  }

  link(link: Connection, index: DocumentIndex): LinkState {
    const from = index.nodes.get(link.from.agentId);
    return linkState(this.#views[link.from.agentId], this.#views[link.to.agentId], from !== null && isSource(from), link.run);
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
      used[port] = state === 'travelled' || state === 'onTheWay';
    }
    return used;
  }
}

/** A node that starts work and does none itself: its links count as active as soon as their target works. */
function isSource(node: CanvasNode): boolean {
  return node.type !== 'agent';
}

function isSame(a: CardView | undefined, b: CardView): boolean {
  if (a === undefined || a.state !== b.state || a.position !== b.position || a.startedAt !== b.startedAt || a.step !== b.step) return false;
  return a.items?.done === b.items?.done && a.items?.total === b.items?.total;
}
