import { isBackLink, type RunLink, roundOf } from './run-graph.ts';
import { isEnded, type RunState, type StepState } from './run-state.ts';

/**
 * The state of a link in the interface, over all items of a list. `pending`: nothing is decided. `waiting`: it is taken, and its target has
 * not begun. `passing`: its target is running. `taken`: its target has ended. `dead`: its target never gets the result.
 */
export type LinkInRun = 'pending' | 'waiting' | 'passing' | 'taken' | 'dead';

/** Returns the most important state of the items of a list. */
const byWeight: readonly LinkInRun[] = ['passing', 'waiting', 'taken', 'pending', 'dead'];

/** Returns the state of one link. `runsOf`: all runs of a step, those of earlier rounds too. */
export function linkInRun(state: RunState, link: RunLink, runsOf: (nodeId: string) => readonly StepState[]): LinkInRun {
  const found = new Set<LinkInRun>();
  for (const target of state.runsOf(link.to))
    found.add(isBackLink(link) ? backward(state, link, target, runsOf) : forward(state, link, target));
  return byWeight.find((each) => found.has(each)) ?? 'pending';
}

function forward(state: RunState, link: RunLink, target: StepState): LinkInRun {
  const after = state.linkState(link, target.item);
  return after === 'taken' ? byTarget(target) : after;
}

/** A link back is taken once a round has taken it that another round followed. */
function backward(state: RunState, link: RunLink, header: StepState, runsOf: (nodeId: string) => readonly StepState[]): LinkInRun {
  const loop = state.compiled.regions.find(({ kind, id }) => kind === 'loop' && id === link.to);
  if (!loop) return 'pending';
  const rounds = state.roundOf(loop, header.item);
  const depth = state.depthIn(loop, link.from);
  const wasTaken = runsOf(link.from).some(
    (run) =>
      (run.item === header.item || header.item === 0) && roundOf(run.round, depth) < rounds && state.stateAfter(link, run) === 'taken',
  );
  if (wasTaken) return byTarget(header);
  return state.runsIn(loop, link.from, header.item).every(({ status }) => isEnded(status)) ? 'dead' : 'pending';
}

function byTarget({ status }: StepState): LinkInRun {
  if (status === 'running') return 'passing';
  return isEnded(status) ? 'taken' : 'waiting';
}
