import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import { type CardView, cardViews, type LinkState, linkState } from '../../model/card-view.ts';
import { isRunActive, type RunState } from '../../model/workspace-state.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';

/** How the run stands on each card and link, and which cards a change of the run touches. */
export class RunOnCanvas {
  #views: Record<string, CardView> = {};
  #active: readonly string[] = [];

  /** Nodes whose agents are at work in a run that goes on: what moves. */
  get active(): readonly string[] {
    return this.#active;
  }

  view(nodeId: string): CardView | undefined {
    return this.#views[nodeId];
  }

  /** Takes in a run; returns the ids of nodes whose card is another than before. */
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
    this.#active = isRunActive(run) ? active : [];
    return changed;
  }

  link(link: Connection, index: DocumentIndex): LinkState {
    const from = index.nodes.get(link.from.agentId);
    return linkState(this.#views[link.from.agentId], this.#views[link.to.agentId], from !== null && isSource(from));
  }

  /** Whether work has passed through the node's port, or is passing. */
  isPortUsed(node: CanvasNode, port: 'in' | 'out', index: DocumentIndex): boolean {
    for (const id of index.linksOf(node.id)) {
      const link = index.links.get(id);
      if (!link || link[port === 'in' ? 'to' : 'from'].agentId !== node.id) continue;
      const state = this.link(link, index);
      if (state === 'travelled' || state === 'onTheWay') return true;
    }
    return false;
  }
}

/** What starts work instead of doing it: its links count as set out upon as soon as their target works. */
function isSource(node: CanvasNode): boolean {
  return node.type !== 'agent';
}

function isSame(a: CardView | undefined, b: CardView): boolean {
  return a !== undefined && a.state === b.state && a.position === b.position && a.startedAt === b.startedAt && a.step === b.step;
}
