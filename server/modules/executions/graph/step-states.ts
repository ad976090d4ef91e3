import type { StepState } from '../../../../rules/run-graph/run-state.ts';
import type { StepRow } from '../store/rows.ts';

/** Returns the pipeline's step of a row. */
export function originOf({ stepId, pipelineStepId }: Pick<StepRow, 'stepId' | 'pipelineStepId'>): string {
  return pipelineStepId ?? stepId;
}

/** Converts a row to what the rules of graphs read. */
export function toStepState(row: StepRow): StepState {
  const { stepId: id, round, item, status, choice, handOff } = row;
  return { id, nodeId: originOf(row), round, item, status, choice, handOff };
}
