import type { LinkSettings } from '../../contract/executions/run-graph.ts';
import type { LinkInRun } from '../../rules/run-graph/link-in-run.ts';
import type { CardView } from './card-view.ts';
import type { RunState } from './workspace-state.ts';

/** The state of a link as it is drawn. `rest`: no run concerns it. */
export type ShownLinkState = 'rest' | LinkInRun;

const placesOfLinks = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/** Returns a link's state in the run's graph; undefined without a graph, and for a link that is not in it. */
export function linkInRun({ graph }: Pick<RunState, 'graph'>, linkId: string): LinkInRun | undefined {
  if (!graph) return undefined;
  let places = placesOfLinks.get(graph.linkIds);
  if (!places) {
    places = new Map(graph.linkIds.map((id, at) => [id, at]));
    placesOfLinks.set(graph.linkIds, places);
  }
  return graph.linkStates[places.get(linkId) ?? -1];
}

/** The inputs of a link's state without its nodes. */
type LinkFacts = { fromIsSource: boolean; settings?: LinkSettings | undefined };

/**
 * Returns the state of a link that is in no graph of a run: the nodes at its ends decide. It is
 * `taken` to a node that has worked, `passing` to a running one, and `pending` to one that has not begun. A back link passes nothing on
 * and stays at `rest`. So does a case that its step has not chosen, and a link for failures of a step that has not failed.
 */
export function shownLinkState(
  from: CardView | undefined,
  to: CardView | undefined,
  { fromIsSource, settings }: LinkFacts,
): ShownLinkState {
  const { label, onFailure } = settings ?? {};
  const choice = from?.step?.choice;
  if (label !== undefined && choice !== undefined && label !== choice) return 'rest';
  if (!to || to.state === 'idle' || leadsBack(from, to)) return 'rest';
  if (onFailure && from?.state === 'done') return 'rest';
  const begun = fromIsSource || from?.state === (onFailure ? 'failed' : 'done');
  if (to.state === 'done' || to.state === 'failed' || to.state === 'stopped') return begun ? 'taken' : 'rest';
  if (to.state === 'active') return begun ? 'passing' : 'pending';
  return to.state === 'skipped' ? 'rest' : 'pending';
}

function leadsBack(from: CardView | undefined, to: CardView): boolean {
  return Boolean(from?.step && to.step && from.step.orderIndex >= to.step.orderIndex);
}
