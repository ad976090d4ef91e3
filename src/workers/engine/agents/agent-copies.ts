import type { CanvasNode } from '../../../../contract/canvas.ts';
import { isFallback } from '../../../model/agents/fallback-agent.ts';
import type { DocumentCommand } from '../../../model/commands.ts';
import { type NodeTexts, placeItem } from '../../../model/document/place-item.ts';
import type { DocumentChange } from '../../../model/document/working-document.ts';
import { planPattern } from '../../../model/patterns/place-pattern.ts';
import type { EngineContext } from '../engine-context.ts';
import { type Copied, copyAgent } from './make-agent.ts';

type PlacingCommand = Extract<DocumentCommand, { type: 'node.place' | 'pattern.place' }>;

/**
 * Copies of agents for the cards of a flow or a pattern that find no free one. A copy goes when its card is taken back, unless it has worked, or
 * another card uses it. Then a redo makes it again. After a reload copies stay: nothing is known of them any more.
 */
export class FlowCopies {
  readonly #context: EngineContext;
  /** The agents that copies were made of, by the copies' ids: of those that are there, and of those that are gone. */
  readonly #made = new Map<string, string>();
  readonly #gone = new Map<string, string>();
  #last: Promise<void> = Promise.resolve();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** Returns the agents of which a flow or a pattern needs copies, one for each card without a free agent. */
  wanted(command: PlacingCommand, texts: NodeTexts): string[] {
    const { store, environment } = this.#context;
    const context = { agents: store.state.agents, texts, newId: environment.newId };
    const placed =
      command.type === 'pattern.place'
        ? planPattern(store.working, command, context)
        : placeItem(command.item, command.at, { ...context, nodes: store.document.nodes });
    return placed.ok ? (placed.value.wanted ?? []).filter((id) => !isFallback(id)) : [];
  }

  /** Makes copies, and returns them. Where one cannot be made, its card is placed without an agent. `goesOn`: whether the cards can still be placed. */
  async make(agentIds: readonly string[], goesOn: () => boolean): Promise<Copied[]> {
    const made: Copied[] = [];
    for (const agentId of agentIds) {
      const copied = goesOn() ? await copyAgent(this.#context, agentId) : null;
      if (!copied?.ok) break;
      this.#made.set(copied.value.agentId, agentId);
      made.push(copied.value);
    }
    return made;
  }

  /** Removes the copies again that no card has got, and names those that are there. */
  async keepUsed(made: readonly Copied[]): Promise<void> {
    await this.remove(made.map(({ agentId }) => agentId));
    const kept = made.filter(({ agentId }) => this.#made.has(agentId));
    if (kept.length === 0) return;
    const code = kept.some(({ hasKey }) => hasKey) ? 'flow.copiedWithoutKey' : 'flow.copied';
    const agents = kept.map(({ title }) => title).join(', ');
    this.#context.notices.show({ code, params: { agents, count: kept.length } }, 'info');
  }

  /** Removes the copies of cards that an undo has taken back. */
  takenBack(change: DocumentChange, onRemoved: () => void): void {
    const ids = cardsOf(change).flatMap(({ serverAgentId = '' }) => (this.#made.has(serverAgentId) ? serverAgentId : []));
    if (ids.length > 0) this.#last = this.#last.then(() => this.remove(ids)).then(onRemoved);
  }

  /** Whether a redo waits for agents of its cards. */
  isMissing(change: DocumentChange | null): boolean {
    return (
      change !== null && cardsOf(change).some(({ serverAgentId = '' }) => this.#made.has(serverAgentId) || this.#gone.has(serverAgentId))
    );
  }

  /** Makes the copies again that cards of a redo had, and gives them to the cards. Returns the ids of the copies. */
  async restore({ patches }: DocumentChange): Promise<string[]> {
    const ids: string[] = [];
    await this.#last;
    for (const patch of patches) {
      const original = this.#gone.get(patch.value?.serverAgentId);
      if (original === undefined || patch.path[0] !== 'nodes') continue;
      const copied = await copyAgent(this.#context, original);
      if (!copied.ok) break;
      ids.push(copied.value.agentId);
      this.#made.set(copied.value.agentId, original);
      this.#gone.delete(patch.value.serverAgentId);
      patch.value = { ...patch.value, serverAgentId: copied.value.agentId };
    }
    return ids;
  }

  /** Removes copies that no card uses and that have not worked. */
  async remove(ids: readonly string[]): Promise<void> {
    const { backend, store } = this.#context;
    for (const id of ids) {
      const isUsed = Object.values(store.document.nodes).some(({ serverAgentId }) => serverAgentId === id);
      const work = isUsed ? null : await backend.agentStatistics(id);
      if (!work?.ok || work.value.totalCommands > 0 || work.value.lastActivity !== null) continue;
      const removed = await backend.removeAgent(id);
      if (!removed.ok) continue;
      this.#gone.set(id, this.#made.get(id) ?? id);
      this.#made.delete(id);
      store.update(({ agents }) => {
        delete agents.byId[id];
        agents.order = agents.order.filter((other) => other !== id);
      });
    }
  }
}

/** The cards that a change adds. */
function cardsOf({ patches }: DocumentChange): CanvasNode[] {
  return patches.flatMap(({ op, path, value }) => (op === 'add' && path[0] === 'nodes' ? [value as CanvasNode] : []));
}
