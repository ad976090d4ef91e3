import type { StepRun } from '../../contract/execution.ts';
import type { RunState } from './workspace-state.ts';

/** `stopped`: its step was cut off; `skipped`: the run ended before its step began. */
export type CardState = 'idle' | 'waiting' | 'active' | 'paused' | 'done' | 'failed' | 'stopped' | 'skipped';

/** How a card's work is going. */
export type CardView = {
  state: CardState;
  /** Place in the queue, from 1, while waiting. */
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

/** Several ask for the views of one run: scene, outline and map. */
const known = new WeakMap<RunState, Readonly<Record<string, CardView>>>();

/** The state of every card that takes part in the run, by node id; all others are idle. The same record for the same run. */
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
      // A run that is gone takes the steps with it that had not begun.
      return step.startedAt ? 'stopped' : 'skipped';
    case 'skipped':
      return 'skipped';
  }
}

export type LinkState = 'rest' | 'travelled' | 'onTheWay' | 'waiting';

/**
 * What a link shows, from the cards at its ends: travelled to a card that has worked, on the way to one that works, waiting for one that
 * will. A link that leads back to an earlier step passes nothing on, and rests.
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
