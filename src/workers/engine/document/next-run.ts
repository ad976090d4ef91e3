import { castDraft } from 'immer';
import { maxForecastAgents } from '../../../../contract/max-forecast-agents.ts';
import { serverAgents } from '../../../model/agents/fallback-agent.ts';
import { isSame } from '../../../model/document/document-differences.ts';
import { participationOf } from '../../../model/run/participation/participation.ts';
import { parallelSettingOf } from '../../../model/run/plan/parallel-limit.ts';
import { type Foreseen, foreseenStarters } from '../../../model/run/starters/foreseen-starters.ts';
import { teamOf } from '../../../model/run/starters/run-starters.ts';
import type { RunStarters } from '../../../model/run/starters/starters-of.ts';
import type { EngineContext } from '../engine-context.ts';

/** How long what takes part rests before its agents are looked up (ms). */
const teamAfterMs = 500;

/** Finds what takes part in the next run, and which agents it calls. Loaded when it is needed first. */
export class NextRun {
  readonly #context: EngineContext;
  #cancelTeam = () => {};

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** `chosen`: the dialog or start card that the user has chosen for it. */
  show(chosen: Foreseen): void {
    const { store, source, environment } = this.#context;
    this.close();
    // Only a server has runs to forecast from. A run is planned for that, so it follows later than what takes part.
    if (source.kind === 'server') this.#cancelTeam = environment.later(teamAfterMs, () => this.#showTeam(chosen));
    const participation = participationOf(store.document, this.#starters(chosen), parallelSettingOf(store.state.project));
    if (isSame(participation, store.state.participation)) return;
    store.update((draft) => {
      draft.participation = castDraft(participation);
    });
  }

  close(): void {
    this.#cancelTeam();
  }

  #showTeam(chosen: Foreseen): void {
    const { store } = this.#context;
    const agentIds = teamOf(store.document, serverAgents(store.state.agents), this.#starters(chosen));
    const team = { count: agentIds.length, agentIds: agentIds.length > maxForecastAgents ? [] : agentIds };
    if (isSame(team, store.state.team)) return;
    store.update((draft) => {
      draft.team = castDraft(team);
    });
  }

  #starters(chosen: Foreseen): RunStarters {
    const { document, state } = this.#context.store;
    return foreseenStarters(document, chosen, state.run.execution?.dialogNodeId);
  }
}
