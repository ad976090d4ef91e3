import { castDraft } from 'immer';
import { maxForecastAgents } from '../../../../contract/max-forecast-agents.ts';
import { serverAgents } from '../../../model/agents/fallback-agent.ts';
import { isSame } from '../../../model/document/document-differences.ts';
import type { RunStarters } from '../../../model/run/starters-of.ts';
import type { EngineContext } from '../engine-context.ts';
import { loadPart } from '../load-part.ts';

/** How long what takes part rests before its agents are looked up (ms). */
const restMs = 500;

/** Shows the agents of the next run, of which its forecast is made. A run is planned for that, so it follows what takes part with a delay. */
export class RunTeam {
  readonly #context: EngineContext;
  #cancel: (() => void) | null = null;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** Looks the agents up after a rest. `starters`: what the next run begins with then. */
  soon(starters: () => RunStarters): void {
    this.close();
    // Only a server has made runs to forecast from.
    if (this.#context.source.kind === 'server') this.#cancel = this.#context.environment.later(restMs, () => void this.#find(starters));
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  async #find(starters: () => RunStarters): Promise<void> {
    const part = await loadPart(this.#context, () => import('../../../model/run/run-starters.ts'));
    const { store, signal } = this.#context;
    if (!part || signal.aborted) return;
    const agentIds = part.teamOf(store.document, serverAgents(store.state.agents), starters());
    const team = { count: agentIds.length, agentIds: agentIds.length > maxForecastAgents ? [] : agentIds };
    if (isSame(team, store.state.team)) return;
    store.update((draft) => {
      draft.team = castDraft(team);
    });
  }
}
