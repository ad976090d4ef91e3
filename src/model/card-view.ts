import type { StepRun } from '../../contract/execution.ts';
import type { RunState } from './workspace-state.ts';

/** `stopped`: its step was interrupted; `skipped`: the run ended before its step began. */
export type CardState = 'idle' | 'waiting' | 'active' | 'paused' | 'done' | 'failed' | 'stopped' | 'skipped';

/** The progress of a node's work. */
export type CardView = {
  state: CardState;
  /** The place in the queue, from 1, while waiting. */
  position: number | null;
  /** ISO 8601, while active. */
  startedAt: string | null;
  durationMs: number | null;
  totalTokens: number | null;
  simulated: boolean;
  step: StepRun | null;
};

export const idleCard: CardView = {
  state: 'idle',
  position: null,
  startedAt: null,
  durationMs: null,
  totalTokens: null,
  simulated: false,
  step: null,
};

/** A cache, since scene, outline and minimap ask for the views of the same run. */
const known = new WeakMap<RunState, Readonly<Record<string, CardView>>>();

/** Returns the state of every node in the run, by node id; all other nodes are idle. Returns the same record for the same run. */
export function cardViews(run: RunState): Readonly<Record<string, CardView>> {
  let views = known.get(run);
  if (!views) {
    views = viewsOf(run);
    known.set(run, views);
  }
  return views;
}

function viewsOf(run: RunState): Record<string, CardView> {
  const views: Record<string, CardView> = {};
  const next = run.steps.find((step) => step.status === 'pending');
  for (const step of run.steps) {
    if (!step.nodeId) continue;
    views[step.nodeId] = {
      state: cardState(step, run, step === next),
      position: step.status === 'pending' ? step.orderIndex + 1 : null,
      startedAt: step.status === 'running' ? step.startedAt : null,
      durationMs: step.durationMs,
      totalTokens: step.usage?.totalTokens ?? null,
      simulated: step.simulated,
      step,
    };
  }
  return views;
}

function cardState(step: StepRun, run: RunState, isNext: boolean): CardState {
  switch (step.status) {
    case 'pending':
      if (run.outcome) return 'skipped';
      return run.phase === 'paused' && isNext ? 'paused' : 'waiting';
    case 'running':
      return 'active';
    case 'completed':
      return 'done';
    case 'failed':
      return 'failed';
    case 'cancelled':
      // The steps of a removed run that had not begun are removed with it.
      return step.startedAt ? 'stopped' : 'skipped';
    case 'skipped':
      return 'skipped';
  }
}

export type LinkState = 'rest' | 'travelled' | 'onTheWay' | 'waiting';

/**
 * Returns a link's state from the nodes at its ends: `travelled` to a node that has worked, `onTheWay` to one that works, `waiting` for
 * one that will. A back link passes nothing on, and stays at `rest`.
 */
export function linkState(from: CardView | undefined, to: CardView | undefined, fromIsSource: boolean): LinkState {
  if (!to || to.state === 'idle' || leadsBack(from, to)) return 'rest';
  const begun = fromIsSource || from?.state === 'done';
  if (to.state === 'done' || to.state === 'failed' || to.state === 'stopped') return begun ? 'travelled' : 'rest';
  if (to.state === 'active') return begun ? 'onTheWay' : 'waiting';
  return to.state === 'skipped' ? 'rest' : 'waiting';
}

function leadsBack(from: CardView | undefined, to: CardView): boolean {
  return Boolean(from?.step && to.step && from.step.orderIndex >= to.step.orderIndex);
}
