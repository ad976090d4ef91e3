import type { StepRun } from '../../../contract/executions/execution.ts';
import type { EndedStep } from '../bus/ended-step.ts';
import type { ModelObserver } from '../llm/observe-models.ts';
import type { Metrics } from './metrics.ts';

/** Measures model calls. */
export function modelMeter(metrics: Pick<Metrics, 'modelCalled'>): ModelObserver {
  return ({ provider }) => {
    const begun = performance.now();
    return (outcome) => {
      const ms = performance.now() - begun;
      if (outcome === null) metrics.modelCalled({ provider, outcome: 'internal', ms, tokens: null });
      else if (outcome.ok) metrics.modelCalled({ provider, outcome: 'answered', ms, tokens: outcome.value.usage });
      else metrics.modelCalled({ provider, outcome: outcome.error.code, ms, tokens: null });
    };
  };
}

/** Measures steps of executions. */
export function stepMeter(metrics: Pick<Metrics, 'stepEnded'>): (ended: EndedStep) => void {
  return ({ outcome, step }) => metrics.stepEnded({ provider: step.provider ?? 'none', outcome, ms: step.durationMs ?? elapsedMs(step) });
}

/** An interrupted step has no duration of its own. */
function elapsedMs({ startedAt, completedAt }: StepRun): number {
  return startedAt === null || completedAt === null ? 0 : Math.max(0, Date.parse(completedAt) - Date.parse(startedAt));
}
