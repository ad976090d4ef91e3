import type { CanvasNode } from '../../../../contract/canvas.ts';
import { isFallback } from '../../../model/agents/fallback-agent.ts';
import type { DocumentCommand } from '../../../model/commands.ts';
import { isCopying, planCopies } from '../../../model/document/copy-commands.ts';
import { type NodeTexts, placeItem, type WantedAgent } from '../../../model/document/place-item.ts';
import type { DocumentChange } from '../../../model/document/working-document.ts';
import { planPattern } from '../../../model/patterns/place-pattern.ts';
import type { Problem } from '../../../model/problem.ts';
import type { EngineContext } from '../engine-context.ts';
import { type Made, makeAgents, removeUnused } from './many-agents.ts';

export type PlacingCommand = Extract<
  DocumentCommand,
  { type: 'node.place' | 'pattern.place' | 'nodes.paste' | 'nodes.duplicate' | 'canvas.replace' }
>;

/** Agents that a notice names; of more it says how many there are. */
const maxNamed = 3;

/**
 * Agents for the cards of a flow, a pattern, a paste or a file that find no free one. An agent goes when its card is taken back, unless it has worked, or
 * another card uses it. Then a redo makes it again. The steps of undo name these agents, so that it is so after a reload too.
 */
export class AgentCopies {
  readonly #context: EngineContext;
  /** What each agent was made for, by its id: of those that are there, and of those that are gone. */
  readonly #made = new Map<string, WantedAgent>();
  readonly #gone = new Map<string, WantedAgent>();
  /** The agents that were made in place of those that are gone, by the ids of these: later steps of undo name the earlier ones. */
  readonly #renewed = new Map<string, string>();
  /** The agents that a step of undo names: they go with that step, and not with a later one whose cards have them too. */
  readonly #bound = new Set<string>();
  #last: Promise<void> = Promise.resolve();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** Learns from stored steps of undo which agents were made for their cards. */
  remember(steps: readonly DocumentChange[]): void {
    const { byId, status } = this.#context.store.state.agents;
    for (const { id, copyOf, former = [] } of steps.flatMap(({ made = [] }) => made)) {
      for (const earlier of former) this.#renewed.set(earlier, id);
      this.#bound.add(id);
      if (this.#made.has(id) || this.#gone.has(id)) continue;
      const isThere = byId[id] !== undefined || status !== 'ready';
      (isThere ? this.#made : this.#gone).set(id, copyOf === undefined ? {} : { copyOf });
    }
  }

  /** Notes in a new step which agents were made for its cards. A card that was cut and pasted has the agent of the step before. */
  bind(change: DocumentChange): void {
    const made = cardsOf(change).flatMap(({ serverAgentId = '' }) => {
      const what = this.#bound.has(serverAgentId) ? undefined : this.#made.get(serverAgentId);
      return what ? [{ id: serverAgentId, ...(what.copyOf !== undefined && { copyOf: what.copyOf }) }] : [];
    });
    for (const { id } of made) this.#bound.add(id);
    if (made.length > 0) change.made = made;
  }

  /** Returns an agent for each card that finds no free one. */
  wanted(command: PlacingCommand, texts: NodeTexts): WantedAgent[] {
    const { store, environment } = this.#context;
    const context = { agents: store.state.agents, texts, newId: environment.newId };
    const placed = isCopying(command)
      ? planCopies(store.working, command, context)
      : command.type === 'pattern.place'
        ? planPattern(store.working, command, context)
        : placeItem(command.item, command.at, { ...context, nodes: store.document.nodes });
    return placed.ok ? (placed.value.wanted ?? []).filter(({ copyOf }) => copyOf === undefined || !isFallback(copyOf)) : [];
  }

  /** Makes agents, and returns them. `problem`: why some could not be made. `goesOn`: whether the cards can still be placed. `fits` as in `makeAgents`. */
  async make(
    wanted: readonly WantedAgent[],
    how: { goesOn?: () => boolean; fits?: boolean } = {},
  ): Promise<{ made: Made[]; problem: Problem | null }> {
    const { made, problem } = await makeAgents(this.#context, wanted, how);
    for (const { agent, wanted: what } of made) this.#made.set(agent.id, what);
    return { made, problem };
  }

  /** Removes the agents again that no card has got, and names those that are there. */
  async keepUsed(made: readonly Made[]): Promise<void> {
    await this.remove(made.map(({ agent }) => agent.id));
    const kept = made.filter(({ agent }) => this.#made.has(agent.id));
    if (kept.length === 0) return;
    const { byId } = this.#context.store.state.agents;
    const lacksKey = kept.some(({ wanted: { copyOf = '' } }) => byId[copyOf]?.apiConfiguration.hasKey);
    const agents = kept.map(({ agent }) => agent.title).join(', ');
    const problem: Problem =
      kept.length > maxNamed
        ? { code: lacksKey ? 'flow.manyCopiedWithoutKey' : 'flow.manyCopied', params: { count: kept.length } }
        : { code: lacksKey ? 'flow.copiedWithoutKey' : 'flow.copied', params: { agents, count: kept.length } };
    this.#context.notices.show(problem, 'info');
  }

  /** Removes the agents that were made for the cards that an undo has taken back. */
  takenBack({ made = [] }: DocumentChange, onRemoved: () => void): void {
    const ids = made.flatMap(({ id }) => (this.#made.has(id) ? id : []));
    if (ids.length > 0) this.#last = this.#last.then(() => this.remove(ids)).then(onRemoved);
  }

  /** Whether a redo waits for agents of its cards. */
  isMissing(change: DocumentChange | null): boolean {
    return (
      change !== null && cardsOf(change).some(({ serverAgentId = '' }) => this.#made.has(serverAgentId) || this.#gone.has(serverAgentId))
    );
  }

  /** Makes the agents again that cards of a redo had, and gives them to the cards. Returns the ids of the agents. */
  async restore(step: DocumentChange): Promise<string[]> {
    await this.#last;
    const lacking = step.patches.filter(({ path, value }) => path[0] === 'nodes' && this.#gone.has(value?.serverAgentId));
    const { byId } = this.#context.store.state.agents;
    const wanted = lacking.map(({ value }): WantedAgent => {
      const before = this.#gone.get(value.serverAgentId) as WantedAgent;
      const card = value as CanvasNode;
      // Its original may have been removed meanwhile.
      return before.copyOf !== undefined && byId[before.copyOf] ? { card, ...before } : { card };
    });
    const { made } = await this.make(wanted);
    for (const [at, patch] of lacking.entries()) {
      const agent = made[at]?.agent;
      if (!agent) break;
      const earlier: string = patch.value.serverAgentId;
      this.#gone.delete(earlier);
      this.#renewed.set(earlier, agent.id);
      this.#bound.add(agent.id);
      for (const bound of step.made ?? []) {
        if (bound.id === earlier) Object.assign(bound, { id: agent.id, former: [...(bound.former ?? []), earlier] });
      }
      patch.value = { ...patch.value, serverAgentId: agent.id };
    }
    return made.map(({ agent }) => agent.id);
  }

  /** Gives the cards of a step of undo the agents that were made again for them. Returns whether that has changed the step. */
  renew({ patches, inverse }: DocumentChange): boolean {
    if (this.#renewed.size === 0) return false;
    let isChanged = false;
    for (const patch of [...patches, ...inverse]) {
      let id: string | undefined = patch.path[0] === 'nodes' ? patch.value?.serverAgentId : undefined;
      while (id !== undefined && this.#renewed.has(id)) id = this.#renewed.get(id);
      if (id === undefined || id === patch.value.serverAgentId) continue;
      patch.value = { ...patch.value, serverAgentId: id };
      isChanged = true;
    }
    return isChanged;
  }

  /** Removes agents that no card uses and that have not worked. */
  async remove(ids: readonly string[]): Promise<void> {
    const placed = new Set(Object.values(this.#context.store.document.nodes).map(({ serverAgentId }) => serverAgentId));
    for (const id of await removeUnused(
      this.#context,
      ids.filter((id) => !placed.has(id)),
    )) {
      const what = this.#made.get(id);
      if (what) this.#gone.set(id, what);
      this.#made.delete(id);
    }
  }
}

/** The cards that a change adds. */
function cardsOf({ patches }: DocumentChange): CanvasNode[] {
  return patches.flatMap(({ op, path, value }) => (op === 'add' && path[0] === 'nodes' ? [value as CanvasNode] : []));
}
